package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// Player answers from a recording. It implements llm.Model.
type Player struct {
	dir string

	mu     sync.Mutex
	all    []exchange
	played []bool
	rekeys *Recorder // which wants the answers in their order, whatever is asked
}

// Open opens a recording. NOT_FOUND: there is none.
func Open(dir string) (*Player, error) {
	all, err := read(dir)
	if err == nil && len(all) == 0 {
		err = &koda.Error{Code: koda.CodeNotFound, Op: "there are no recorded answers in " + dir, Hint: "KODA_RECORD=" + dir + " records them"}
	}
	return &Player{dir: dir, all: all, played: make([]bool, len(all))}, err
}

// Answer implements llm.Model. It passes nothing. NOT_FOUND: the request is not recorded;
// the error says how it differs from the one that is most like it.
func (p *Player) Answer(_ context.Context, req llm.Request, _ func(koda.TextDelta)) (llm.Response, error) {
	req, err := bare(req)
	if err != nil {
		return llm.Response{}, err
	}
	sum, err := digest(req)
	if err != nil {
		return llm.Response{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	near, most := -1, -2
	for i, e := range p.all {
		if p.played[i] || p.rekeys != nil && i < p.rekeys.count() {
			continue
		}
		if e.digest == sum || p.rekeys != nil {
			p.played[i] = true
			return e.answer()
		}
		if n := common(e.whole, req); n > most {
			near, most = i, n
		}
	}
	if near < 0 {
		return llm.Response{}, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("all %d answers in %s are given", len(p.all), p.dir), Hint: "record more, or choose a model"}
	}
	what, details := changed(p.all[near].whole, req)
	return llm.Response{}, &koda.Error{
		Code: koda.CodeNotFound, Op: fmt.Sprintf("the request is not in %s: compared with %s, %s", p.dir, file("", near+1), what), Details: details,
		Hint: "record anew; or with KODA_RECORD=ANOTHER the recorded answers get the keys of the new requests there",
	}
}

// Recorder asks a model, and keeps what was said. It implements llm.Model.
type Recorder struct {
	dir   string
	model llm.Model

	mu  sync.Mutex
	all []exchange
}

// Record keeps what is said to a model, and what it answers, in a directory, after what
// the directory has already. If the model is a Player, its answers come in their order,
// whatever is asked: so they get the keys of new requests.
func Record(dir string, model llm.Model) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, &koda.Error{Code: koda.CodeUsage, Op: "make the directory of recorded answers", Err: err, Hint: "KODA_RECORD names a directory"}
	}
	all, err := read(dir)
	r := &Recorder{dir: dir, model: model, all: all}
	if p, ok := model.(*Player); ok {
		p.rekeys = r
	}
	return r, err
}

func (r *Recorder) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}

// Answer implements llm.Model.
func (r *Recorder) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	resp, failed := r.model.Answer(ctx, req, show)
	e := exchange{Response: &resp}
	switch code := koda.CodeOf(failed); code {
	case koda.CodeInterrupted, koda.CodeTimeout:
		return resp, failed
	case "":
	default:
		e.Error = &failure{code, failed.Error(), koda.HintOf(failed), koda.Lasting(failed)}
	}
	if err := r.keep(e, req); err != nil {
		return llm.Response{Usage: resp.Usage}, err
	}
	return resp, failed
}

// keep writes an exchange before its answer is returned.
func (r *Recorder) keep(e exchange, req llm.Request) (err error) {
	if e.whole, err = bare(req); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e.shorten(r.all)
	text, err := json.Marshal(e) // not indented: opaque parts come back byte for byte
	if err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	if err := atomicfile.Write(file(r.dir, len(r.all)+1), append(text, '\n'), 0o600); err != nil {
		return &koda.Error{Code: koda.CodeWriteFailed, Op: "record an answer", Err: err, Hint: "KODA_RECORD names a directory that can be written"}
	}
	r.all = append(r.all, e)
	return nil
}
