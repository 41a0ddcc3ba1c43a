package tagger_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/koda-video/koda/internal/tagger"
)

// The sizes of the model of these tests.
const (
	vector, word, mark, state, about, hidden = 3, 2, 4, 5, 2, 6
)

var (
	labels  = []string{"O", "B-name", "I-name", "B-place", "I-place"}
	classes = []string{"letter", "list", "map"}
	words   = []string{"ada", "hello", "of"}
	marks   = []string{"capital", "first"}
	common  = []string{"day", "hello"}
)

// table is a table of a model file as numbers, row by row.
type table struct {
	cols int
	at   []float64
}

func (t table) row(i int) []float64 { return t.at[i*t.cols : (i+1)*t.cols] }

// random is a model file with random weights, and its tables.
func random(t *testing.T) ([]byte, []table) {
	t.Helper()
	head, err := json.Marshal(map[string]any{"labels": labels, "classes": classes, "words": words, "marks": marks, "vectors": common, "sizes": []int{vector, word, mark, state, about, hidden}})
	if err != nil {
		t.Fatal(err)
	}
	file := append(head, '\n')
	in, n := vector+word+mark, len(labels)
	shapes := [][2]int{{len(common) + 1, vector}, {len(words) + 1, word}, {len(marks) + 1, mark}}
	lstm := func(in int) {
		shapes = append(shapes, [2]int{4 * state, in}, [2]int{4 * state, state}, [2]int{4 * state, in}, [2]int{4 * state, state}, [2]int{1, 4 * state}, [2]int{1, 4 * state})
	}
	linear := func(in, out int) { shapes = append(shapes, [2]int{out, in}, [2]int{1, out}) }
	lstm(in)
	linear(4*state, len(classes))
	linear(len(classes), about)
	lstm(2*state + about)
	linear(2*state, n)
	linear(4*state, hidden)
	linear(hidden, len(classes))
	shapes = append(shapes, [2]int{n, n})
	var tables []table
	r := rand.New(rand.NewPCG(1, 2))
	for i, s := range shapes {
		scale, most := float32(1)/4096, 4096
		if i == 0 {
			scale, most = float32(1)/64, 127
		}
		file = binary.LittleEndian.AppendUint32(file, math.Float32bits(scale))
		t := table{cols: s[1]}
		for range s[0] * s[1] {
			v := r.IntN(2*most+1) - most
			if i == 0 {
				file = append(file, byte(int8(v)))
			} else {
				file = binary.LittleEndian.AppendUint16(file, uint16(int16(v)))
			}
			t.at = append(t.at, float64(v)*float64(scale))
		}
		tables = append(tables, t)
	}
	return file, tables
}

// sentence is a sequence with words and marks that the model knows, and some that it does not.
var sentence = []tagger.Token{
	{Word: "hello", Marks: []string{"first", "capital"}}, {Word: "ada"}, {Word: "lovelace", Marks: []string{"capital", "unheard"}}, {Word: "of"}, {Word: "day"}, {Word: "zürich"},
}

// TestRead: labels and classes are those of the equations, worked out again here with doubles and by trying every path.
func TestRead(t *testing.T) {
	t.Parallel()
	file, tables := random(t)
	m, err := tagger.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= len(sentence); n++ {
		spans, ranks := m.Read(sentence[:n])
		wantPath, wantRanks := equations(tables, sentence[:n])
		if got := tagger.Labels(n, spans); !slices.Equal(got, wantPath) {
			t.Errorf("%d tokens: labels %v, want %v", n, got, wantPath)
		}
		for i, c := range ranks {
			if want := wantRanks[slices.Index(classes, c.Name)]; math.Abs(float64(c.Score)-want) > 1e-4 || i > 0 && c.Score > ranks[i-1].Score {
				t.Errorf("%d tokens: %s has %v as place %d, want %v", n, c.Name, c.Score, i+1, want)
			}
		}
	}
	if spans, ranks := m.Read(nil); spans != nil || len(ranks) != len(classes) {
		t.Errorf("no tokens: %v %v", spans, ranks)
	}
}

