package main

import (
	"context"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/serve"
)

// openServed opens what `koda serve` works with: an engine whose videos wait for their turn.
func openServed(ctx context.Context) (cli.Served, func() error, error) {
	m, err := newMachine()
	if err != nil {
		return cli.Served{}, nil, err
	}
	queue := serve.NewQueue(1)
	e, db, _, err := m.open(ctx, queue.Over(m.renderer))
	if err != nil {
		return cli.Served{}, nil, err
	}
	return cli.Served{Engine: e, Access: db, Served: db, Replies: db, Queue: queue, Home: m.cfg.Home, Parent: m.cfg.StoragePath}, db.Close, nil
}

// openTokens opens the tokens and users of servers.
func openTokens(ctx context.Context) (cli.Tokens, func() error, error) {
	cfg, err := load()
	if err != nil {
		return nil, nil, err
	}
	db, _, err := openDatabase(ctx, cfg.DatabasePath)
	if err != nil {
		return nil, nil, err
	}
	return db, db.Close, nil
}
