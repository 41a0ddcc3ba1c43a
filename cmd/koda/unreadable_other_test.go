//go:build !linux

package main

// unreadable is called only on Linux: koda reads memory nowhere else.
func unreadable() { panic("unreadable: not on this system") }