// equations are the labels and the scores of the classes of a sequence.
func equations(t []table, tokens []tagger.Token) ([]string, []float64) {
	at := func(list []string, s string) int { return slices.Index(list, s) + 1 }
	var x [][]float64
	for _, token := range tokens {
		row := make([]float64, vector)
		if i := at(common, token.Word); i > 0 {
			copy(row, t[0].row(i))
		}
		row = append(row, t[1].row(at(words, token.Word))...)
		sum := make([]float64, mark)
		for _, name := range token.Marks {
			if i := at(marks, name); i > 0 {
				plus(sum, t[2].row(i))
			}
		}
		x = append(x, append(row, sum...))
	}
	h := twoWays(t[3:9], x)
	guess := layer(t[9], t[10], pooled(h))
	total := 0.0
	for i := range guess {
		guess[i] = math.Exp(guess[i])
		total += guess[i]
	}
	for i := range guess {
		guess[i] /= total
	}
	for i := range h {
		h[i] = append(h[i], layer(t[11], t[12], guess)...)
	}
	h = twoWays(t[13:19], h)
	head := layer(t[21], t[22], pooled(h))
	for i := range head {
		head[i] = max(head[i], 0)
	}
	best, most := []string(nil), math.Inf(-1)
	for code := range int(math.Pow(float64(len(labels)), float64(len(tokens)))) {
		score, path, before := 0.0, []string(nil), -1
		for i := range tokens {
			l := code % len(labels)
			code /= len(labels)
			score += layer(t[19], t[20], h[i])[l]
			if before >= 0 {
				score += t[25].row(before)[l]
			}
			if inside := labels[l][0] == 'I'; inside && (before < 1 || labels[before][2:] != labels[l][2:]) {
				score = math.Inf(-1)
			}
			path, before = append(path, labels[l]), l
		}
		if score > most {
			best, most = path, score
		}
	}
	return best, layer(t[23], t[24], head)
}

func plus(sum, v []float64) {
	for i := range sum {
		sum[i] += v[i]
	}
}

func layer(weights, bias table, in []float64) []float64 {
	out := slices.Clone(bias.at)
	for i := range out {
		for k, w := range weights.row(i) {
			out[i] += w * in[k]
		}
	}
	return out
}

func pooled(h [][]float64) []float64 {
	n := len(h[0])
	out := make([]float64, 2*n)
	for k := range n {
		out[k] = h[0][k]
		for _, row := range h {
			out[k] = max(out[k], row[k])
			out[n+k] += row[k] / float64(len(h))
		}
	}
	return out
}

// twoWays is a layer that reads both ways: weights for the input and for what was said before, each way, and the biases.
func twoWays(t []table, x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for way := range 2 {
		said, cell := make([]float64, state), make([]float64, state)
		for n := range x {
			i := n
			if way == 1 {
				i = len(x) - 1 - n
			}
			gates := layer(t[2*way], t[4+way], x[i])
			plus(gates, layer(t[2*way+1], table{at: make([]float64, 4*state)}, said))
			sigmoid := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
			for k := range state {
				cell[k] = sigmoid(gates[state+k])*cell[k] + sigmoid(gates[k])*math.Tanh(gates[2*state+k])
				said[k] = sigmoid(gates[3*state+k]) * math.Tanh(cell[k])
			}
			out[i] = append(out[i], said...)
		}
	}
	return out
}

// TestLoad: a file that is cut short, too long or no model is refused.
func TestLoad(t *testing.T) {
	t.Parallel()
	file, _ := random(t)
	for _, bad := range [][]byte{nil, []byte("{}"), []byte("no model\n"), file[:len(file)-1], file[:bytes.IndexByte(file, '\n')+3], append(slices.Clone(file), 0), []byte(`{"sizes":[-1,1,1,1,1,1]}` + "\n")} {
		if _, err := tagger.Load(bad); err == nil {
			t.Errorf("%.40q is taken", bad)
		}
	}
}
