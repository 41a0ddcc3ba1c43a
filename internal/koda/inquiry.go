package koda

// Inquiry is a question about a project. Models answer it, where they are named, in place
// of the models of the project. Commits are the commits that led to the files of the
// project, one line each, the latest first, if the files come from a commit.
type Inquiry struct {
	Text    string   `json:"text"`
	Models  Models   `json:"models,omitzero"`
	Commits []string `json:"commits,omitempty"`
}

// Dossier is what an author is given with an inquiry, beside the files of the project.
type Dossier struct {
	Inquiry
	Project  Project
	Brief    Brief
	Plan     *Plan
	Version  int        // the current one; 0 before the first
	Messages []Message  // what was said, in order
	Files    []FileNote // what is known of the files
	Versions []Version
	Turns    []Turn
	Cost     Cost // of the models so far
}
