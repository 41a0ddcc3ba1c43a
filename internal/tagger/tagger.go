package tagger

import (
	"cmp"
	"slices"
	"strings"
)

// outside is the label of what belongs to no span.
const outside = "O"

// Token is what is known of one token of a sequence: its word, and marks that tell more of it and of the whole.
type Token struct {
	Word  string   `json:"word"`
	Marks []string `json:"marks"`
}

// Span is a run of tokens [From, To) with a role.
type Span struct {
	From, To int
	Role     string
}

// Labels are the labels of n tokens with some spans: B-r for the first token of a span of role r, I-r for the others, O
// for what belongs to no span.
func Labels(n int, spans []Span) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = outside
	}
	for _, s := range spans {
		for i := s.From; i < s.To; i++ {
			out[i] = "I-" + s.Role
		}
		out[s.From] = "B-" + s.Role
	}
	return out
}

// Class is a class with its score: only the differences between scores say something.
type Class struct {
	Name  string
	Score float32
}

// Read finds the spans in a sequence of tokens, and ranks the classes that the sequence may be of. The best comes first.
// A sequence without tokens has no spans, and its classes stand in the order of their names.
func (m *Model) Read(tokens []Token) ([]Span, []Class) {
	classes := make([]Class, len(m.classes))
	for i, name := range m.classes {
		classes[i].Name = name
	}
	if len(tokens) == 0 {
		return nil, classes
	}
	x := newMatrix(len(tokens), m.vector+m.word+m.mark)
	for i, t := range tokens {
		m.embed(x.row(i), t)
	}
	x = m.first.run(x)
	guess := m.guess.of(pool(x))
	softmax(guess)
	x = m.second.run(x.beside(m.about.of(guess)))
	head := m.head.of(pool(x))
	for i, h := range head {
		head[i] = max(h, 0)
	}
	for i, s := range m.ranks.of(head) {
		classes[i].Score = s
	}
	slices.SortStableFunc(classes, func(a, b Class) int { return cmp.Compare(b.Score, a.Score) })
	scores := newMatrix(len(tokens), len(m.labels))
	for i := range tokens {
		m.label.add(scores.row(i), x.row(i))
	}
	return m.spans(m.best(scores)), classes
}

// embed writes what the model knows of a token.
func (m *Model) embed(out []float32, t Token) {
	if i := place(m.vectorWords, t.Word); i > 0 {
		for k, v := range m.vectors.row(i) {
			out[k] = float32(v) * m.vectorScale
		}
	}
	copy(out[m.vector:], m.words.row(place(m.wordNames, t.Word)))
	sum := out[m.vector+m.word:]
	for _, mark := range t.Marks {
		if i := place(m.markNames, mark); i > 0 {
			for k, v := range m.marks.row(i) {
				sum[k] += v
			}
		}
	}
}

// place is the row of a name, 0 for one that the model does not know.
func place(names []string, name string) int {
	if i, ok := slices.BinarySearch(names, name); ok {
		return i + 1
	}
	return 0
}

// best is the sequence of labels with the highest sum of scores (A. Viterbi, 1967).
func (m *Model) best(scores matrix) []int {
	n, steps := len(m.labels), scores.rows
	back := make([]int, steps*n)
	sum, was := make([]float32, n), make([]float32, n)
	for l := range n {
		sum[l] = scores.row(0)[l]
		if !m.follows(0, l) {
			sum[l] += never
		}
	}
	for i := 1; i < steps; i++ {
		copy(was, sum)
		for l := range n {
			from := -1
			for k := range n {
				if s := was[k] + m.next.row(k)[l]; from < 0 || s > sum[l] {
					sum[l], from = s, k
				}
			}
			sum[l] += scores.row(i)[l]
			back[i*n+l] = from
		}
	}
	path := make([]int, steps)
	last := 0
	for l := range n {
		if sum[l] > sum[last] {
			last = l
		}
	}
	for i := steps - 1; i >= 0; i-- {
		path[i] = last
		last = back[i*n+last]
	}
	return path
}

// never is added where a label cannot follow another.
const never = -1e4

// follows reports whether label b can stand behind label a: I-r only in a span of role r.
func (m *Model) follows(a, b int) bool {
	role, inside := strings.CutPrefix(m.labels[b], "I-")
	return !inside || m.labels[a] != outside && m.labels[a][2:] == role
}

func (m *Model) spans(path []int) []Span {
	var out []Span
	for i, l := range path {
		switch label := m.labels[l]; {
		case label == outside:
		case strings.HasPrefix(label, "B-"):
			out = append(out, Span{i, i + 1, label[2:]})
		default:
			out[len(out)-1].To = i + 1
		}
	}
	return out
}
