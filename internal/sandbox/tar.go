package sandbox

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// Files travel in and out of a sandbox in one piece as a tar stream (POSIX.1-2001, as
// package archive/tar writes it): regular files only, by their paths in the sandbox,
// sorted. Owners, modes and times are not kept, so equal files are equal streams.

// Limits bound how much of a sandbox is read into memory. Untrusted code may have
// written the files.
type Limits struct {
	Files int   // number of files
	File  int64 // bytes of one file
	Total int64 // bytes of all files
}

// mostDirectories bounds the directories of a stream, which hold nothing.
const mostDirectories = 100_000

// Pack writes files as a tar stream.
func Pack(w io.Writer, files map[string][]byte) error {
	t := tar.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := pack(t, name, files[name]); err != nil {
			return err
		}
	}
	return t.Close()
}

func pack(t *tar.Writer, name string, data []byte) error {
	h := tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(data)), Format: tar.FormatPAX}
	if err := t.WriteHeader(&h); err != nil {
		return fmt.Errorf("pack %s: %w", name, err)
	}
	if _, err := t.Write(data); err != nil {
		return fmt.Errorf("pack %s: %w", name, err)
	}
	return nil
}

// Unpack reads a tar stream to its end and calls visit for each file in it. Visit
// may keep the data. Directories are skipped.
//
// INVALID_PATH: the stream holds a link, a device, a path that leads out of the
// project, or a path twice. READ_FAILED: the stream breaks off, or holds more than
// limits allow.
func Unpack(r io.Reader, limits Limits, visit func(name string, data []byte) error) error {
	t := tar.NewReader(r)
	seen := map[string]bool{}
	var total int64
	for directories := 0; ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return broken(err)
		}
		if h.Typeflag == tar.TypeDir {
			if directories++; directories > mostDirectories {
				return broken(errors.New("there are too many directories"))
			}
			continue
		}
		if h.Typeflag != tar.TypeReg || !fs.ValidPath(h.Name) || h.Name == "." || seen[h.Name] {
			return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("the sandbox sent %.200q, which is not a file of the project", h.Name)}
		}
		seen[h.Name] = true
		total += h.Size
		if len(seen) > limits.Files || h.Size > limits.File || total > limits.Total {
			return &koda.Error{
				Code: koda.CodeReadFailed, Op: fmt.Sprintf("the sandbox holds more than a project can: %d files, %d MB, the last %d MB", len(seen), total>>20, h.Size>>20),
				Hint: "delete the files that the animation does not need",
			}
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return broken(err)
		}
		if err := visit(h.Name, data); err != nil {
			return err
		}
	}
}

func broken(err error) error {
	return &koda.Error{Code: koda.CodeReadFailed, Op: "the sandbox's files did not arrive whole", Err: err}
}

// Snapshot is [Bulk.Snapshot] for a sandbox that hands its files out one by one. A file
// that is deleted meanwhile is left out.
func Snapshot(ctx context.Context, files Files, paths []string, w io.Writer) error {
	if paths == nil {
		entries, err := files.List(ctx, ".", true)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Dir {
				paths = append(paths, e.Path)
			}
		}
	}
	t := tar.NewWriter(w)
	for _, path := range paths {
		data, err := files.ReadFile(ctx, path)
		if koda.CodeOf(err) == koda.CodeFileNotFound {
			continue
		}
		if err != nil {
			return err
		}
		if err := pack(t, path, data); err != nil {
			return err
		}
	}
	return t.Close()
}

// Fill is [Bulk.Fill] for a sandbox that takes its files one by one.
func Fill(ctx context.Context, files Files, r io.Reader) error {
	limits := Limits{Files: 1 << 20, File: 1 << 40, Total: 1 << 40} // the stream is koda's own
	return Unpack(r, limits, func(name string, data []byte) error { return files.WriteFile(ctx, name, data) })
}

// Put writes files into a sandbox in one piece.
func Put(ctx context.Context, sb Bulk, files map[string][]byte) error {
	return through(func(w io.Writer) error { return Pack(w, files) }, func(r io.Reader) error { return sb.Fill(ctx, r) })
}

// Get reads files of a sandbox in one piece; nil paths stand for all. Its errors are those
// of [Bulk.Snapshot] and [Unpack].
func Get(ctx context.Context, sb Bulk, paths []string, limits Limits) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := through(func(w io.Writer) error { return sb.Snapshot(ctx, paths, w) }, func(r io.Reader) error {
		return Unpack(r, limits, func(name string, data []byte) error {
			files[name] = data
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return files, nil
}

// through connects write and read by a pipe and returns when both are done. The
// writer's error comes first, as it is the cause of the reader's.
func through(write func(io.Writer) error, read func(io.Reader) error) error {
	r, w := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := write(w)
		w.CloseWithError(err)
		written <- err
	}()
	err := read(r)
	_ = r.Close() //nolint:errcheck // it ends the writer after the reader gave up; it never fails
	if werr := <-written; werr != nil && !errors.Is(werr, io.ErrClosedPipe) {
		return werr
	}
	return err
}
