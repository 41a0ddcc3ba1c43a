package phase

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Event is something that happened to a project. Every event is in the table of
// kinds; its readers know only what Told says.
type Event interface {
	stamp() Stamp
	Told() Told
}

// Stamp is when an event happened. Auto marks a decision that follows from an
// approval given in advance: such an event continues the turn instead of beginning
// a new turn.
type Stamp struct {
	At   time.Time `json:"at"`
	Auto bool      `json:"auto,omitempty"`
}

func (s Stamp) stamp() Stamp { return s }

// What the person does.
type (
	// Began starts a project.
	Began struct {
		Stamp
		ProjectID string     `json:"projectId"`
		UserID    string     `json:"userId,omitempty"` // "" is the local user
		Brief     koda.Brief `json:"brief"`
	}
	// Answered answers the question.
	Answered struct {
		Stamp
		Answer koda.Answer `json:"answer"`
	}
	// Accepted accepts the plan or the preview.
	Accepted struct{ Stamp }
	// Rejected turns the plan or the preview down. A preview is only rejected with
	// feedback to act on.
	Rejected struct {
		Stamp
		Feedback string `json:"feedback"`
	}
	// Modified asks for another plan.
	Modified struct {
		Stamp
		Text string `json:"text"`
	}
	// Messaged says something while the work goes on.
	Messaged struct {
		Stamp
		Text string `json:"text"`
	}
	// Edited asks for a change of a video; Task, if it is set, for another task than a
	// change.
	Edited struct {
		Stamp
		Text string        `json:"text"`
		Task koda.TaskKind `json:"task,omitempty"`
	}
	// Inquired asks a question about the project. It changes no phase, and what was
	// pending goes on after the answer.
	Inquired struct {
		Stamp
		koda.Inquiry
	}
	// Retried goes on where the project failed.
	Retried struct{ Stamp }
	// Chosen says which presets get a final video, where the videos are put as well,
	// and which models the author asks from now on. An empty field leaves the earlier
	// choice as it was.
	Chosen struct {
		Stamp
		Presets []string          `json:"presets,omitempty"`
		To      *koda.Destination `json:"to,omitempty"`
		Models  koda.Models       `json:"models,omitzero"`
	}
	// Approved gives every further approval in advance, or takes the approval back.
	Approved struct {
		Stamp
		Yes bool `json:"yes"`
	}
	// Saved keeps files that are in no version yet, such as the person's own
	// changes, as a version.
	Saved struct {
		Stamp
		Version int `json:"version"`
	}
	// Suspended says that everything is in the project directory and the sandbox
	// was put away. The next work that needs a sandbox makes a new one.
	Suspended struct{ Stamp }
	// Undone goes back to the question or the plan before. It is possible until a plan
	// is accepted; later CheckedOut goes to versions.
	Undone struct{ Stamp }
	// Redone comes back from an Undone.
	Redone struct{ Stamp }
	// CheckedOut makes another version the current one. Preview and Output are the
	// videos of that version, nil where there is no such video. Undone are the
	// versions that a redo can come back to from there.
	CheckedOut struct {
		Stamp
		Version     int           `json:"version"`
		Undone      []int         `json:"undone,omitempty"`
		Preview     *koda.Preview `json:"preview,omitempty"`
		Output      *koda.Output  `json:"output,omitempty"`
		CompletedAt time.Time     `json:"completedAt,omitzero"` // time of Output
	}
	// Forked starts a project with a version of another project. Of is the state of
	// the other project. Without Origin the project starts with the files that are
	// there.
	Forked struct {
		Stamp
		ProjectID string      `json:"projectId"`
		UserID    string      `json:"userId,omitempty"` // "" is the local user
		Origin    koda.Origin `json:"origin"`
		Until     time.Time   `json:"until"` // when that version was made
		Of        State       `json:"of"`
	}
	// Unsaved says that a checkpoint failed and work goes on. Note is what the
	// conversation keeps about it.
	Unsaved struct {
		Stamp
		Failure koda.Failure `json:"failure"`
		Note    string       `json:"note"`
	}
	// Logged takes down what an outside agent did: Steps of its log, which belong to the
	// turn of this Number. The log of a run counts its steps, so that none is taken twice.
	Logged struct {
		Stamp
		Run    string `json:"run"`
		Number int    `json:"number"`
		Begins bool   `json:"begins,omitempty"`
		Steps  int    `json:"steps"`
		Blocks int    `json:"blocks,omitempty"`
		Status string `json:"status,omitempty"` // with which the turn ends; "": it goes on
		Over   bool   `json:"over,omitempty"`   // so does the log
	}
	// Rendered is a video the person asked for beside the work. It changes nothing
	// but the journal.
	Rendered struct{ Stamp }
)

