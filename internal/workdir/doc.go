// Package workdir keeps project directories.
package workdir
