package koda

import "fmt"

// Span is the run of frames [Start, End).
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len is the number of frames in s.
func (s Span) Len() int { return s.End - s.Start }

// String returns "0-59", inclusive as people count.
func (s Span) String() string { return fmt.Sprintf("%d-%d", s.Start, s.End-1) }

// Split cuts s into n spans of near-equal length, 1 ≤ n ≤ s.Len().
func (s Span) Split(n int) []Span {
	parts := make([]Span, n)
	for i := range parts {
		parts[i] = Span{s.Start + s.Len()*i/n, s.Start + s.Len()*(i+1)/n}
	}
	return parts
}
