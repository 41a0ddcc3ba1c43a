package store

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"unicode/utf8"
)

// The shape of folded JSON; see the package's documentation. JSON folded with other
// numbers is read as well, so the numbers may change.
const (
	minContent = 128 // bytes of a value that is stored apart
	fan        = 16  // elements of a list that are stored together
	minDeflate = 256 // bytes of a content that is compressed
)

// folder folds the JSON that one transaction writes.
type folder struct {
	ctx     context.Context
	tx      *sql.Tx
	project string
	// refer is set when nothing new may be stored: known values are referred to,
	// all others stay where they stand.
	refer bool
}

// json is v in the form of a column: as JSON, which v may already be; nil when
// there is no v.
func (f folder) json(v any) (any, error) {
	if raw, ok := v.(json.RawMessage); ok && raw == nil {
		return nil, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	folded, err := f.value(raw)
	return string(folded), err
}

// text is a text in the form of two columns: a short text as it is, a long text
// folded.
func (f folder) text(s string) (plain string, folded any, err error) {
	if len(s) < minContent || !utf8.ValidString(s) {
		return s, nil, nil
	}
	folded, err = f.json(s)
	return "", folded, err
}

// value folds a value of compact JSON.
func (f folder) value(raw []byte) ([]byte, error) {
	if len(raw) < minContent {
		return raw, nil
	}
	return f.once(raw, func() ([]byte, error) {
		if raw[0] != '{' && raw[0] != '[' {
			return raw, nil
		}
		list, err := f.list(raw, elements(raw))
		if err != nil {
			return nil, err
		}
		return append(append([]byte{raw[0]}, list...), raw[len(raw)-1]), nil
	})
}

// list folds elements of an object or an array. The elements of a long list are
// stored in groups, and the groups in groups of groups: a list that grew shares all
// but its end with its earlier form.
func (f folder) list(raw []byte, all []element) ([]byte, error) {
	size := 1
	for size*fan < len(all) {
		size *= fan
	}
	var out []byte
	for len(all) > 0 {
		group := all[:min(size, len(all))]
		all = all[len(group):]
		var folded []byte
		var err error
		switch text := raw[group[0].from:group[len(group)-1].to]; {
		case size == 1:
			folded, err = f.value(raw[group[0].value:group[0].to])
			out = append(out, raw[group[0].from:group[0].value]...)
		case len(group) < size || len(text) < minContent:
			folded, err = f.list(raw, group)
		default:
			folded, err = f.once(text, func() ([]byte, error) { return f.list(raw, group) })
		}
		if err != nil {
			return nil, err
		}
		out = append(out, folded...)
		if len(all) > 0 {
			out = append(out, ',')
		}
	}
	return out, nil
}

// once refers to the content with this text. If the content is new, once stores it;
// body returns its folded form.
func (f folder) once(text []byte, body func() ([]byte, error)) ([]byte, error) {
	sum := sha256.Sum256(text)
	digest := sum[:16]
	var id int64
	err := f.tx.QueryRowContext(f.ctx, `SELECT id FROM contents WHERE project_id = ? AND digest = ?`, f.project, digest).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		folded, err := body()
		if err != nil || f.refer {
			return folded, err
		}
		res, err := f.tx.ExecContext(f.ctx, `INSERT INTO contents (project_id, digest, body) VALUES (?, ?, ?)`, f.project, digest, deflated(folded))
		if err == nil {
			id, err = res.LastInsertId()
		}
		if err != nil {
			return nil, fmt.Errorf("write content: %w", err)
		}
	} else if err != nil {
		return nil, fmt.Errorf("find content: %w", err)
	}
	return strconv.AppendInt([]byte{'@'}, id, 10), nil
}

// deflaters are lent to deflated: a new one costs a megabyte.
var deflaters = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestCompression) //nolint:errcheck // the level exists
	return w
}}

// deflated is the stored form of a body: text, or compressed bytes.
func deflated(body []byte) any {
	if len(body) < minDeflate {
		return string(body)
	}
	var b bytes.Buffer
	w := deflaters.Get().(*flate.Writer) //nolint:errcheck,forcetypeassert // they are all writers
	defer deflaters.Put(w)
	w.Reset(&b)
	_, err := w.Write(body)
	if err = errors.Join(err, w.Close()); err != nil || b.Len() > len(body)*9/10 {
		return string(body)
	}
	return b.Bytes()
}

// unfolder reads what a folder wrote. It remembers what it read.
type unfolder struct {
	ctx    context.Context
	q      querier
	bodies map[int64][]byte
}

func newUnfolder(ctx context.Context, q querier) *unfolder {
	return &unfolder{ctx: ctx, q: q, bodies: map[int64][]byte{}}
}

// json scans folded JSON into v, a pointer; NULL leaves v alone.
func (u *unfolder) json(v any) sql.Scanner { return jsonDest{u, v} }

