// Command loud is a program with Bubble Tea, and without package hush.
package main

import _ "github.com/charmbracelet/bubbletea"

func main() {}
