package mirror_test

import (
	"bytes"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/mirror"
)

// FuzzReadBatch: whatever comes as a batch, no file is longer than it may be, nor all together,
// and what is no batch is INVALID_INPUT. What is read, written and read again stays the same.
func FuzzReadBatch(f *testing.F) {
	for _, changes := range [][]koda.FileChange{
		{}, {{Path: "src/App.tsx", Data: []byte("export {}")}}, {{Path: "../../x", Data: []byte("x")}, {Path: "/etc/passwd", Deleted: true}}, {{Path: "a\x00b"}, {Path: ""}},
	} {
		var b bytes.Buffer
		if err := mirror.WriteBatch(&b, changes, map[string]string{"src/App.tsx": "0123"}); err != nil {
			f.Log(err) // not every name can be written
			continue
		}
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()/2])
	}
	f.Add([]byte("\x1f\x8b\x08\x00"))
	const each, all = 1000, 3000
	f.Fuzz(func(t *testing.T, data []byte) {
		var changes []koda.FileChange
		base, total := map[string]string{}, 0
		err := mirror.ReadBatch(bytes.NewReader(data), func(string) int64 { return each }, all, func(c koda.FileChange, from string) error {
			changes, base[c.Path] = append(changes, c), from
			if total += len(c.Data); len(c.Data) > each || total > all {
				t.Errorf("%d bytes of %q, %d in all", len(c.Data), c.Path, total)
			}
			return nil
		})
		if err != nil {
			if koda.CodeOf(err) != koda.CodeInvalidInput {
				t.Errorf("%v is %s", err, koda.CodeOf(err))
			}
			return
		}
		var again bytes.Buffer
		if mirror.WriteBatch(&again, changes, base) != nil {
			return
		}
		i := 0
		if err := mirror.ReadBatch(&again, func(string) int64 { return each }, all, func(c koda.FileChange, from string) error {
			if i >= len(changes) || c.Path != changes[i].Path || !bytes.Equal(c.Data, changes[i].Data) || c.Deleted != changes[i].Deleted || from != base[c.Path] {
				t.Errorf("change %d comes back as %q, %d bytes", i, c.Path, len(c.Data))
			}
			i++
			return nil
		}); err != nil || i != len(changes) {
			t.Errorf("%d of %d changes come back: %v", i, len(changes), err)
		}
	})
}
