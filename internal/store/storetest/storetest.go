// Package storetest looks into koda's database from outside, for tests. It dumps
// the database, and locks it as another writer would.
//
// It knows no query of package store and so cannot share its mistakes. It is
// imported by tests only.
package storetest

import (
	"compress/flate"
	"database/sql"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3" // the driver
)

// Dump returns the rows of every table in order, each as a line of name=value. Null
// values are left out. JSON is whole: rows of the table contents are put in where
// they are referred to, and are not listed by themselves.
func Dump(t testing.TB, path string) map[string][]string {
	t.Helper()
	db := open(t, path, "mode=ro")
	tables, contents := map[string][]string{}, bodies(t, db)
	for _, name := range column(t, db, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'contents'`) {
		tables[name] = rows(t, db, name, contents)
	}
	return tables
}

// bodies maps "@" and id to the whole content.
func bodies(t testing.TB, db *sql.DB) map[string]string {
	t.Helper()
	all := map[string]string{}
	if len(column(t, db, `SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'contents'`)) == 0 {
		return nil // a database whose migrations were cut short
	}
	ids := column(t, db, `SELECT id FROM contents ORDER BY id`)
	kinds := column(t, db, `SELECT typeof(body) FROM contents ORDER BY id`)
	for i, body := range column(t, db, `SELECT body FROM contents ORDER BY id`) {
		if kinds[i] == "blob" {
			plain, err := io.ReadAll(flate.NewReader(strings.NewReader(body)))
			if err != nil {
				t.Error(err)
			}
			body = string(plain)
		}
		all["@"+ids[i]] = whole(body, all)
	}
	return all
}

// ref matches a reference to a content, or a string, which holds no references.
var ref = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|@[0-9]+`)

func whole(text string, contents map[string]string) string {
	return ref.ReplaceAllStringFunc(text, func(at string) string {
		if body, ok := contents[at]; ok {
			return body
		}
		return at
	})
}

// Lock begins a write as another process would, and returns a function that ends it.
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

// Relocate changes a database to say that its projects lie below another directory.
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
func rows(t testing.TB, db *sql.DB, table string, contents map[string]string) []string {
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
			if text, ok := v.(string); ok && strings.HasSuffix(names[i], "_json") {
				v = whole(text, contents)
			}
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
