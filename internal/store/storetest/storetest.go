// Package storetest looks into koda's database from outside, for tests: all
// that stands in it, and a writer that holds it locked.
//
// It knows no query of package store and so cannot share its mistakes. It is
// imported by tests only.
package storetest

import (
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3" // the driver
)

// Dump gives the rows of every table, in their order, each as one line of
// name=value. Null values are left out.
func Dump(t testing.TB, path string) map[string][]string {
	t.Helper()
	db := open(t, path, "mode=ro")
	tables := map[string][]string{}
	for _, name := range column(t, db, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`) {
		tables[name] = rows(t, db, name)
	}
	return tables
}

// Lock begins a write of another process's kind and returns what ends it.
func Lock(t testing.TB, path string) (unlock func()) {
	t.Helper()
	db := open(t, path, "mode=rw&_txlock=immediate")
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

// Relocate tells a database that its projects lie below another directory.
func Relocate(t testing.TB, path, from, to string) {
	t.Helper()
	if _, err := open(t, path, "mode=rw").ExecContext(t.Context(), `UPDATE projects SET dir = replace(dir, ?, ?)`, from, to); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, path, options string) *sql.DB {
	t.Helper()
	u := url.URL{Path: path}
	db, err := sql.Open("sqlite3", "file:"+u.EscapedPath()+"?"+options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func column(t testing.TB, db *sql.DB, query string) []string {
	t.Helper()
	found, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close() //nolint:errcheck // only read
	var all []string
	for found.Next() {
		var one string
		if err := found.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// rows reads a table in the order of its primary key.
func rows(t testing.TB, db *sql.DB, table string) []string {
	t.Helper()
	order := column(t, db, `SELECT name FROM pragma_table_info('`+table+`') WHERE pk > 0 ORDER BY pk`)
	query := `SELECT * FROM ` + table
	if len(order) > 0 {
		query += ` ORDER BY ` + strings.Join(order, ", ")
	}
	found, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close() //nolint:errcheck // only read
	names, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for found.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var line []string
		for i, v := range values {
			if v != nil {
				line = append(line, fmt.Sprintf("%s=%v", names[i], v))
			}
		}
		all = append(all, strings.Join(line, " "))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
