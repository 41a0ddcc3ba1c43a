package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/mirror"
)

// Engine is the part of the engine that the server uses.
type Engine interface {
	Looks
	Moments
	Decisions
	Works
	Hands
}

// Looks read projects.
type Looks interface {
	Project(ctx context.Context, id string) (koda.Project, error)
	List(ctx context.Context) ([]koda.Project, error)
	Show(ctx context.Context, id string) (engine.View, error)
	Stand(ctx context.Context, id string) (engine.View, error)
	History(ctx context.Context, id string) (engine.History, error)
	Diff(ctx context.Context, id string, from, to int) (engine.Comparison, error)
	Blocks(ctx context.Context, turn string) ([]koda.Block, error)
	Conversation(ctx context.Context, id string) (engine.Conversation, error)
	Totals(ctx context.Context) (koda.Stats, error)
	Side(ctx context.Context, id string) (mirror.Side, error)
	TakeDown(ctx context.Context, id string, log koda.AgentLog) (taken int, err error)
}

// Moments tell what happens to projects.
type Moments interface {
	Events(ctx context.Context, id string, after int64) ([]koda.Event, error)
	Tail(ctx context.Context, id string, after int64, look <-chan struct{}) iter.Seq2[koda.Event, error]
	Follow(ctx context.Context, id string, after int64, show func(koda.Event)) error
	Subscribe(show func(koda.Event)) *feed.Subscription
}

// Decisions are what a person says to a question, a plan or a preview.
type Decisions interface {
	Answer(ctx context.Context, id string, seen koda.Seen, a koda.Answer) (engine.Outcome, error)
	Accept(ctx context.Context, id string, seen koda.Seen, finals ...engine.Finals) (engine.Outcome, error)
	Reject(ctx context.Context, id string, seen koda.Seen, feedback string) (engine.Outcome, error)
	Edit(ctx context.Context, id string, seen koda.Seen, text string, finals ...engine.Finals) (engine.Outcome, error)
}

// Works begin, go on with and end work.
type Works interface {
	New(ctx context.Context, r engine.NewRequest) (engine.Outcome, error)
	Resume(ctx context.Context, id string, yes bool, finals ...engine.Finals) (engine.Outcome, error)
	Render(ctx context.Context, id string, spec koda.RenderSpec) (koda.RenderResult, error)
	Say(ctx context.Context, id, text string) (koda.Heard, error)
	Cancel(ctx context.Context, id string) error
	Undo(ctx context.Context, id string) (engine.Moved, error)
	Redo(ctx context.Context, id string) (engine.Moved, error)
	Checkout(ctx context.Context, id string, n int) (engine.Moved, error)
	Delete(ctx context.Context, id string) (left []string, err error)
}

// Hands change files of projects as the person would.
type Hands interface {
	Put(ctx context.Context, id string, c koda.FileChange, was string) error
	AddAsset(ctx context.Context, id, source string) (koda.Asset, error)
}

// call is work on a project that may take minutes.
type call func(ctx context.Context) (engine.Outcome, error)

// job is work on a project.
type job struct {
	render *koda.RenderSpec // the render that it makes, nil for other work
	hook   koda.Hook        // that is told of its end; its URL is "" if there is none
	draws  bool             // a video is drawn soon
	do     call
}

// begin does work in the background and returns once it is journaled, or when it ended
// within that time after. The id is "" for a new project. The error of work that was refused
// is returned; what fails later, the events tell.
func (s *Server) begin(ctx context.Context, p koda.Project, wait time.Duration, j job) (id string, err error) {
	p, ended, err := s.launch(ctx, p, j)
	if err != nil || wait <= 0 {
		return p.ID, err
	}
	_, err = s.await(ctx, ended, p, wait)
	return p.ID, err
}

// await waits for work on a project, at most so long, and reports whether the work has ended.
func (s *Server) await(ctx context.Context, ended <-chan error, p koda.Project, most time.Duration) (over bool, err error) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case err := <-ended:
		return true, s.problemOf(err, p)
	case <-timer.C:
	case <-ctx.Done():
	}
	return false, nil
}

// launch does work in the background and returns once it is journaled. Ended tells how the
// work ended. The error is that of work which was refused.
func (s *Server) launch(ctx context.Context, p koda.Project, j job) (_ koda.Project, ended <-chan error, err error) {
	leave, err := s.room(j)
	if err != nil {
		return p, nil, err
	}
	begun, end := make(chan koda.Project, 1), make(chan error, 1)
	if p.ID != "" && !s.jobs.add(p.ID) {
		leave()
		return p, nil, problem(statuses[koda.CodeInUse], koda.CodeInUse, "the server works on this project", "say adds to what is asked for, and cancel ends it")
	}
	if !s.jobs.spawn(func() {
		defer leave()
		work := s.jobs.ctx
		at := p.ID
		out, err := s.whole(engine.WhenBegun(work, func(p koda.Project) {
			at = p.ID
			s.jobs.add(at)
			s.note(at, j)
			began(ctx, at)
			begun <- p
		}), j.do)
		if at == "" {
			at = out.Project.ID
		}
		if at != "" {
			if work.Err() == nil { // else the next server goes on with it
				s.ended(at, j, err)
			}
			s.jobs.remove(at)
		}
		end <- err
	}) {
		leave()
		s.jobs.remove(p.ID)
		return p, nil, problem(http.StatusServiceUnavailable, koda.CodeInterrupted, "the server ends", "ask again once it runs again")
	}
	select {
	case err := <-end:
		end <- err
		return p, end, s.problemOf(err, p)
	case p = <-begun:
		return p, end, nil
	}
}

