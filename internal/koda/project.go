package koda

import (
	"cmp"
	"regexp"
	"strings"
	"time"
)

// SchemaVersion is the number written as "schema" into koda.json, state.json
// and every event envelope.
const SchemaVersion = 1

// LocalUser is the one user of a self-hosted koda.
const LocalUser = "local"

// Phase is where a project stands. Package phase owns its transitions.
type Phase string

// The seven phases. No phase is terminal: a complete project takes edits, a failed
// project can be retried.
const (
	PhaseIdle      Phase = "idle"
	PhaseQuestion  Phase = "question"
	PhasePlan      Phase = "plan"
	PhaseExecuting Phase = "executing"
	PhasePreview   Phase = "preview"
	PhaseComplete  Phase = "complete"
	PhaseError     Phase = "error"
)

// Project is one animation: a directory people own, plus its rows in the
// database. The directory may move; ID stays.
type Project struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Dir         string    `json:"dir"` // absolute
	UserID      string    `json:"userId"`
	Phase       Phase     `json:"phase"`
	Prompt      string    `json:"prompt"`
	Author      string    `json:"author"`      // "recipe" or "model"
	SandboxType string    `json:"sandboxType"` // "local", "docker"
	Seq         int64     `json:"seq"`         // number of the project's last durable event
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
	// Gone is set in lists when the directory is not there any more.
	Gone bool `json:"gone,omitempty"`
	// Interrupted is set in lists when the project has work to do and no process does it.
	Interrupted bool `json:"interrupted,omitempty"`
}

// Manifest is koda.json, the file at a project's root that fulfils the page
// contract. Width and Height are CSS pixels of the page's viewport. FPS is a frame
// rate, written as a number or as "30000/1001". Duration is in seconds. Scenes may
// be missing. Videos are cut into segments where scenes start, so that a changed
// scene is drawn again without the other scenes. Play says that the page plays by
// itself; see Page.Plays.
type Manifest struct {
	Schema   int          `json:"schema"`
	Name     string       `json:"name"`
	Width    int          `json:"width"`
	Height   int          `json:"height"`
	FPS      FPS          `json:"fps"`
	Duration float64      `json:"duration"`
	Play     bool         `json:"play,omitempty"`
	Scenes   []SceneStart `json:"scenes,omitempty"`
}

// Brief is what the person asked for, with everything given in advance. A zero
// value means that the person did not say.
type Brief struct {
	Prompt   string            `json:"prompt"`
	Style    string            `json:"style,omitempty"`    // style id, or free text
	Duration float64           `json:"duration,omitempty"` // seconds; 0: the author decides
	Preset   string            `json:"preset,omitempty"`   // output preset of the final video
	Presets  []string          `json:"presets,omitempty"`  // output presets of further final videos
	To       *Destination      `json:"to,omitempty"`       // where the next final videos are put as well
	Author   string            `json:"author,omitempty"`   // "recipe" or "model"
	Recipe   string            `json:"recipe,omitempty"`   // recipe that the person named
	Models   Models            `json:"models,omitzero"`    // the models that the author asks
	Params   map[string]string `json:"params,omitempty"`   // --set name=value
	// Data is what --data, or a file named in the prompt, holds, as internal/dataset
	// encodes it: at most a thousand rows. Nothing needs the file again.
	Data   string  `json:"data,omitempty"`
	Assets []Asset `json:"assets,omitempty"`
	Width  int     `json:"width"`         // CSS pixels of the page; always set
	Height int     `json:"height"`        // likewise
	FPS    FPS     `json:"fps"`           // of the final video; always set
	Yes    bool    `json:"yes,omitempty"` // every approval is given in advance
}

// Models says which models an author asks, and where. A project goes on with the models
// that it began with. No key is ever here.
type Models struct {
	Model   string `json:"model,omitempty"`   // provider/name; "": none is chosen
	Planner string `json:"planner,omitempty"` // asked for question and plan; "": Model
	BaseURL string `json:"baseUrl,omitempty"` // where the service of Model is; "": where its provider is
	// Elsewhere is the model of a project that came from elsewhere, where none is chosen
	// here. It is for people to read; it is never asked.
	Elsewhere string `json:"elsewhere,omitempty"`
}

// nameOfModel is a name that may be told and typed: a project from elsewhere may say anything.
var nameOfModel = regexp.MustCompile(`^[a-z]{1,20}/\w[\w.:@/-]{0,99}$`)

// Left is what is left of models where somebody else may have chosen them: a name to read.
func (m Models) Left() Models {
	if name := cmp.Or(m.Model, m.Elsewhere); nameOfModel.MatchString(name) {
		return Models{Elsewhere: name}
	}
	return Models{}
}

// With is m with what a person names now. The address of one provider is not that of
// another.
func (m Models) With(now Models) Models {
	was, _, _ := strings.Cut(m.Model, "/")
	if is, _, _ := strings.Cut(now.Model, "/"); now.Model != "" && is != was {
		m.BaseURL = ""
	}
	all := Models{Model: cmp.Or(now.Model, m.Model), Planner: cmp.Or(now.Planner, m.Planner), BaseURL: cmp.Or(now.BaseURL, m.BaseURL)}
	if all.Model == "" {
		all.Elsewhere = m.Elsewhere
	}
	return all
}

// String names the models for people.
func (m Models) String() string {
	text := m.Model
	if m.BaseURL != "" {
		text += " at " + m.BaseURL
	}
	if m.Planner != "" {
		text += ", planned by " + m.Planner
	}
	return text
}

// Asset is a file the person brought. Its content lies in the project
// directory under Path from the moment the project exists.
type Asset struct {
	ID     string `json:"id"`
	Name   string `json:"name"` // base name as given
	Kind   string `json:"kind"` // "image", "audio" or "data"
	Path   string `json:"path"` // slash-separated, e.g. "public/images/logo.png"
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}
