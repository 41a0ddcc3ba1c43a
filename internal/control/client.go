package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// ErrNobody says that no process listens for the project.
var ErrNobody = errors.New("no process works on it")

// ErrCutOff says that the owner was gone before its work was done.
var ErrCutOff = errors.New("the process at work ended without a word")

// answerTime is how long an owner may take to answer.
const answerTime = 30 * time.Second

// Say tells the owner of a project something. When Say returns without an error,
// the text is journaled.
func Say(ctx context.Context, dir, project, text string) (koda.Heard, error) {
	c, err := call(ctx, dir, project, request{Op: opSay, Text: text})
	if err != nil {
		return koda.Heard{}, err
	}
	defer c.close()
	if c.first.Heard == nil {
		return koda.Heard{}, fmt.Errorf("read answer: %w", errors.New("it says nothing"))
	}
	return *c.first.Heard, nil
}

// Edited tells the owner of a project which files a person changed in the sandbox.
func Edited(ctx context.Context, dir, project string, paths []string) error {
	c, err := call(ctx, dir, project, request{Op: opEdited, Paths: paths})
	if err == nil {
		c.close()
	}
	return err
}

// Now asks the owner of a project for the line that shows the current activity.
func Now(ctx context.Context, dir, project string) (string, error) {
	c, err := call(ctx, dir, project, request{Op: opNow})
	if err != nil {
		return "", err
	}
	defer c.close()
	return c.first.Now, nil
}

// Cancel ends the work on a project and returns when everything is saved and the
// project is free. ErrCutOff: the owner ended in another way.
func Cancel(ctx context.Context, dir, project string) error {
	c, err := call(ctx, dir, project, request{Op: opCancel})
	if err != nil {
		return err
	}
	defer c.close()
	return c.replies(ctx, func(reply) error { return nil })
}

// Follow calls passing with the passing events of the work on a project, and
// journaled with the number of the newest durable event: once at the beginning,
// with 0, and whenever there are more durable events. Glimpses come only to who asks
// for them. Follow returns nil when the owner is done, and ErrCutOff when the owner
// was killed.
func Follow(ctx context.Context, dir, project string, glimpses bool, passing func(koda.Event), journaled func(seq int64) error) error {
	c, err := call(ctx, dir, project, request{Op: opFollow, Glimpses: glimpses})
	if err != nil {
		return err
	}
	defer c.close()
	if err := journaled(0); err != nil {
		return err
	}
	return c.replies(ctx, func(r reply) error {
		switch {
		case r.Type == replySeq:
			return journaled(r.Seq)
		case r.Type == replyEvent && r.Event != nil:
			passing(*r.Event)
		}
		return nil // a reply of a newer koda
	})
}

// client is a connection whose request was accepted.
type client struct {
	conn  net.Conn
	in    lines
	first reply
	stop  func() bool // see call
}

// call sends a request and reads the first reply. The connection ends with ctx.
func call(ctx context.Context, dir, project string, req request) (*client, error) {
	conn, err := dial(ctx, dir, project)
	if nobody(err) {
		return nil, ErrNobody
	}
	if err != nil {
		return nil, failed("reach the process at work", err)
	}
	c := &client{conn: conn, in: lines{r: conn}}
	c.stop = context.AfterFunc(ctx, func() { _ = conn.Close() })    //nolint:errcheck // this ends whatever waits for the connection
	late := time.AfterFunc(answerTime, func() { _ = conn.Close() }) //nolint:errcheck // likewise
	defer late.Stop()
	req.V = version
	if err = writeLine(conn, req); err == nil || errors.Is(err, syscall.EPIPE) { // a full server hangs up
		err = c.in.next(&c.first)
	}
	if err == nil && c.first.Type == replyError && c.first.Error != nil {
		err = c.first.Error.err()
	} else if err != nil {
		err = c.silent(ctx, err)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// silent is the error of a connection that ended without an answer.
func (c *client) silent(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, net.ErrClosed) {
		return &koda.Error{
			Code: koda.CodeTimeout, Op: fmt.Sprintf("the process at work did not answer within %v", answerTime),
			Hint: "`koda messages` shows whether it heard",
		}
	}
	return fmt.Errorf("%w: %w", ErrCutOff, err)
}

// replies calls f with the replies that follow, until the end.
func (c *client) replies(ctx context.Context, f func(reply) error) error {
	for {
		var r reply
		if err := c.in.next(&r); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
				return ErrCutOff
			}
			return fmt.Errorf("%w: %w", ErrCutOff, err)
		}
		if r.Type == replyEnd {
			return nil
		}
		if err := f(r); err != nil {
			return err
		}
	}
}

func (c *client) close() {
	c.stop()
	_ = c.conn.Close() //nolint:errcheck // everything of interest was read
}
