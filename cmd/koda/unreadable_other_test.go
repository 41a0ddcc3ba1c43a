//go:build !linux

package main

// unreadable is only asked for on Linux: nowhere else is memory read.
func unreadable() { panic("unreadable: not on this system") }
