package serve

import (
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// For tests.
var (
	Public   = public
	SecretOf = secretOf
)

// Seen is the event after which a stream begins.
func (b Begin) Seen(newest int64) (int64, error) { return b.seen(koda.Project{Seq: newest}) }

// Start makes the server ready to work without a listener.
func (s *Server) Start(ctx context.Context) (end func()) { return s.start(ctx) }
