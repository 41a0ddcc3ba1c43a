package tui

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// story is what the events of a project tell. It is made of events alone: the numbered
// events of the journal, told again, make the same story, apart from what passes.
// A story is a value: learn returns the next one.
type story struct {
	project string
	seq     int64 // of the newest numbered event
	todos   []koda.Todo
	asked   []string // ids of todos that the person asked for, and the author has not taken in
	told    []entry
	next    int // number of the next entry

	// What passes.
	thinking string
	building string // the step of the image that is built before the first todo
	streamed string // the text of a model, as far as it came
	using    string // the tool a model is about to use
	spent    koda.Cost
	render   *koda.Progress
	moved    time.Time // when the render last moved
	glimpse  glimpse
}

// entry is one thing that happened.
type entry struct {
	number int
	kind   entryKind
	head   string
	body   string // shown when the entry is open; of a message, all of it
	tool   string
	about  string   // the path or the command of the tool, or the path of the file
	size   int64    // of the files, in bytes
	paths  []string // of several files that are one entry
}

type entryKind int

// The kinds of entries.
const (
	entrySaid entryKind = iota // by the author
	entryAsked
	entryNoted // by koda
	entryFile
	entryTool
	entryMade
	entryWrong
)

// opens reports whether an entry can be opened: it has more than its head.
func (e entry) opens() bool { return e.head != "" && e.body != "" }

// glimpse is a frame drawn just now.
type glimpse struct {
	img image.Image
	at  float64
}

const (
	keptEntries = 200      // that stay on the screen's mind
	mostBody    = 64 << 10 // bytes of several uses of a tool, or of several files, in one entry
	mostFiles   = 3        // files in a row that are entries of their own; those before them are one entry
)

// retell is the story of the numbered events of a project.
func retell(project string, events []koda.Event) story {
	s := story{project: project}
	for _, ev := range events {
		s = s.learn(ev, nil)
	}
	return s
}

// learn takes an event in. Picture is the picture of a glimpse. Numbered events that the
// story has already are left out.
func (s story) learn(ev koda.Event, picture image.Image) story {
	if ev.Seq > 0 {
		if ev.Seq <= s.seq {
			return s
		}
		s.seq = ev.Seq
	}
	switch p := ev.Payload.(type) {
	case koda.StateChange:
		if x := p.State.Execution; x != nil {
			s.todos = slices.Clone(x.Todos)
			s.asked = s.waiting()
		}
	case koda.TodoUpdate:
		s = s.mark(p)
	case koda.MessageAdded:
		s = s.message(p)
	case koda.FileWritten:
		s = s.file(p)
	case koda.Versioned:
		s = s.add(entryMade, fmt.Sprintf("v%d: %d files", p.Version, p.Files), "")
	case koda.CheckedOut:
		s = s.add(entryMade, fmt.Sprintf("the files are those of v%d", p.Version), "")
	case koda.PreviewReady:
		s.render, s.glimpse = nil, glimpse{}
		s = s.add(entryMade, "preview: "+p.URL, "")
	case koda.OutputReady:
		s.render, s.glimpse = nil, glimpse{}
		s = s.add(entryMade, "video: "+p.URL, "")
	case koda.ErrorRaised:
		s.render, s.glimpse, s.building = nil, glimpse{}, ""
		s = s.add(entryWrong, p.Message, p.Hint)
	default:
		s = s.pass(ev, picture)
	}
	return s
}

// pass takes a passing event in.
func (s story) pass(ev koda.Event, picture image.Image) story {
	switch p := ev.Payload.(type) {
	case koda.Thinking:
		s.thinking = p.Message
	case koda.BuildStep:
		s.building = "Building " + widget.Line(p.Image)
		if p.Text != "" {
			s.building += ": " + widget.Line(p.String())
		}
	case koda.SandboxChanged:
		if p.Note != "" {
			s = s.add(entryMade, p.Note, "")
		}
	case koda.TextDelta:
		if p.Again {
			s.streamed, s.using = "", ""
		}
		s.streamed += p.Text
		s.streamed = s.streamed[max(len(s.streamed)-koda.MaxMessage, 0):]
		if p.Tool != "" {
			s.using = p.Tool
		}
		if p.Thinking != "" {
			s.thinking = widget.Line(p.Thinking)
		}
	case koda.ToolUsed:
		s = s.tool(p)
	case koda.Usage:
		s.spent = s.spent.Plus(p.Cost)
	case koda.Warned:
		s = s.add(entryWrong, p.Message, "")
	case koda.Glimpse:
		if picture != nil {
			s.glimpse = glimpse{picture, p.Time}
		}
	case koda.Progress:
		if was := s.render; was == nil || was.Frame != p.Frame || was.Passed != p.Passed || was.Stage != p.Stage || was.Kind != p.Kind {
			s.moved = ev.At
		}
		s.render = &p
	}
	return s
}

// waiting are the todos asked for that nobody has begun.
func (s story) waiting() []string {
	return slices.DeleteFunc(slices.Clone(s.asked), func(id string) bool {
		return !slices.ContainsFunc(s.todos, func(t koda.Todo) bool { return t.ID == id && t.Status == koda.TodoPending })
	})
}

