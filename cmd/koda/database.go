package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/store"
)

// openDatabase opens the database. If the database is damaged, it is set aside and
// a new database is made; notice says so.
func openDatabase(ctx context.Context, path string) (db *store.DB, notice string, err error) {
	db, err = store.Open(ctx, path)
	if !errors.Is(err, store.ErrDamaged) {
		return db, "", err
	}
	aside, err := store.SetAside(ctx, path, time.Now())
	if err != nil {
		return nil, "", err
	}
	if aside != "" {
		notice = fmt.Sprintf("the database was damaged; it is kept as %s and a new one was made", aside)
	}
	db, err = store.Open(ctx, path)
	return db, notice, err
}

// takeIn adopts the projects that a new database, or a database that was not
// closed, does not know, and says so. A project that cannot be adopted is left out:
// commands that name it say why.
func takeIn(ctx context.Context, e *engine.Engine, db *store.DB, notice string) (notices []string, err error) {
	taken := 0
	if db.Unsure() {
		places, err := db.Places(ctx)
		if err != nil {
			return nil, err
		}
		if taken, err = e.TakeIn(ctx, places); err != nil {
			notices = append(notices, err.Error())
		}
	}
	switch {
	case notice != "" && taken == 0:
		notice += "; it knows no project: `koda resume DIRECTORY` takes one in again"
	case taken > 0 && notice == "":
		notice = fmt.Sprintf("the database did not know %s; taken in again from the directories", projects(taken))
	case taken > 0:
		notice += fmt.Sprintf("; %s taken in again from the directories", projects(taken))
	}
	if notice != "" {
		notices = append([]string{notice}, notices...)
	}
	return notices, nil
}

func projects(n int) string {
	if n == 1 {
		return "1 project"
	}
	return fmt.Sprintf("%d projects", n)
}
