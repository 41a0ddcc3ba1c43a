package koda

import "time"

// Question is the one thing asked before planning. Options exclude each other
// and map directly onto animation parameters.
type Question struct {
	Text        string   `json:"text"`
	Options     []Option `json:"options"`
	CustomInput bool     `json:"customInput,omitempty"` // free text is an answer too
}

// Option is one answer offered.
type Option struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	// Recipe is the recipe that the option stands for, if any: its still shows it.
	Recipe string `json:"recipe,omitempty"`
}

// Answer is what the person chose: an option, or free text. The zero Answer
// means no question was asked.
type Answer struct {
	OptionID string `json:"optionId,omitempty"`
	Text     string `json:"text,omitempty"`
	// Asked and Meaning say what was asked, and what the option says; filled in when the
	// answer is taken.
	Asked   string `json:"asked,omitempty"`
	Meaning string `json:"meaning,omitempty"`
}

// Plan is what will be made, for the person to accept, modify or reject.
// Scenes tile TotalDuration without gaps, in order.
type Plan struct {
	Scenes        []Scene `json:"scenes"`
	TotalDuration float64 `json:"totalDuration"` // seconds
	Style         string  `json:"style"`
	FPS           FPS     `json:"fps"`
	// Video is the final video that the plan comes to, filled in by the engine. A plan
	// of an older koda lacks it.
	Video *PlanVideo `json:"video,omitempty"`
	// Width and Height are pixels of the page, if the person asked for others than those of the brief; else 0.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
	// Notes are sentences for the person: what could not be done, what was
	// understood. They are shown with the plan.
	Notes []string `json:"notes,omitempty"`
	// Unused is the note among Notes that says which words were not understood; "" if all were.
	Unused string `json:"unused,omitempty"`
	// Todos, if there are any, are the todos between setting up and finishing; else
	// each scene is a todo.
	Todos []PlanTodo `json:"todos,omitempty"`
	// Data is the author's own, opaque to everyone else (a recipe keeps its chosen
	// parameters here). It is journaled with the plan.
	Data map[string]string `json:"data,omitempty"`
}

// PlanVideo is the file that a plan comes to.
type PlanVideo struct {
	Width  int    `json:"width"` // pixels
	Height int    `json:"height"`
	FPS    FPS    `json:"fps"`
	Format string `json:"format"` // "mp4", "gif"
}

// Shape is the shape of the video in a word.
func (v PlanVideo) Shape() string {
	switch {
	case v.Height > v.Width:
		return "vertical"
	case v.Height == v.Width:
		return "square"
	}
	return "wide"
}

// Scene is one stretch of the plan: entry, hold and exit.
type Scene struct {
	Number         int     `json:"number"` // from 1
	Title          string  `json:"title"`
	Duration       float64 `json:"duration"` // seconds
	Description    string  `json:"description"`
	AnimationNotes string  `json:"animationNotes"`
	// Colors are those that this scene alone has, such as "#ffcf3f", the background first.
	Colors []string `json:"colors,omitempty"`
}

// PlanTodo is a todo of a plan.
type PlanTodo struct {
	Label string `json:"label"`           // for people: one line
	Task  string `json:"task,omitempty"`  // for the author: what to do
	Scene int    `json:"scene,omitempty"` // the number of its scene; 0: several scenes, or all
}

// TodoStatus is the progress of a todo.
type TodoStatus string

// The three states of a todo.
const (
	TodoPending TodoStatus = "pending"
	TodoActive  TodoStatus = "active"
	TodoDone    TodoStatus = "done"
)

// Todo is one step of the accepted plan.
type Todo struct {
	ID     string     `json:"id"`
	Label  string     `json:"label"`
	Status TodoStatus `json:"status"`
	// LeftOut is one sentence about why the author did not do the todo; "" if the author did. The
	// status of a todo that is left out is done, for nobody comes back to it.
	LeftOut string `json:"leftOut,omitempty"`
}

// Who says a message. The system is koda itself: it notes what happened to the
// project, such as the loss of a sandbox.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleSystem    = "system"
)

// Message is one line of the conversation. Messages stand in the order they were
// said; times may be equal, or go back with the clock.
type Message struct {
	ID        string    `json:"id"`
	Role      string    `json:"role"` // RoleUser, RoleAssistant or RoleSystem
	Content   string    `json:"content"`
	Timestamp time.Time `json:"timestamp"`
}

// MaxMessage is the longest message of a person, in bytes. A longer text is data,
// not a wish.
const MaxMessage = 64 << 10

// Heard is the answer to something said while the work goes on: the todo it became.
type Heard struct {
	Todo Todo `json:"todo"`
}

// Revision is what was asked, answered and planned before, and what the person said
// of it. It is given to an author that is asked again.
type Revision struct {
	Question *Question `json:"question,omitempty"`
	Answer   Answer    `json:"answer"`
	Plan     *Plan     `json:"plan,omitempty"`
	Feedback string    `json:"feedback,omitempty"`
	// Before is the plan that stood before Plan, for a person who goes back; nil if
	// Plan is the first. The engine adds it.
	Before *Plan `json:"before,omitempty"`
}

// TaskKind says what an author is asked to do.
type TaskKind string

