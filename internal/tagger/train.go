package tagger

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Example is a sequence whose labels are known.
type Example struct {
	tokens []Features
	path   []int
}

// Example is a sequence whose spans are known, for a model of spans.
func (m *Model) Example(tokens []Features, spans []Span) Example {
	e := Example{tokens, make([]int, len(tokens))}
	for _, s := range spans {
		b := slices.Index(m.labels, "B-"+s.Role)
		for i := s.From; i < s.To; i++ {
			e.path[i] = b + min(i-s.From, 1)
		}
	}
	return e
}

// Instance is a set of features whose class is known, for a model of classes.
func (m *Model) Instance(features []uint32, class string) Example {
	return Example{[]Features{{Own: features}}, []int{slices.Index(m.labels, class)}}
}

// margin is by how much the right label of a token has to be ahead of the others while a model learns.
const margin = 15

// Train learns weights from examples by the averaged structured perceptron (M. Collins, "Discriminative
// training methods for hidden Markov models", 2002): each example is labelled with the weights so far, and where the
// labels differ the weights of the right ones rise and those of the wrong ones fall; the result is the
// mean of all weights on the way. The right labels have to win by a margin (B. Taskar, "Max-margin Markov networks",
// 2003). It counts in whole numbers, so the same examples give the same
// weights on every machine.
func (m *Model) Train(examples []Example, rounds int) {
	n := len(m.labels)
	w, next := newSum(len(m.weights)), newSum(len(m.next))
	now := int64(1)
	order := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		for _, k := range order.Perm(len(examples)) {
			e := &examples[k]
			now++
			right, got := e.path, viterbi(m, w.is, next.is, e.tokens, e.path)
			for i, features := range e.tokens {
				if right[i] != got[i] {
					for _, f := range features.Own {
						w.add(int(f)*n+right[i], 1, now)
						w.add(int(f)*n+got[i], -1, now)
					}
				}
				if i > 0 && (right[i] != got[i] || right[i-1] != got[i-1]) {
					next.add(right[i-1]*n+right[i], 1, now)
					next.add(got[i-1]*n+got[i], -1, now)
					for _, f := range features.Pair {
						w.add(behind(f, right[i-1])*n+right[i], 1, now)
						w.add(behind(f, got[i-1])*n+got[i], -1, now)
					}
				}
			}
		}
	}
	w.mean(m.weights, now)
	next.mean(m.next, now)
}

// sum is a list of weights with the sum of each over all steps so far.
type sum struct {
	is    []int32
	total []int64 // up to the step in at
	at    []int64
}

func newSum(n int) *sum {
	return &sum{make([]int32, n), make([]int64, n), make([]int64, n)}
}

func (s *sum) add(i int, by int32, now int64) {
	s.total[i] += int64(s.is[i]) * (now - s.at[i])
	s.at[i] = now
	s.is[i] += by
}

// How finely the mean of a weight is kept, and the smallest that is: what says less is left out.
const (
	perWeight = 8
	least     = 1
)

// mean writes the mean of each weight over all steps, times perWeight.
func (s *sum) mean(out []int16, now int64) {
	for i := range out {
		s.add(i, 0, now)
		w := (2*s.total[i]*perWeight + now) / (2 * now) // rounded
		if s.total[i] < 0 {
			w = -(-2*s.total[i]*perWeight + now) / (2 * now)
		}
		out[i] = int16(min(max(w, math.MinInt16), math.MaxInt16))
		if max(w, -w) < least {
			out[i] = 0
		}
	}
}
