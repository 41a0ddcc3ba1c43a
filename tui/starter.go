package tui

import "context"

// Starter is what the studio asks before there is a project: what a new video can be made
// of, and whether this machine can make one.
type Starter interface {
	// Fields are what can be said of a new video beside its prompt, in the order of the
	// form.
	Fields(ctx context.Context) ([]Field, error)
	// Files lists the files that a path can become which is being typed: at most some
	// hundreds of them, the likely first. Hidden files are left out unless the path asks for
	// them.
	Files(ctx context.Context, typed string) ([]File, error)
	// CheckFile says why a field cannot take a file: the file does not exist, or it is no file of
	// the field's kind. Nil: the field can take it.
	CheckFile(ctx context.Context, field, path string) error
	// Machine says what this machine lacks. It is quick.
	Machine(ctx context.Context) (Machine, error)
}

// Brief is what a person asks for on the screen of a new video.
type Brief struct {
	// Prompt may name files: @sales.csv, or @"my sales.csv".
	Prompt string
	// Values are those of the fields, by name. If it is nil, every field is as it was at
	// first.
	Values map[string][]string
}

// Field is one line of the form of a new video.
type Field struct {
	Name  string // "recipe"
	About string // one sentence
	None  string // what it means to leave the field empty: "koda chooses"
	// Files is how many files the field takes; 0: it takes one of the options.
	Files   int
	Options []Option
	Own     bool     // words that are no option are fine as well
	Value   []string // at first
}

// Option is one value of a field.
type Option struct {
	Value   string
	Label   string // a few words; "": the value
	About   string // one sentence
	Example string // a prompt
	Recipe  string // whose picture shows the option; "" none
}

// File is a file that can be brought into a video, or a directory.
type File struct {
	Path  string // as a person would type it
	Dir   bool
	Field string // the field that takes it
}

// Machine is what this machine lacks for making videos.
type Machine struct {
	Needs []Need // none: all is there
	Note  string // one sentence about what is not needed
}

// Need is a program that is missing.
type Need struct {
	Name string   // "ffmpeg"
	For  string   // what koda needs it for
	Why  string   // what was found instead
	Fix  []string // commands and steps, in order
	Runs bool     // Fix holds nothing but commands that Install may run
}
