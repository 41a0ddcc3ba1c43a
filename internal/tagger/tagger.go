package tagger

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
)

// Buckets is how many different features a model tells apart. Features are hashed; two that fall
// into one bucket share their weights.
const Buckets = 1 << 18

// outside is the label of what belongs to no span.
const outside = "O"

// Model gives each token of a sequence a label. It is read only, and safe for concurrent use.
type Model struct {
	labels  []string
	weights []int16 // Buckets rows of len(labels)
	next    []int16 // len(labels) rows: how well the label of the column follows that of the row
	allowed []bool  // likewise: whether the label may follow at all
}

// Features are what is known of one token, each hashed by Hash: what speaks for its label, and what
// speaks for its label behind that of the token before.
type Features struct{ Own, Pair []uint32 }

// Hash is the bucket of a feature: FNV-1a, folded to the number of buckets.
func Hash(parts ...string) uint32 {
	h := uint32(2166136261)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint32(p[i])) * 16777619
		}
		h = (h ^ 0xff) * 16777619
	}
	return (h ^ h>>15) & (Buckets - 1)
}

// NewSpans is a model, without weights yet, that finds spans with some roles. The labels of a role r are
// B-r for the first token of a span and I-r for the others.
func NewSpans(roles ...string) *Model {
	labels := []string{outside}
	for _, r := range roles {
		labels = append(labels, "B-"+r, "I-"+r)
	}
	m := blank(labels)
	n := len(labels)
	for i, a := range labels {
		for j, b := range labels {
			role, inside := strings.CutPrefix(b, "I-")
			m.allowed[i*n+j] = !inside || a != outside && a[2:] == role
		}
	}
	return m
}

// NewClasses is a model, without weights yet, that says which of some classes a single set of features is of.
func NewClasses(names ...string) *Model {
	m := blank(names)
	for i := range m.allowed {
		m.allowed[i] = true
	}
	return m
}

func blank(labels []string) *Model {
	n := len(labels)
	return &Model{labels: labels, weights: make([]int16, Buckets*n), next: make([]int16, n*n), allowed: make([]bool, n*n)}
}

// Span is a run of tokens [From, To) with a role.
type Span struct {
	From, To int
	Role     string
}

// Spans finds the spans in a sequence of tokens.
func (m *Model) Spans(tokens []Features) []Span {
	return m.spans(viterbi(m, m.weights, m.next, tokens, nil))
}

func (m *Model) spans(path []int) []Span {
	var out []Span
	for i, l := range path {
		switch {
		case l == 0:
		case l%2 == 1:
			out = append(out, Span{i, i + 1, m.labels[l][2:]})
		default:
			out[len(out)-1].To = i + 1
		}
	}
	return out
}

// Class is a class with its score: only the differences between scores say something.
type Class struct {
	Name  string
	Score int
}

// Rank scores all classes. The best comes first.
func (m *Model) Rank(features []uint32) []Class {
	out := make([]Class, len(m.labels))
	for l, name := range m.labels {
		out[l].Name = name
		for _, f := range features {
			out[l].Score += int(m.weights[int(f)*len(m.labels)+l])
		}
	}
	slices.SortStableFunc(out, func(a, b Class) int { return b.Score - a.Score })
	return out
}

// behind is the bucket of a feature behind a label.
func behind(f uint32, label int) int { return int((f ^ uint32(label+1)*0x9e3779b1) & (Buckets - 1)) }

// viterbi is the best sequence of labels. If the right one is given, each label that differs from it has a margin ahead.
func viterbi[T int16 | int32](m *Model, weights, next []T, tokens []Features, right []int) []int {
	n := len(m.labels)
	score, back := make([]int64, n), make([]uint8, len(tokens)*n)
	was, pair := make([]int64, n), make([]int64, n*n)
	for i, features := range tokens {
		copy(was, score)
		clear(score)
		for _, f := range features.Own {
			for l, w := range weights[int(f)*n : int(f)*n+n] {
				score[l] += int64(w)
			}
		}
		for l := range n {
			if right != nil && l != right[i] {
				score[l] += margin
			}
		}
		if i > 0 {
			for k := range n {
				row := pair[k*n : k*n+n]
				for l := range row {
					row[l] = int64(next[k*n+l])
				}
				for _, f := range features.Pair {
					at := behind(f, k) * n
					for l, w := range weights[at : at+n] {
						row[l] += int64(w)
					}
				}
			}
		}
		for l := range n {
			best, from := int64(math.MinInt64), 0
			if i == 0 {
				best = 0
				if !m.allowed[l] { // as after a token outside
					best = math.MinInt64 / 2
				}
			}
			for k := 0; k < n && i > 0; k++ {
				if s := was[k] + pair[k*n+l]; m.allowed[k*n+l] && s > best {
					best, from = s, k
				}
			}
			score[l] += best
			back[i*n+l] = uint8(from)
		}
	}
	path := make([]int, len(tokens))
	if len(path) == 0 {
		return path
	}
	last := 0
	for l := range n {
		if score[l] > score[last] {
			last = l
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		path[i] = last
		last = int(back[i*n+last])
	}
	return path
}

// errSize says that bytes are no weights of the model.
var errSize = errors.New("the weights are of another model")

// Bytes are the weights of the model, for Load.
func (m *Model) Bytes() []byte {
	out := make([]byte, 0, m.Size())
	for _, w := range slices.Concat(m.weights, m.next) {
		out = binary.LittleEndian.AppendUint16(out, uint16(w))
	}
	return out
}

// Size is how many bytes the weights of the model have.
func (m *Model) Size() int { return 2 * (len(m.weights) + len(m.next)) }

// Load sets the weights, which Bytes returned.
func (m *Model) Load(b []byte) error {
	if len(b) != m.Size() {
		return errSize
	}
	for i := range m.weights {
		m.weights[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	for i := range m.next {
		m.next[i] = int16(binary.LittleEndian.Uint16(b[2*(len(m.weights)+i):]))
	}
	return nil
}
