//go:build !cgo

package store

// SQLite is C. Without a C compiler the program would build and then fail at its
// first query. This function makes the build fail instead, and says why.
func asSQLite(error) (sqliteFailure, bool) {
	return koda_needs_cgo__install_gcc_and_set_CGO_ENABLED_1
}
