package mirror

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/koda-video/koda/internal/koda"
)

// The records of a batch, which is a tar in gzip: an entry a file.
const (
	recordBase    = "KODA.base"    // the digest that the change began from
	recordDeleted = "KODA.deleted" // the file is deleted
)

// MediaType is the type of a batch.
const MediaType = "application/gzip"

// WriteBatch writes changes, with the digests they began from.
func WriteBatch(w io.Writer, changes []koda.FileChange, base map[string]string) error {
	zip := gzip.NewWriter(w)
	out := tar.NewWriter(zip)
	for _, c := range changes {
		if err := writeEntry(out, c, base[c.Path]); err != nil {
			return fmt.Errorf("pack %s: %w", c.Path, err)
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

func writeEntry(out *tar.Writer, c koda.FileChange, base string) error {
	h := &tar.Header{Typeflag: tar.TypeReg, Name: c.Path, Size: int64(len(c.Data)), Mode: 0o644, Format: tar.FormatPAX, PAXRecords: map[string]string{}}
	if base != "" {
		h.PAXRecords[recordBase] = base
	}
	if c.Deleted {
		h.PAXRecords[recordDeleted] = "1"
	}
	err := out.WriteHeader(h)
	if err == nil {
		_, err = out.Write(c.Data)
	}
	return err
}

// ReadBatch calls each with the changes of a batch, as they come. Limit is the most bytes of
// a file of that name, and all the most of all. INVALID_INPUT: it is no batch, or too large.
func ReadBatch(r io.Reader, limit func(path string) int64, all int64, each func(c koda.FileChange, base string) error) error {
	wrong := func(err error) error {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "read a batch of files", Err: err}
	}
	zip, err := gzip.NewReader(r)
	if err != nil {
		return wrong(err)
	}
	in := tar.NewReader(zip)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return wrong(err)
		}
		all -= h.Size
		switch {
		case h.Typeflag != tar.TypeReg:
			return wrong(fmt.Errorf("%q is not a file", h.Name))
		case h.Size > limit(h.Name) || all < 0:
			return wrong(fmt.Errorf("%q is too large", h.Name))
		}
		c := koda.FileChange{Path: h.Name, Deleted: h.PAXRecords[recordDeleted] != ""}
		if c.Data, err = io.ReadAll(in); err != nil { // the size is only what the batch says
			return wrong(err)
		}
		if err := each(c, h.PAXRecords[recordBase]); err != nil {
			return err
		}
	}
}
