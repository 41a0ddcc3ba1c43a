package tagger

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Model gives each token of a sequence a label, and the sequence a class. It is read only, and safe for concurrent use.
type Model struct {
	labels, classes                   []string
	wordNames, markNames, vectorWords []string // sorted

	vector, word, mark int // columns of the tables
	vectors            table
	vectorScale        float32
	words, marks       matrix // row 0 is for what has no name

	first, second                    both
	guess, about, label, head, ranks linear
	next                             matrix // how well the label of the column follows that of the row: never, where it cannot
}

// table is a matrix of small numbers.
type table struct {
	cols int
	at   []int8
}

func (t table) row(i int) []int8 { return t.at[i*t.cols : (i+1)*t.cols] }

// errSize says that bytes are no model.
var errSize = errors.New("the weights do not fit the names")

// Load reads a model: a line of JSON with the names and the sizes, and behind it the tables in the order of the fields of
// Model, each a scale (float32) and whole numbers to be multiplied by it: int8 for vectors, else int16.
func Load(data []byte) (*Model, error) {
	var h struct {
		Labels, Classes, Words, Marks, Vectors []string
		Sizes                                  [6]int
	}
	head, rest, _ := bytes.Cut(data, []byte{'\n'})
	if err := json.Unmarshal(head, &h); err != nil {
		return nil, fmt.Errorf("read the names: %w", err)
	}
	m := &Model{labels: h.Labels, classes: h.Classes, wordNames: h.Words, markNames: h.Marks, vectorWords: h.Vectors, vector: h.Sizes[0], word: h.Sizes[1], mark: h.Sizes[2]}
	state, about, hidden := h.Sizes[3], h.Sizes[4], h.Sizes[5]
	r := &weights{rest: rest}
	m.vectorScale, m.vectors = r.small(len(h.Vectors)+1, m.vector)
	m.words, m.marks = r.matrix(len(h.Words)+1, m.word), r.matrix(len(h.Marks)+1, m.mark)
	m.first = r.both(m.vector+m.word+m.mark, state)
	m.guess, m.about = r.linear(4*state, len(h.Classes)), r.linear(len(h.Classes), about)
	m.second = r.both(2*state+about, state)
	m.label, m.head, m.ranks = r.linear(2*state, len(h.Labels)), r.linear(4*state, hidden), r.linear(hidden, len(h.Classes))
	m.next = r.matrix(len(h.Labels), len(h.Labels))
	if r.short || len(r.rest) > 0 {
		return nil, errSize
	}
	for k := range m.labels {
		for l := range m.labels {
			if !m.follows(k, l) {
				m.next.row(k)[l] += never
			}
		}
	}
	return m, nil
}

// weights reads tables. What is missing is zero, and noted.
type weights struct {
	rest  []byte
	short bool
}

// take is the scale and the bytes of a table of n numbers of a width.
func (r *weights) take(n, width int) (float32, []byte) {
	size := 4 + n*width
	if n < 0 || len(r.rest) < size {
		r.short, r.rest = true, nil
		return 0, nil
	}
	b := r.rest[:size]
	r.rest = r.rest[size:]
	return math.Float32frombits(binary.LittleEndian.Uint32(b)), b[4:]
}

func (r *weights) small(rows, cols int) (float32, table) {
	scale, b := r.take(rows*cols, 1)
	t := table{cols, make([]int8, len(b))}
	for i, v := range b {
		t.at[i] = int8(v)
	}
	return scale, t
}

func (r *weights) matrix(rows, cols int) matrix {
	scale, b := r.take(rows*cols, 2)
	m := matrix{rows, cols, make([]float32, len(b)/2)}
	for i := range m.at {
		m.at[i] = float32(int16(binary.LittleEndian.Uint16(b[2*i:]))) * scale
	}
	return m
}

// turned is a matrix whose columns are the rows of the table.
func (r *weights) turned(rows, cols int) matrix {
	m := r.matrix(rows, cols)
	if len(m.at) == 0 { // the file is short
		return matrix{rows: cols, cols: rows}
	}
	out := newMatrix(cols, rows)
	for i := range rows {
		for k, v := range m.row(i) {
			out.at[k*rows+i] = v
		}
	}
	return out
}

func (r *weights) linear(in, out int) linear { return linear{r.turned(out, in), r.matrix(1, out).at} }

func (r *weights) both(in, state int) both {
	var b both
	for _, l := range []*lstm{&b.forth, &b.back} {
		l.in.weights, l.before = r.turned(4*state, in), r.turned(4*state, state)
	}
	b.forth.in.bias, b.back.in.bias = r.matrix(1, 4*state).at, r.matrix(1, 4*state).at
	return b
}