// The kinds of task. Setup is a plan's first todo. The plan's scenes, or its own
// todos, follow in order. Finish is the author's last todo. Change is an edit asked
// for later.
const (
	TaskSetup  TaskKind = "setup"
	TaskScene  TaskKind = "scene"
	TaskTodo   TaskKind = "todo"
	TaskFinish TaskKind = "finish"
	TaskChange TaskKind = "change"
	// TaskUpdate brings the project to the recipe of this koda.
	TaskUpdate TaskKind = "update"
)

// Asked reports whether a person asks for such a task when there is a video already, so
// that the author may refuse it.
func (k TaskKind) Asked() bool { return k == TaskChange || k == TaskUpdate }

// Task is one piece of work for an author: a todo of the plan, or a change.
type Task struct {
	Kind    TaskKind `json:"kind"`
	Todo    Todo     `json:"todo"`
	Scene   int      `json:"scene,omitempty"`   // number of the scene, for TaskScene and some of TaskTodo
	Message string   `json:"message,omitempty"` // what the person said, for TaskChange; what the plan says, for TaskTodo
	Brief   Brief    `json:"brief"`
	Answer  Answer   `json:"answer"`
	Plan    Plan     `json:"plan"`
	// Messages is the whole conversation at the time the todo began, oldest first. What of it
	// a model is told is up to the author.
	Messages []Message `json:"messages,omitempty"`
	// Files are the files of the current version, with what is known of them.
	Files []FileNote `json:"files,omitempty"`
	// HandEdited lists files the person changed since the last preview.
	// They win: the author builds on them.
	HandEdited []string `json:"handEdited,omitempty"`
}

// FileNote says what a file of the project is for.
type FileNote struct {
	Path        string `json:"path"`
	Description string `json:"description"` // may be empty
}

// Seen says at which turn and version a project stood when a person saw what they now
// decide on. The zero value stands for whatever is there.
type Seen struct {
	Turn    int `json:"turn"`
	Version int `json:"version"`
}

// Turn is one input of the person and everything that follows until koda waits
// again.
type Turn struct {
	ID        string    `json:"id"`
	ProjectID string    `json:"projectId"`
	Number    int       `json:"number"` // from 1
	Kind      string    `json:"kind"`   // "new", "answer", "accept", "reject", "edit", "update", "retry", "undo", "redo", "checkout", "fork", "ask", "agent"
	Input     string    `json:"input"`
	Status    string    `json:"status"` // "running", "completed", "failed"
	StartedAt time.Time `json:"startedAt"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
	// Error is why the turn failed, or why the author refused; it stays.
	Error *Failure `json:"error,omitempty"`
	Cost  Cost     `json:"cost,omitzero"` // of the models asked in the turn
}

// BlockType is the kind of thing a block records.
type BlockType string

// The kinds of block.
const (
	BlockMessage  BlockType = "message"
	BlockModel    BlockType = "model"
	BlockTool     BlockType = "tool"
	BlockFile     BlockType = "file"
	BlockRender   BlockType = "render"
	BlockQuestion BlockType = "question"
	BlockPlan     BlockType = "plan"
	BlockError    BlockType = "error"
	BlockLine     BlockType = "line" // of an outside agent, as it came
)

// Block is one recorded thing in a turn.
type Block struct {
	ID        string    `json:"id"`
	TurnID    string    `json:"turnId"`
	Number    int       `json:"number"` // from 1 within its turn
	Type      BlockType `json:"type"`
	Content   any       `json:"content"` // JSON-marshalable
	CreatedAt time.Time `json:"createdAt"`
}

// Version is the project's files at the end of a turn that changed files. A version
// never changes: a change of it is another version, whose Parent it is.
type Version struct {
	Number    int               `json:"number"`           // v1, v2, …, in the order they were made
	Parent    int               `json:"parent,omitempty"` // the version it was made from, 0: none
	TurnID    string            `json:"turnId,omitempty"`
	Prompt    string            `json:"prompt"` // what was asked
	Author    string            `json:"author"` // "recipe", "model" or AuthorPerson
	Phase     Phase             `json:"phase"`  // where the project stood
	Files     map[string]string `json:"files"`  // slash path → hex SHA-256 of the content
	CreatedAt time.Time         `json:"createdAt"`

	Model string   `json:"model,omitempty"` // the model's name, of author "model"; several with commas between
	Own   []string `json:"own,omitempty"`   // names of the texts for models that the person replaced
	// PromptDigest is the hex SHA-256 of everything the author was given: brief,
	// answer, plan and conversation. RuntimeDigest is the digest of the page
	// runtime the version was made for. Both are empty in versions made before they
	// were recorded.
	PromptDigest  string  `json:"promptDigest,omitempty"`
	RuntimeDigest string  `json:"runtimeDigest,omitempty"`
	Cost          Cost    `json:"cost"`
	Origin        *Origin `json:"origin,omitempty"` // of the first version of a fork
}

// AuthorPerson is the author of versions people made by editing files.
const AuthorPerson = "you"

// Origin says which version of which project another project began with.
type Origin struct {
	ProjectID string `json:"projectId"`
	Name      string `json:"name"`
	Dir       string `json:"dir"` // absolute, where the project was then
	Version   int    `json:"version"`
}