// The outcomes of effects.
type (
	// Asked is a question of the author.
	Asked struct {
		Stamp
		Question koda.Question `json:"question"`
	}
	// Clear says that no question is needed.
	Clear struct{ Stamp }
	// Declined says, in place of a question or of a plan, that no animation was asked for.
	Declined struct {
		Stamp
		Failure koda.Failure `json:"failure"`
	}
	// Replied is the answer to an inquiry.
	Replied struct {
		Stamp
		Text string `json:"text"`
	}
	// Unanswered says why an inquiry has no answer.
	Unanswered struct {
		Stamp
		Failure koda.Failure `json:"failure"`
	}
	// Planned is a plan of the author.
	Planned struct {
		Stamp
		Plan koda.Plan `json:"plan"`
	}
	// SandboxReady names the living sandbox.
	SandboxReady struct {
		Stamp
		SandboxID string `json:"sandboxId"`
	}
	// Worked says that the active todo is done and its files checkpointed.
	Worked struct{ Stamp }
	// Refused says that the author cannot do what was asked: the change or the new
	// plan is dropped. Keep: a complete project keeps its sandbox.
	Refused struct {
		Stamp
		Failure koda.Failure `json:"failure"`
		Keep    bool         `json:"keep,omitempty"`
	}
	// Versioned says that the files are safe as the version.
	Versioned struct {
		Stamp
		Version int `json:"version"`
	}
	// Placed says that the files of the current version are in place.
	Placed struct {
		Stamp
		Version int `json:"version"`
	}
	// Imported says that the files of Origin are safe as the version.
	Imported struct {
		Stamp
		Version int `json:"version"`
	}
	// Previewed is a preview ready to be shown.
	Previewed struct {
		Stamp
		Preview koda.Preview `json:"preview"`
	}
	// Finished is a final video, published. Keep: the sandbox is kept for a change
	// that may follow, until the project is Suspended; else the sandbox is given
	// back now.
	Finished struct {
		Stamp
		Output koda.Output `json:"output"`
		Keep   bool        `json:"keep,omitempty"`
	}
	// Released says that the sandbox was given back.
	Released struct{ Stamp }
	// Failed ends the pending effect without an outcome.
	Failed struct {
		Stamp
		Failure koda.Failure `json:"failure"`
	}
)

// What happens in the middle of an effect.
type (
	// TodoMarked is a todo's new status.
	TodoMarked struct {
		Stamp
		TodoID string          `json:"todoId"`
		Status koda.TodoStatus `json:"status"`
	}
	// Said is a message of the author.
	Said struct {
		Stamp
		Text string `json:"text"`
	}
	// Wrote says that a file was written, or deleted.
	Wrote struct {
		Stamp
		Path    string `json:"path"`
		Size    int64  `json:"size"`
		Deleted bool   `json:"deleted,omitempty"`
	}
	// HandEdited names files the person changed: the author hears of them with
	// every todo up to the next preview.
	HandEdited struct {
		Stamp
		Paths []string `json:"paths"`
	}
	// SandboxLost says that the sandbox was gone when it was needed. Note is what
	// the conversation keeps about it.
	SandboxLost struct {
		Stamp
		Note string `json:"note"`
	}
	// SandboxMoved names the sandbox that replaced another sandbox in the middle of
	// an effect.
	SandboxMoved struct {
		Stamp
		SandboxID string `json:"sandboxId"`
	}
	// Called is an answered call that changed nothing else. A call of a model says
	// which model it was, and what the call cost. Texts is the digest of what the model is
	// told in every project, and Own are the names of the texts in it that the person
	// replaced.
	Called struct {
		Stamp
		Model string    `json:"model,omitempty"`
		Cost  koda.Cost `json:"cost,omitzero"`
		Texts string    `json:"texts,omitempty"`
		Own   []string  `json:"own,omitempty"`
	}
	// Checkpointed says that everything so far is in the project directory.
	Checkpointed struct{ Stamp }
)

