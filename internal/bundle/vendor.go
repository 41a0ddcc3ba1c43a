package bundle

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"

	"github.com/koda-video/koda/internal/packages"
)

// vendorDir holds packages that an author installed, each bundled to one module. Its
// vendor.json says which imports mean which file.
const vendorDir = "src/vendor"

// readVendor reads vendor.json. A vendor.json that cannot be read names no file, and the
// imports are told as missing.
func (p *pageBuild) readVendor() map[string]string {
	data, err := fs.ReadFile(p.files, vendorDir+"/vendor.json")
	if err != nil {
		if refused(err) && !errors.Is(err, fs.ErrNotExist) {
			p.fail(err)
		}
		return nil
	}
	var v struct {
		Specifiers map[string]string `json:"specifiers"`
	}
	if json.Unmarshal(data, &v) != nil {
		return nil
	}
	return v.Specifiers
}

// vendored is the module of an installed package. The page runtime comes first: there is
// one react and one three.
func (p *pageBuild) vendored(spec string) (file string, wrong *refusal) {
	name, _ := splitPackage(spec)
	if why := packages.Banned[name]; why != "" {
		return "", &refusal{name + " " + why, p.available("")}
	}
	to := p.vendor()[spec]
	if to == "" {
		return "", nil
	}
	file = path.Join(vendorDir, to)
	if _, ours := runtimePackages()[name]; ours || !fs.ValidPath(to) || p.find(file) != file {
		return "", nil
	}
	return file, nil
}
