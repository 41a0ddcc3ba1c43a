package score

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/recipe"
)

// ChildArg is the one argument with which this program starts itself as [Child].
const ChildArg = "run-score"

// The limits of a stranger's score.
const (
	childCPU    = time.Second
	childWait   = 30 * time.Second // for a busy machine to give it that second
	childMemory = 1 << 30          // bytes held
	childKeys   = 20_000
)

// Runner compiles and runs scores.
type Runner struct {
	compile func(ctx context.Context, files fs.FS, entry, global string) (string, error)
	self    proc.Spec
}

// NewRunner returns a Runner. Compile is that of the bundler. Self starts a program that
// calls [Child], see [proc.Self].
func NewRunner(compile func(ctx context.Context, files fs.FS, entry, global string) (string, error), self proc.Spec) *Runner {
	return &Runner{compile, self}
}

// Compile makes a script of the score in files, which lie as in a project.
// BUILD_FAILED: the score has a mistake.
func (r *Runner) Compile(ctx context.Context, files fs.FS) (string, error) {
	return r.compile(ctx, files, recipe.ScorePath, Global)
}

// Run runs a script that [Runner.Compile] made. Koda's own scores run in this process;
// any other runs in a child process, which has a second of work and 1 GiB, and makes at
// most 20 000 keyframes. BUILD_FAILED: the score fails or goes beyond a limit.
func (r *Runner) Run(ctx context.Context, script string, params json.RawMessage, env recipe.Env, ours bool) (recipe.Score, error) {
	in := Input{Params: params, Env: env}
	if ours {
		return run(ctx, 0, func(ctx context.Context) (string, error) { return call(ctx, script, in) })
	}
	return run(ctx, childKeys, func(ctx context.Context) (string, error) { return r.child(ctx, script, in) })
}

// job is what a child is given, and answer what it gives back.
type (
	job struct {
		Script string
		Input  Input
	}
	answer struct{ Text, Err string }
)

func (r *Runner) child(ctx context.Context, script string, in Input) (string, error) {
	ctx, stop := context.WithTimeoutCause(ctx, childWait, errors.New("it does not end"))
	defer stop()
	p, err := proc.Start(ctx, r.self)
	if err != nil {
		return "", fmt.Errorf("start a process for the score: %w", err)
	}
	defer p.Kill()
	var a answer
	err = errors.Join(gob.NewEncoder(p.Stdin()).Encode(job{script, in}), p.Stdin().Close(), gob.NewDecoder(p.Stdout()).Decode(&a))
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", fmt.Errorf("it takes more than %v of work or %d MiB", childCPU, childMemory>>20)
	case a.Err != "":
		return "", errors.New(a.Err)
	}
	return a.Text, nil
}

// Child runs one score, which comes on descriptor 3, and answers on descriptor 4. Goja
// bounds neither steps nor memory, so the process ends itself when the score takes too
// much of either, and the kernel ends it if that fails.
func Child() error {
	debug.SetMaxStack(256 << 20)
	limit := syscall.Rlimit{Cur: uint64(childCPU/time.Second) + 2, Max: uint64(childCPU/time.Second) + 2}
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &limit); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		var j job
		if err := gob.NewDecoder(os.NewFile(3, "score")).Decode(&j); err != nil {
			done <- err
			return
		}
		var a answer
		var err error
		if a.Text, err = call(context.Background(), j.Script, j.Input); err != nil {
			a.Err = err.Error()
		}
		done <- gob.NewEncoder(os.NewFile(4, "answer")).Encode(a)
	}()
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-ticks.C:
			var held runtime.MemStats
			runtime.ReadMemStats(&held)
			var used syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
				return err
			}
			if held.Sys > childMemory || time.Duration(used.Utime.Nano()+used.Stime.Nano()) > childCPU {
				return errors.New("the score is too much")
			}
		}
	}
}

// run runs a score and reads what it returns.
func run(ctx context.Context, keys int, do func(context.Context) (string, error)) (recipe.Score, error) {
	failed := func(err error) (recipe.Score, error) {
		return recipe.Score{}, &koda.Error{Code: koda.CodeBuildFailed, Op: "run its score", Err: err, Hint: "koda recipes lint DIR tries a recipe"}
	}
	text, err := do(ctx)
	if err != nil {
		return failed(err)
	}
	s, err := decode([]byte(text), keys)
	if err == nil && s.Duration > koda.MaxDuration && len(s.Refused) == 0 {
		s = recipe.Score{Refused: []recipe.Refusal{{
			Param: "duration", Message: fmt.Sprintf("the video would be %s s long", recipe.Trim(math.Round(s.Duration))), Hint: fmt.Sprintf("at most %d s can be made: give it less to show, or shorter scenes", koda.MaxDuration),
		}}}
	}
	if err == nil && len(s.Refused) == 0 {
		err = s.Check()
	}
	if err != nil {
		return failed(err)
	}
	return s, nil
}
