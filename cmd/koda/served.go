package main

import (
	"context"
	"path/filepath"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/remote"
	"github.com/koda-video/koda/internal/serve"
)

// openServed opens what `koda serve` works with: an engine whose videos wait for their turn,
// also those that are drawn in containers.
func openServed(ctx context.Context) (cli.Served, func() error, error) {
	m, err := newMachine()
	if err != nil {
		return cli.Served{}, nil, err
	}
	queue := serve.NewQueue(1)
	e, db, _, err := m.open(ctx, queue.Over)
	if err != nil {
		return cli.Served{}, nil, err
	}
	with := cli.Served{
		Engine: e, Access: db, Served: db, Replies: db, Hooks: db, Queue: queue, Home: m.cfg.Home, Parent: m.cfg.StoragePath,
		Hook: koda.Hook{URL: m.cfg.Webhook, Secret: m.cfg.WebhookSecret.Reveal()}, PrivateHooks: m.cfg.WebhookPrivate == "on",
	}
	with.Limits.Writes, with.Limits.Body, with.Limits.Connections, with.Limits.Waiting = m.cfg.Serving()
	return with, db.Close, nil
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

// openRemote opens a project of a server.
func openRemote(ctx context.Context, address, secret string) (cli.Remote, koda.Project, error) {
	r, p, err := remote.Open(ctx, address, secret)
	return r, p, err
}

// agentLogs is where what outside agents say waits for its project.
func agentLogs() (string, error) {
	cfg, err := load()
	return filepath.Join(cfg.Home, "agents"), err
}