// mark takes the progress of a todo in. A todo that comes while others are done was asked
// for by the person.
func (s story) mark(u koda.TodoUpdate) story {
	s.building = ""
	s.todos = slices.Clone(s.todos)
	i := slices.IndexFunc(s.todos, func(t koda.Todo) bool { return t.ID == u.TodoID })
	if i < 0 {
		s.todos = append(s.todos, koda.Todo{ID: u.TodoID, Label: u.Label, Status: u.Status, LeftOut: u.LeftOut})
		if u.Status == koda.TodoPending {
			s.asked = append(slices.Clone(s.asked), u.TodoID)
		}
	} else {
		s.todos[i].Status, s.todos[i].LeftOut = u.Status, u.LeftOut
	}
	s.asked = s.waiting()
	if u.Status == koda.TodoDone {
		s.thinking = ""
	}
	return s
}

// leftOut says what the person asked for during the work and the author did not do.
func leftOut(s koda.NodeState) string {
	var why []string
	if s.Execution != nil {
		for _, t := range s.Execution.Todos {
			if t.LeftOut != "" {
				why = append(why, t.LeftOut)
			}
		}
	}
	return strings.Join(why, " ")
}

func (s story) message(m koda.MessageAdded) story {
	kind := map[string]entryKind{koda.RoleUser: entryAsked, koda.RoleSystem: entryNoted}[m.Role]
	s.streamed, s.using = "", ""
	return s.add(kind, "", m.Content)
}

// tool takes the use of a tool in. Uses of the same tool one after the other are one entry.
func (s story) tool(u koda.ToolUsed) story {
	s.using = ""
	name := strings.ReplaceAll(strings.TrimPrefix(u.Tool, "sandbox_"), "_", " ")
	head := strings.TrimSpace(name + " " + widget.Line(u.About))
	if u.Error != "" {
		head += ": " + widget.Line(u.Error)
	}
	if i := s.written(u); i >= 0 {
		if s.told = slices.Clone(s.told); s.told[i].about != "" {
			s.told[i].body = strings.TrimRight(u.Detail, "\n")
		}
		return s
	}
	last := entry{}
	if n := len(s.told) - 1; n >= 0 && s.told[n].tool == u.Tool && len(s.told[n].body)+len(u.Detail) < mostBody {
		last, s.told = s.told[n], s.told[:n]
		head = last.head + ", " + strings.TrimPrefix(head, name+" ")
	}
	body := last.body
	if u.Detail != "" {
		body += u.About + ":\n" + strings.TrimRight(u.Detail, "\n") + "\n"
	}
	s = s.add(entryTool, head, body)
	e := &s.told[len(s.told)-1]
	e.tool, e.about = u.Tool, u.About
	return s
}

// file takes a written file in. It takes the place of the call that wrote it.
func (s story) file(f koda.FileWritten) story {
	head, body := f.Path+"  "+widget.Size(f.Size), ""
	if f.Deleted {
		head = f.Path + "  deleted"
	}
	if n := len(s.told) - 1; n >= 0 && s.told[n].tool != "" && s.told[n].about == f.Path {
		body, s.told = s.told[n].body, s.told[:n]
	}
	s.thinking = "writing " + f.Path
	s = s.add(entryFile, head, body)
	e := &s.told[len(s.told)-1]
	e.about, e.size = f.Path, f.Size
	return s.folded()
}

// files is where the files begin that end the story, in a row.
func (s story) files() int {
	from := len(s.told)
	for from > 0 && s.told[from-1].kind == entryFile {
		from--
	}
	return from
}

// folded is the story with the first of many files in a row as one entry.
func (s story) folded() story {
	from := s.files()
	if len(s.told)-from <= mostFiles+1 {
		return s
	}
	all, next := s.told[from], s.told[from+1]
	if len(all.paths) == 0 {
		all.paths, all.body = []string{all.about}, all.listed()
	}
	all.paths, all.size = append(slices.Clone(all.paths), next.about), all.size+next.size
	if len(all.body)+len(next.body) > mostBody {
		next.body = ""
	}
	all.body += next.listed()
	all.head, all.about = fmt.Sprintf("%d files  %s", len(all.paths), widget.Size(all.size)), ""
	s.told = slices.Concat(s.told[:from], []entry{all}, s.told[from+2:])
	return s
}

// listed is a file as one of several.
func (e entry) listed() string {
	body := strings.TrimRight(strings.TrimPrefix(e.body, e.about+":\n"), "\n")
	return strings.TrimRight(widget.Line(e.head)+"\n"+body, "\n") + "\n"
}

// written is which of the files that end the story a tool wrote or deleted; -1 if none of them. Who follows
// another process hears of the file before the tool.
func (s story) written(u koda.ToolUsed) int {
	from := s.files()
	i := slices.IndexFunc(s.told[from:], func(e entry) bool { return e.about == u.About && e.body == "" || slices.Contains(e.paths, u.About) })
	if i < 0 || u.Error != "" || u.Tool != "sandbox_write_file" && u.Tool != "sandbox_delete_file" {
		return -1
	}
	return from + i
}

func (s story) add(kind entryKind, head, body string) story {
	s.told = append(slices.Clone(s.told), entry{number: s.next, kind: kind, head: head, body: body})
	s.told = s.told[max(len(s.told)-keptEntries, 0):]
	s.next++
	return s
}
