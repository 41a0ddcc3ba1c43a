package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
)

// The settings files of a directory. They may have come with the directory from anywhere.
const dotenvName = ".env"

const projectName = ".koda/" + fileName

// dirFile is a settings file of a directory.
type dirFile struct {
	dir    string // relative paths in the file count from here
	name   string // slash-separated
	origin Origin
	prompt bool // it holds a text for models, and no settings
}

func (f dirFile) path() string { return filepath.Join(f.dir, filepath.FromSlash(f.name)) }

// dirFileAt is the settings file at a path, if the path has such a name.
func dirFileAt(path string) (f dirFile, ok bool) {
	dir, base := filepath.Split(filepath.Clean(path))
	switch parent, meta := filepath.Split(filepath.Clean(dir)); {
	case base == dotenvName:
		return dotenvOf(filepath.Clean(dir)), true
	case meta+"/"+base == projectName:
		return projectFileOf(filepath.Clean(parent)), true
	case meta == promptsName && filepath.Base(parent) == ".koda" && strings.HasSuffix(base, ".md"):
		return promptOf(filepath.Dir(filepath.Clean(parent)), strings.TrimSuffix(base, ".md")), true
	}
	return f, false
}

// dirFiles are the settings files of the directory at hand, the strongest first.
func (s Sources) dirFiles() []dirFile {
	files := []dirFile{dotenvOf(s.Dir)}
	if s.Project != "" {
		files = append(files, projectFileOf(s.Project))
	}
	return files
}

func dotenvOf(dir string) dirFile {
	return dirFile{dir: dir, name: dotenvName, origin: FromDotenv}
}

func projectFileOf(dir string) dirFile {
	return dirFile{dir: dir, name: projectName, origin: FromProject}
}

// claim is what a file says about a setting. Err says why the value cannot be read.
type claim struct {
	set Setting
	saying
	err error
}

// contents is everything in a file of a directory, obeyed or not. Err says why the file
// as a whole cannot be read.
type contents struct {
	sum     string // hex SHA-256
	text    string // of a text for models
	claims  []claim
	unknown []string
	err     error
}

// read reads a file of a directory. If there is no such file, ok is false.
func (s Sources) read(f dirFile) (found contents, ok bool) {
	data, err := s.ReadIn(f.dir, f.name)
	// A directory named .env, as Python projects have it, is not a settings file.
	if absent(err) || errors.Is(err, syscall.EISDIR) {
		return found, false
	}
	if err != nil {
		found.err = err
		if koda.HintOf(err) == "" {
			found.err = &koda.Error{Code: koda.CodeUsage, Op: "read settings", Err: err, Hint: "make the file readable, or move it away"}
		}
		return found, true
	}
	found.sum = sumOf(data)
	if f.prompt {
		found.text, found.err = string(data), checkPrompt(data)
		return found, true
	}
	if f.origin == FromDotenv {
		found.claims = s.dotenvClaims(data, f.dir)
		return found, true
	}
	values, err := parseFile(f.path(), data)
	found.err = err
	found.claims, found.unknown = s.claimsOf(values, f.path(), f.origin, f.dir)
	return found, true
}

// dotenvClaims are the settings in the text of a .env file. The file may have lines for
// other programs, too.
func (s Sources) dotenvClaims(data []byte, base string) []claim {
	last := map[string]assignment{}
	for _, a := range parseDotenv(data) {
		last[a.key] = a
	}
	var claims []claim
	for _, set := range table {
		a, ok := last[set.Env]
		if !ok || a.problem == "" && a.value == "" {
			continue
		}
		place := fmt.Sprintf("%s in .env, line %d", set.Env, a.line)
		c := claim{set: set, saying: s.say(set, set.fromEnv(a.value), FromDotenv, place, base)}
		if a.problem != "" {
			c.err = &koda.Error{Code: koda.CodeUsage, Op: "read " + place, Err: errors.New(a.problem), Hint: "close the quote, or remove the line"}
		}
		claims = append(claims, c)
	}
	return claims
}

// claimsOf are the settings in a JSON file, and the names that koda does not know.
func (s Sources) claimsOf(values map[string]json.RawMessage, file string, origin Origin, base string) (claims []claim, unknown []string) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		set, err := Find(name)
		if err != nil || set.Name != name {
			unknown = append(unknown, name)
			continue
		}
		var value string
		c := claim{set: set}
		if err := json.Unmarshal(values[name], &value); err != nil {
			c.err = &koda.Error{
				Code: koda.CodeUsage, Op: fmt.Sprintf("setting %s in %s is not a text", name, file),
				Hint: fmt.Sprintf("write it in quotes, or use `koda config set %s`", name),
			}
		} else if value == "" {
			continue
		}
		c.saying = s.say(set, value, origin, file, base)
		claims = append(claims, c)
	}
	return claims, unknown
}

// obey adds to said what a file of a directory may say. It leaves out what the file may
// not say, and warns about it. Nothing in a file that the person does not trust is an
// error: a directory from elsewhere must not keep koda from working.
func (s Sources) obey(f dirFile, said map[string][]saying, c *Config) error {
	found, ok := s.read(f)
	if !ok {
		return nil
	}
	now := s.trustOf(f.path(), found.sum)
	if found.err != nil {
		if now == trusted {
			return found.err
		}
		c.warn("%v; the file is left out", found.err)
		return nil
	}
	c.warnUnknown(f.path(), found.unknown)
	var left []string
	for _, claim := range found.claims {
		err := claim.err
		if err == nil && now != trusted { // in a trusted file, a value is checked only if it wins, as everywhere
			err = claim.set.check(claim.value, claim.place, s.Offers)
		}
		switch {
		case !claim.set.Allows(f.origin, true):
			c.warn("%s in %s is not obeyed: set it in the environment or with `koda config set %s`", claim.set.Name, f.path(), claim.set.Name)
		case !claim.set.Allows(f.origin, now == trusted):
			left = append(left, claim.set.spelled(f.origin))
		case err != nil && now == trusted:
			return err
		case err != nil:
			c.warn("%v; it is left out", err)
		default:
			said[claim.set.Name] = append(said[claim.set.Name], claim.saying)
		}
	}
	if len(left) > 0 {
		why := "you have not trusted that file"
		if now == changed {
			why = "the file was changed since you trusted it"
		}
		c.warn("%s says %s; left out, as %s: `koda trust` shows it and asks", f.path(), and(left), why)
	}
	return nil
}

// spelled is the name of the setting in files of that kind.
func (s Setting) spelled(o Origin) string {
	if o == FromDotenv {
		return s.Env
	}
	return s.Name
}

// warnUnknown warns about names that are not settings.
func (c *Config) warnUnknown(file string, names []string) {
	const most = 3
	switch more := len(names) - most; {
	case len(names) == 0:
	case more > 0:
		c.warn("%s: unknown settings %q and %d more are left alone", file, names[:most], more)
	case len(names) > 1:
		c.warn("%s: unknown settings %q are left alone", file, names)
	default:
		c.warn("%s: unknown setting %q is left alone", file, names[0])
	}
}

// and joins words as in a sentence.
func and(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
