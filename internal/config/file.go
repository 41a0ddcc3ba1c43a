package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// fileName is the name of settings files: the person's and the project's.
const fileName = "config.json"

// UserFile is the person's settings file, which [Sources.Set] writes. The file may not
// exist. It is config.json in $KODA_HOME if the person sets that variable, otherwise
// below $XDG_CONFIG_HOME/koda. If nothing says where the file is, UserFile fails.
func (s Sources) UserFile() (string, error) {
	if home := s.homeSaid(); home != "" {
		return filepath.Join(home, fileName), nil
	}
	return s.xdgFile()
}

func (s Sources) xdgFile() (string, error) {
	dir, err := s.xdg("XDG_CONFIG_HOME", ".config")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "koda", fileName), nil
}

// userFiles are the person's settings files, the strongest first. The file in a home of
// its own adds to the settings that the person has everywhere.
func (s Sources) userFiles() []string {
	var files []string
	if file, err := s.UserFile(); err == nil { // without a home there is no file
		files = append(files, file)
	}
	if file, err := s.xdgFile(); err == nil && !slices.Contains(files, file) {
		files = append(files, file)
	}
	return files
}

// homeSaid is koda's home as the command line or the environment sets it. It never comes
// from a file of a directory, because such a file must not move the person's own data.
func (s Sources) homeSaid() string {
	set, err := Find("home")
	if err != nil {
		return ""
	}
	value := s.Flags[set.Name]
	if value == "" {
		var ok bool
		if value, ok = s.Env(set.Env); !ok || value == "" {
			return ""
		}
	}
	return s.absolute(set, value, s.Dir)
}

// Set validates a value, writes it into the person's settings file, and returns the
// file's path. Relative paths are written as absolute paths. Settings that koda does not
// know stay in the file. Only the owner can read the file. It is replaced as a whole:
// after a crash it is the old file or the new file.
func (s Sources) Set(name, value string) (file string, err error) {
	set, err := Find(name)
	if err != nil {
		return "", err
	}
	if value == "" {
		return "", &koda.Error{
			Code: koda.CodeUsage, Op: "setting " + set.Name + " cannot be empty",
			Hint: "use " + ifAny(set.choices, "a value"),
		}
	}
	if err := s.Offers.Check(set.Name, value, "command line"); err != nil {
		return "", err
	}
	text, err := json.Marshal(s.absolute(set, value, s.Dir))
	if err != nil {
		return "", fmt.Errorf("encode setting: %w", err)
	}
	return s.edit(func(values map[string]json.RawMessage) { values[set.Name] = text })
}

// Unset removes a setting from the person's settings file and returns the file's path. If
// the setting is not in the file, that is not an error.
func (s Sources) Unset(name string) (file string, err error) {
	set, err := Find(name)
	if err != nil {
		return "", err
	}
	return s.edit(func(values map[string]json.RawMessage) { delete(values, set.Name) })
}

func (s Sources) edit(change func(map[string]json.RawMessage)) (string, error) {
	file, err := s.UserFile()
	if err != nil {
		return "", err
	}
	values, err := s.readFile(file)
	if err != nil {
		return "", err
	}
	before := maps.Clone(values)
	change(values)
	if maps.EqualFunc(before, values, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return file, nil
	}
	data, err := json.MarshalIndent(values, "", "  ")
	if err != nil {
		return "", fmt.Errorf("encode settings: %w", err)
	}
	return file, save(file, data)
}

// save writes a file that only the person can read.
func save(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("make settings directory: %w", err)
	}
	if err := atomicfile.Write(target(file), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	return nil
}

// target follows links. Some people keep their settings file elsewhere, under version
// control: then the file is changed there, and the link stays.
func target(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	return file
}

// readFile reads a JSON object; a missing file counts as an empty object.
func (s Sources) readFile(file string) (map[string]json.RawMessage, error) {
	data, err := s.ReadFile(file)
	if absent(err) {
		return map[string]json.RawMessage{}, nil
	}
	if err != nil {
		return nil, &koda.Error{Code: koda.CodeUsage, Op: "read settings", Err: err, Hint: "make the file readable, or move it away"}
	}
	return parseFile(file, data)
}

// parseFile reads the text of a settings file.
func parseFile(file string, data []byte) (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(data)) == 0 {
		return values, nil
	}
	if err := json.Unmarshal(data, &values); err != nil || values == nil {
		return nil, &koda.Error{
			Code: koda.CodeUsage, Op: "read settings " + place(file, data, err),
			Err:  orDefault(err, errors.New("not a JSON object")),
			Hint: `the file is a JSON object of texts: {"storage-path": "/home/me/videos"}`,
		}
	}
	return values, nil
}

// place gives file:line:column of a mistake in JSON.
func place(file string, data []byte, err error) string {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return file
	}
	before := data[:min(int(syntax.Offset), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n') - 1
	return fmt.Sprintf("%s:%d:%d", file, line, max(column, 1))
}

func orDefault(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func ifAny(choices []string, otherwise string) string {
	if len(choices) > 0 {
		return list(choices)
	}
	return otherwise
}
