package templates_test

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/koda-video/koda/templates"
)

// A packed guest is a static program for its architecture.
func TestGuest(t *testing.T) {
	t.Parallel()
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		_, err := os.Stat(filepath.Join("guest", "guest."+arch+".zst"))
		archive, ok := templates.Guest(arch)
		if ok != (err == nil) {
			t.Errorf("%s: packed: %v, embedded: %v", arch, err == nil, ok)
		}
		if !ok {
			continue
		}
		r, err := zstd.NewReader(bytes.NewReader(archive))
		if err != nil {
			t.Fatal(err)
		}
		var program bytes.Buffer
		if _, err := r.WriteTo(&program); err != nil {
			t.Fatal(err)
		}
		r.Close()
		f, err := elf.NewFile(bytes.NewReader(program.Bytes()))
		if err != nil {
			t.Fatalf("%s: %v", arch, err)
		}
		if libs, err := f.ImportedLibraries(); f.Machine != machine || err != nil || len(libs) > 0 {
			t.Errorf("%s: for %v, with libraries %q, %v", arch, f.Machine, libs, err)
		}
	}
	for _, arch := range []string{"riscv64", "", "../guest/guest.amd64"} {
		if _, ok := templates.Guest(arch); ok {
			t.Errorf("there is a guest for %q", arch)
		}
	}
}
