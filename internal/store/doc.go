// Package store keeps projects, their journal and the memory of answered calls
// in SQLite.
package store
