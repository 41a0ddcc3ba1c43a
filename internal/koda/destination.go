package koda

import (
	"path/filepath"
	"strings"
)

// Destination is where the person wants final videos, beside the renders of the
// project: a file, or a directory for several files. Only the person names a
// destination. A destination in a project's directory counts for nothing, as the
// directory may be a clone.
type Destination struct {
	Path      string `json:"path"` // absolute; a file without an ending gets the ending of its format
	Dir       bool   `json:"dir,omitempty"`
	NoClobber bool   `json:"noClobber,omitempty"` // another file at the path stays
}

// Format is the format that the name of the file asks for; "" when the name asks
// for no format.
func (d *Destination) Format() string {
	if d == nil || d.Dir {
		return ""
	}
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(d.Path), "."))
}

// File is where a video goes. Name is the name of the video in a directory, without
// the ending.
func (d *Destination) File(name, format string) string {
	switch {
	case d.Dir:
		return filepath.Join(d.Path, name+"."+format)
	case filepath.Ext(d.Path) == "":
		return d.Path + "." + format
	}
	return d.Path
}