// whole does work. If koda breaks in the work on one project, the work on all others goes on.
func (s *Server) whole(ctx context.Context, do call) (out engine.Outcome, err error) {
	defer func() {
		if broke := recover(); broke != nil {
			s.cfg.Log.Error("koda broke", "error", broke, "stack", string(debug.Stack()))
			err = &koda.Error{Code: koda.CodeFailed, Op: "koda broke; the work so far is saved", Hint: "the log of the server says where"}
		}
	}()
	return do(ctx)
}

// room takes a place for work that soon draws a video, until leave is called. If too many such
// works wait for their turn, it is refused.
func (s *Server) room(j job) (leave func(), err error) {
	if !j.draws {
		return func() {}, nil
	}
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	waiting := max(s.cfg.Queue.Waiting(), s.jobs.soon-1) // one of them draws
	if s.cfg.Limits.Waiting > 0 && waiting >= s.cfg.Limits.Waiting {
		return nil, busy("too many renders wait for their turn", time.Minute)
	}
	s.jobs.soon++
	return func() {
		s.jobs.mu.Lock()
		defer s.jobs.mu.Unlock()
		s.jobs.soon--
	}, nil
}

// draws reports whether a decision about a project leads to a video at once. A model works
// long before it does.
func (s *Server) draws(p koda.Project, accepts bool) bool {
	return p.Author == engine.AuthorRecipe || accepts && (p.Phase == koda.PhasePreview || p.Phase == koda.PhaseError)
}

// note remembers what the server works on. If it cannot be remembered, the work goes on, and
// a person resumes it after a crash.
func (s *Server) note(id string, j job) {
	var spec []byte
	var err error
	ctx := context.WithoutCancel(s.jobs.ctx)
	if j.render != nil {
		spec, err = json.Marshal(j.render)
	}
	if j.hook.URL != "" {
		err = errors.Join(err, s.cfg.Hooks.SaveHook(ctx, id, j.hook))
	}
	if err = errors.Join(err, s.cfg.Served.Serve(ctx, id, spec)); err != nil {
		s.cfg.Log.Warn("the work of the server cannot be noted", "project", id, "error", err)
	}
}

// ended notes that the server's work on a project has ended. Webhooks come first: if the
// server is killed in between, the next one finds the work done, and tells none twice.
func (s *Server) ended(id string, j job, failed error) {
	s.tell(s.jobs.ctx, id, j.render != nil, failed)
	if err := s.cfg.Served.Unserve(context.WithoutCancel(s.jobs.ctx), id); err != nil {
		s.cfg.Log.Warn("the end of the server's work cannot be noted", "project", id, "error", err)
	}
}

// goOn goes on with what a server before left in the middle.
func (s *Server) goOn(ctx context.Context) error {
	left, err := s.cfg.Served.Served(ctx)
	if err != nil {
		return fmt.Errorf("go on with the work of the server before: %w", err)
	}
	for id := range left {
		if v, err := s.cfg.Engine.Stand(ctx, id); err == nil && v.Busy { // another server is at it
			delete(left, id)
		}
	}
	if len(left) > 0 {
		s.cfg.Say(fmt.Sprintf("koda goes on with the work of the server before, on %d of its projects", len(left)))
	}
	for id, render := range left {
		s.jobs.add(id)
		s.jobs.spawn(func() {
			defer s.jobs.remove(id)
			var j job
			_, err := s.whole(s.jobs.ctx, func(ctx context.Context) (engine.Outcome, error) {
				if render == nil {
					return s.cfg.Engine.Resume(ctx, id, false)
				}
				if err := json.Unmarshal(render, &j.render); err != nil {
					return engine.Outcome{}, fmt.Errorf("read the render: %w", err)
				}
				_, err := s.cfg.Engine.Render(ctx, id, *j.render)
				return engine.Outcome{}, err
			})
			if s.jobs.ctx.Err() == nil && koda.CodeOf(err) != koda.CodeInUse { // another server may be at it
				s.ended(id, j, err)
			}
			if err != nil {
				s.cfg.Log.Warn("a project could not be resumed", "project", id, "error", err)
			}
		})
	}
	return nil
}

// add notes that the server works on a project, and reports whether it did not before.
func (j *jobs) add(id string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, had := j.of[id]
	if !had {
		j.of[id] = make(chan struct{})
	}
	return !had
}

func (j *jobs) remove(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if ended, ok := j.of[id]; ok {
		close(ended)
		delete(j.of, id)
	}
}

// works reports whether this server works on a project.
func (j *jobs) works(id string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, works := j.of[id]
	return works
}

// await waits until all work of the server on a project has ended, at most so long.
func (j *jobs) await(ctx context.Context, id string, most time.Duration) {
	j.mu.Lock()
	ended, ok := j.of[id]
	j.mu.Unlock()
	if !ok || most <= 0 {
		return
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	case <-ctx.Done():
	}
}