// class says when an event is possible.
type class int

const (
	beginning class = iota + 1 // before all others
	acting                     // what a person does while nothing is pending; it begins a turn
	aside                      // what is possible at any time
	during                     // in the middle of an effect
	outcome                    // the end of an effect
)

// kind is everything about an event except what the event does to the state.
type kind struct {
	name  string
	class class
	ends  string // the effect whose outcome the event is; "" for an outcome of several effects
	read  func([]byte) (Event, error)
}

// kinds are all events by name. An event that is not in the table cannot happen.
var kinds = byName(
	of[Began](beginning, ""), of[Forked](beginning, ""),
	of[Answered](acting, ""), of[Accepted](acting, ""), of[Rejected](acting, ""), of[Modified](acting, ""),
	of[Edited](acting, ""), of[Inquired](acting, ""), of[Retried](acting, ""), of[Undone](acting, ""), of[Redone](acting, ""), of[CheckedOut](acting, ""),
	of[Messaged](aside, ""), of[Approved](aside, ""), of[Chosen](aside, ""), of[HandEdited](aside, ""),
	of[Saved](aside, ""), of[Suspended](aside, ""), of[Unsaved](aside, ""), of[Rendered](aside, ""), of[Logged](aside, ""),
	of[TodoMarked](during, ""), of[Said](during, ""), of[Wrote](during, ""), of[Called](during, ""),
	of[Checkpointed](during, ""), of[SandboxLost](during, ""), of[SandboxMoved](during, ""),
	of[Asked](outcome, EffectClarify), of[Clear](outcome, EffectClarify), of[Declined](outcome, ""),
	of[Planned](outcome, EffectPlan), of[SandboxReady](outcome, EffectSandbox), of[Worked](outcome, EffectWork),
	of[Versioned](outcome, EffectVersion), of[Placed](outcome, EffectPlace), of[Imported](outcome, EffectFork),
	of[Previewed](outcome, EffectPreview), of[Finished](outcome, EffectFinal), of[Released](outcome, EffectRelease),
	of[Replied](outcome, EffectInquire), of[Unanswered](outcome, EffectInquire),
	of[Refused](outcome, ""), of[Failed](outcome, ""),
)

func of[E Event](c class, ends string) kind {
	var zero E
	return kind{name: Name(zero), class: c, ends: ends, read: func(data []byte) (Event, error) {
		var ev E
		if err := json.Unmarshal(data, &ev); err != nil {
			return nil, fmt.Errorf("decode %s: %w", Name(ev), err)
		}
		return ev, nil
	}}
}

func byName(all ...kind) map[string]kind {
	m := map[string]kind{}
	for _, k := range all {
		m[k.name] = k
	}
	return m
}

// Name is the word that names an event in the journal and in tests.
func Name(ev Event) string {
	_, name, _ := strings.Cut(fmt.Sprintf("%T", ev), ".")
	return name
}

// Encode gives the journal's form of an event.
func Encode(ev Event) (json.RawMessage, error) {
	body, err := json.Marshal(ev)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", Name(ev), err)
	}
	return json.Marshal(struct {
		Name string          `json:"name"`
		Body json.RawMessage `json:"body"`
	}{Name(ev), body})
}

// Decode reads what Encode wrote.
func Decode(data json.RawMessage) (Event, error) {
	var env struct {
		Name string
		Body json.RawMessage
	}
	if err := json.Unmarshal(data, &env); err != nil {
		return nil, fmt.Errorf("decode event: %w", err)
	}
	k, ok := kinds[env.Name]
	if !ok {
		return nil, fmt.Errorf("decode event: unknown name %q", env.Name)
	}
	return k.read(env.Body)
}
