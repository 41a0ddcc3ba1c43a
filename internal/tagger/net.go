package tagger

import "math"

// All sums are of float32, in a fixed order, and each product is rounded before it is added: a processor that could do
// both in one step would give other bytes.

// matrix is rows of numbers, one behind the other.
type matrix struct {
	rows, cols int
	at         []float32
}

func newMatrix(rows, cols int) matrix { return matrix{rows, cols, make([]float32, rows*cols)} }

func (m matrix) row(i int) []float32 { return m.at[i*m.cols : (i+1)*m.cols] }

// beside is the matrix with the same numbers behind each row.
func (m matrix) beside(more []float32) matrix {
	out := newMatrix(m.rows, m.cols+len(more))
	for i := range m.rows {
		copy(out.row(i)[copy(out.row(i), m.row(i)):], more)
	}
	return out
}

// linear is a layer: weights times input, plus bias.
type linear struct {
	weights matrix // a row for each input
	bias    []float32
}

func (l linear) of(in []float32) []float32 {
	out := make([]float32, len(l.bias))
	l.add(out, in)
	return out
}

// add adds the outputs for an input to out.
func (l linear) add(out, in []float32) {
	for i, b := range l.bias {
		out[i] += b
	}
	l.weights.times(out, in)
}

// times adds the product of the matrix, a row for each input, and an input to out. It takes four inputs at a time, which
// reads and writes out less often than a sum for each output does.
func (m matrix) times(out, in []float32) {
	for len(in)%4 != 0 {
		last := len(in) - 1
		for i, w := range m.row(last) {
			out[i] += float32(w * in[last])
		}
		in = in[:last]
	}
	for k := 0; k < len(in); k += 4 {
		x0, x1, x2, x3 := in[k], in[k+1], in[k+2], in[k+3]
		a, b, c, d := m.row(k)[:len(out)], m.row(k + 1)[:len(out)], m.row(k + 2)[:len(out)], m.row(k + 3)[:len(out)]
		for i := range out {
			out[i] += (float32(a[i]*x0) + float32(b[i]*x1)) + (float32(c[i]*x2) + float32(d[i]*x3))
		}
	}
}

// lstm is a layer that reads a sequence in one direction (S. Hochreiter, J. Schmidhuber, "Long short-term memory", 1997).
// Its gates lie behind each other: input, forget, cell, output.
type lstm struct {
	in     linear
	before matrix // weights for what the layer said of the token before, a row for each
}

// both is a layer that reads in both directions.
type both struct{ forth, back lstm }

// run is what the layer says of each row: what it read forth, and behind it what it read back.
func (b both) run(x matrix) matrix {
	n := b.forth.before.rows
	out := newMatrix(x.rows, 2*n)
	b.forth.read(x, out, 0, 0, 1)
	b.back.read(x, out, n, x.rows-1, -1)
	return out
}

// read reads the rows of x, from row i on in steps of by, into the columns of out from col on.
func (l lstm) read(x, out matrix, col, i, by int) {
	n := l.before.rows
	said, cell, gates := make([]float32, n), make([]float32, n), make([]float32, 4*n)
	for ; i >= 0 && i < x.rows; i += by {
		clear(gates)
		l.in.add(gates, x.row(i))
		l.before.times(gates, said)
		for k := range n {
			cell[k] = float32(sigmoid(gates[n+k])*cell[k]) + float32(sigmoid(gates[k])*tanh(gates[2*n+k]))
			said[k] = float32(sigmoid(gates[3*n+k]) * tanh(cell[k]))
		}
		copy(out.row(i)[col:], said)
	}
}

// pool is the greatest number of each column, and behind them the mean of each.
func pool(x matrix) []float32 {
	out := make([]float32, 2*x.cols)
	most, mean := out[:x.cols], out[x.cols:]
	copy(most, x.row(0))
	for i := range x.rows {
		for k, v := range x.row(i) {
			most[k] = max(most[k], v)
			mean[k] += v
		}
	}
	for k := range mean {
		mean[k] /= float32(x.rows)
	}
	return out
}

// softmax makes scores to shares of 1.
func softmax(x []float32) {
	most, sum := x[0], float32(0)
	for _, v := range x {
		most = max(most, v)
	}
	for i, v := range x {
		x[i] = exp(v - most)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

func sigmoid(x float32) float32 { return 1 / (1 + exp(-x)) }

func tanh(x float32) float32 { return 1 - 2/(1+exp(2*x)) }

// exp is e to the x within one part in a million: 2 to the whole part of x/ln 2, times a polynomial for the rest. It is
// spelt out since math.Exp gives other bits on other processors.
func exp(x float32) float32 {
	x = float32(min(max(x, -80), 80) * math.Log2E)
	whole := float32(math.Floor(float64(x)))
	r := float32((x - whole) * math.Ln2) // 0 to ln 2
	p := float32(1)
	for k := float32(8); k >= 1; k-- { // Taylor, by Horner
		p = 1 + float32(r*p)/k
	}
	return float32(p * math.Float32frombits(uint32(int32(whole)+127)<<23))
}