// unfold appends the whole JSON behind folded JSON to dst.
func (u *unfolder) unfold(dst, folded []byte) ([]byte, error) {
	for {
		plain, id, rest, err := nextRef(folded)
		dst = append(dst, plain...)
		if err != nil || id == 0 {
			return dst, err
		}
		body, err := u.body(id)
		if err == nil {
			dst, err = u.unfold(dst, body)
		}
		if err != nil {
			return nil, err
		}
		folded = rest
	}
}

// mark adds to live the contents that folded JSON refers to, and the contents that
// those refer to.
func (u *unfolder) mark(folded []byte, live map[int64]bool) error {
	for {
		_, id, rest, err := nextRef(folded)
		if err != nil || id == 0 {
			return err
		}
		if !live[id] {
			live[id] = true
			body, err := u.body(id)
			if err == nil {
				err = u.mark(body, live)
			}
			if err != nil {
				return err
			}
		}
		folded = rest
	}
}

// nextRef cuts folded JSON at the first content it refers to; id is 0 when it
// refers to none.
func nextRef(folded []byte) (plain []byte, id int64, rest []byte, err error) {
	for i := 0; i < len(folded); i++ {
		switch folded[i] {
		case '"':
			i = valueEnd(folded, i) - 1
		case '@':
			end := i + 1
			for end < len(folded) && folded[end] >= '0' && folded[end] <= '9' {
				end++
			}
			if id, err = strconv.ParseInt(string(folded[i+1:end]), 10, 64); err != nil || id == 0 {
				return nil, 0, nil, fmt.Errorf("%w: %.20q is no content", ErrDamaged, folded[i:end])
			}
			return folded[:i], id, folded[end:], nil
		}
	}
	return folded, 0, nil, nil
}

// body is the folded form of a content.
func (u *unfolder) body(id int64) ([]byte, error) {
	if body, ok := u.bodies[id]; ok {
		return body, nil
	}
	var stored any
	err := u.q.QueryRowContext(u.ctx, `SELECT body FROM contents WHERE id = ?`, id).Scan(&stored)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: content %d is missing", ErrDamaged, id)
	}
	if err != nil {
		return nil, fmt.Errorf("read content: %w", err)
	}
	body, err := inflated(stored)
	// Contents refer only to contents stored before them, so that even damaged
	// contents come to an end.
	if _, next, _, refErr := nextRef(body); err == nil && (refErr != nil || next >= id) {
		err = errors.New("it refers to what cannot be")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: content %d: %w", ErrDamaged, id, err)
	}
	u.bodies[id] = body
	return body, nil
}

// inflaters are lent to inflated: a new one costs 40 kB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

func inflated(stored any) ([]byte, error) {
	switch body := stored.(type) {
	case string:
		return []byte(body), nil
	case []byte:
		r := inflaters.Get().(io.ReadCloser) //nolint:errcheck,forcetypeassert // they are all readers
		defer inflaters.Put(r)
		if err := r.(flate.Resetter).Reset(bytes.NewReader(body), nil); err != nil { //nolint:errcheck,forcetypeassert // likewise
			return nil, err
		}
		return io.ReadAll(r)
	}
	return nil, fmt.Errorf("it is stored as %T", stored)
}

// jsonDest scans a column of folded JSON.
type jsonDest struct {
	u *unfolder
	v any
}

func (d jsonDest) Scan(src any) error {
	if src == nil {
		return nil
	}
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("JSON is stored as %T", src)
	}
	raw, err := d.u.unfold(nil, []byte(text))
	if err != nil {
		return err
	}
	if whole, ok := d.v.(*json.RawMessage); ok {
		*whole = raw
		return nil
	}
	if err := json.Unmarshal(raw, d.v); err != nil {
		return fmt.Errorf("decode %T: %w", d.v, err)
	}
	return nil
}

// element is an element of an array or an object: text[from:to], with its value
// from value on.
type element struct{ from, value, to int }

// elements are the elements of an array or an object of compact JSON.
func elements(raw []byte) []element {
	var all []element
	for i := 1; i < len(raw)-1; i++ { // over the comma
		e := element{from: i, value: i}
		if raw[0] == '{' {
			e.value = valueEnd(raw, i) + 1 // over the colon
		}
		e.to = valueEnd(raw, e.value)
		all = append(all, e)
		i = e.to
	}
	return all
}

// valueEnd is where the value of compact JSON that begins at i ends; it is the
// length of raw if there is no value.
func valueEnd(raw []byte, i int) int {
	for depth := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ',', ':':
			continue
		default:
			for i+1 < len(raw) && !bytes.ContainsRune([]byte(",]}"), rune(raw[i+1])) {
				i++
			}
		}
		if depth == 0 {
			return min(i+1, len(raw))
		}
	}
	return len(raw)
}
