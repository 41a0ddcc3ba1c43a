package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// plant changes a clone. Texts may hold {home}, {clone}, {mine} (the id of the
// person's own project), {host} (a server that counts calls) and {evil}.
type plant func(v *victim) error

// evil is a text of control sequences that act on terminals.
const evil = "\x1b[31mevil\x1b]0;owned\x07\x1b[2J\u009b31m\u202e\r"

func (v *victim) plant(a attack) {
	v.t.Helper()
	for _, p := range a.plants {
		v.must(p(v))
	}
}

func (v *victim) port() string {
	_, port, _ := strings.Cut(v.calls.Addr().String(), ":")
	return port
}

func (v *victim) fill(text string) string {
	return strings.NewReplacer("{home}", v.home, "{clone}", v.clone, "{mine}", v.mine, "{host}", v.calls.Addr().String(), "{evil}", evil).Replace(text)
}

// place returns the path of a name in the clone, after removing what is there.
func (v *victim) place(name string) (string, error) {
	path := filepath.Join(v.clone, v.fill(name))
	return path, errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o755))
}

// put writes a file.
func put(name, text string) plant {
	return func(v *victim) error {
		path, err := v.place(name)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(v.fill(text)), 0o755)
	}
}

// link makes a symbolic link.
func link(name, to string) plant {
	return func(v *victim) error {
		path, err := v.place(name)
		if err != nil {
			return err
		}
		return os.Symlink(v.fill(to), path)
	}
}

// pipe makes a pipe that nobody writes to.
func pipe(name string) plant {
	return func(v *victim) error {
		path, err := v.place(name)
		if err != nil {
			return err
		}
		return syscall.Mkfifo(path, 0o644)
	}
}

// dir makes a directory with a file in it.
func dir(name string) plant {
	return func(v *victim) error { return errors.Join(gone(name)(v), put(name+"/x", "x")(v)) }
}

// sparse makes a file of the given megabytes that takes no room on the disk.
func sparse(name string, megabytes int64) plant {
	return func(v *victim) error {
		return errors.Join(put(name, "")(v), os.Truncate(filepath.Join(v.clone, name), megabytes<<20))
	}
}

// gone removes something.
func gone(name string) plant {
	return func(v *victim) error { _, err := v.place(name); return err }
}

// each applies a plant for each number from 0.
func each(n int, p func(i int) plant) plant {
	return func(v *victim) error {
		for i := range n {
			if err := p(i)(v); err != nil {
				return err
			}
		}
		return nil
	}
}

// deep makes nested directories, deeper than paths can be.
func deep(name string, n int) plant {
	return func(v *victim) error {
		path, err := v.place(name)
		if err != nil {
			return err
		}
		for i := 0; i < n; i += 100 {
			if err := os.MkdirAll(path+strings.Repeat("/d", min(100, n-i)), 0o755); err != nil {
				return err
			}
			tower := filepath.Join(filepath.Dir(path), fmt.Sprint(".tower", i))
			if err := os.Rename(path, tower); err != nil {
				return err
			}
			if err := errors.Join(os.MkdirAll(path, 0o755), os.Rename(tower, filepath.Join(path, "d"))); err != nil {
				return err
			}
		}
		return nil
	}
}

// set changes a value in a JSON file. A * in the path stands for each object of a
// list.
func set(name, field string, value any) plant {
	return func(v *victim) error {
		path := filepath.Join(v.clone, name)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var all any
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		value := v.filled(value)
		fields := strings.Split(field, ".")
		at := all
		for _, f := range fields[:len(fields)-1] {
			switch in := at.(type) {
			case map[string]any:
				at = in[f]
			case []any:
				i, err := strconv.Atoi(f)
				if err != nil {
					return err
				}
				at = in[i]
			}
		}
		in, ok := at.(map[string]any)
		if !ok {
			return fmt.Errorf("%s has no %s", name, field)
		}
		in[v.fill(fields[len(fields)-1])] = value
		if data, err = json.Marshal(all); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o644)
	}
}

// filled is a value with the placeholders in its texts replaced.
func (v *victim) filled(value any) any {
	switch x := value.(type) {
	case string:
		return v.fill(x)
	case []any:
		all := make([]any, len(x))
		for i := range x {
			all[i] = v.filled(x[i])
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for k := range x {
			all[v.fill(k)] = v.filled(x[k])
		}
		return all
	}
	return value
}

const stateFile = ".koda/state.json"

// state changes a value in the clone's state file.
func state(field string, value any) plant { return set(stateFile, field, value) }

// object adds a content to the versions' contents, and a file with that content to
// version 1.
func object(name, text string) plant {
	return func(v *victim) error {
		sum := digestOf([]byte(text))
		return errors.Join(put(".koda/versions/objects/"+sum[:2]+"/"+sum, text)(v), set(".koda/versions/v1.json", "files", map[string]any{
			name: sum, "koda.json": digest("koda.json")(v), "index.html": digest("index.html")(v),
		})(v))
	}
}

func digest(name string) func(v *victim) string {
	return func(v *victim) string {
		data, err := os.ReadFile(filepath.Join(v.clone, name))
		v.must(err)
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	}
}

// env writes a .env.
func env(lines ...string) plant { return put(".env", strings.Join(lines, "\n")+"\n") }

// program is a script that notes that it was run.
func program(name string) plant { return put(name, "#!/bin/sh\necho run > {home}/photos/run\n") }
