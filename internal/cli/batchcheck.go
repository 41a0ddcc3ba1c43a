package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// mostChecked is how many rows are tried before a project is made for them.
const mostChecked = 20

// checkRows refuses rows of which none goes with a brief, before anything is made. Used are the fields that file names use.
func (a *app) checkRows(ctx context.Context, r engine.NewRequest, rows []row, used []string) error {
	b := r.Brief
	if b.Author == "model" {
		return nil
	}
	for _, file := range r.Assets {
		asset, err := a.deps.CheckAsset(file)
		if err != nil {
			return err
		}
		b.Assets = append(b.Assets, asset)
	}
	base, err := a.deps.CheckBrief(ctx, b)
	if err != nil {
		return err
	}
	var failed []string
	var first error
	for _, r := range rows[:min(len(rows), mostChecked)] {
		one := b
		if one.Params = maps.Clone(b.Params); one.Params == nil {
			one.Params = map[string]string{}
		}
		for name, value := range r.fields {
			text, isText := value.(string)
			if !isText {
				data, err := json.Marshal(value)
				if err != nil {
					return err
				}
				text = string(data)
			}
			if !slices.Contains(used, name) && !picture.MatchString(text) {
				one.Params[name] = text
			}
		}
		wanted, err := a.deps.CheckBrief(ctx, one)
		if err == nil && wanted.Seconds != base.Seconds {
			err = usage("the rows of a batch share one length: leave out what changes the length, or set duration", "the row makes a video of %s s, and the project has %s s", number(wanted.Seconds), number(base.Seconds))
		}
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
		failed = append(failed, rowFailure(r.number, err))
	}
	return noRow(len(rows), failed, first)
}

// noRow is the error of a batch of which no row can be drawn.
func noRow(rows int, failed []string, first error) error {
	op := fmt.Sprintf("none of the %s can be drawn", count(rows, "row"))
	switch {
	case rows == 1:
		op = "the row cannot be drawn"
	case rows > len(failed):
		op = fmt.Sprintf("none of the first %s can be drawn", count(len(failed), "row"))
	}
	op += ": " + widget.Line(first.Error())
	return &koda.Error{Code: koda.CodeUsage, Op: op, Hint: koda.HintOf(first), Details: strings.Join(failed[1:], "\n")}
}

// hopeless is the error of planned rows if none of them can be drawn, because of what they hold.
func hopeless(specs []planned) error {
	var failed []string
	for i, s := range specs {
		if code := koda.CodeOf(s.bad); s.bad == nil || code != koda.CodeInvalidInput && code != koda.CodeUsage {
			return nil
		}
		failed = append(failed, rowFailure(i+1, s.bad))
	}
	return noRow(len(specs), failed, specs[0].bad)
}

// bringRows puts the pictures that rows name into a project: those beside the file of the rows, or below it, that the project has
// not got.
func (a *app) bringRows(ctx context.Context, dir, file string, rows []row) error {
	beside := "."
	if file != "-" {
		beside = filepath.Dir(file)
	}
	for _, r := range rows {
		for _, name := range slices.Sorted(maps.Keys(r.fields)) {
			said, isText := r.fields[name].(string)
			if !isText || !picture.MatchString(said) || strings.HasPrefix(said, "public/") || !a.theirs(beside, said) {
				continue
			}
			to := path.Join("public/images", filepath.Base(said))
			if exists(filepath.Join(dir, filepath.FromSlash(to))) {
				continue
			}
			if _, err := a.deps.CheckAsset(within(beside, said)); err != nil {
				return err
			}
			data, err := readData(ctx, within(beside, said))
			if err != nil {
				return err
			}
			at := filepath.Join(dir, filepath.FromSlash(to))
			if err := makeDir(at); err != nil {
				return err
			}
			if err := atomicfile.Write(at, data, 0o644); err != nil {
				return writeFailed("write "+to, err, "put the picture into public/images of the project")
			}
			a.warn(fmt.Sprintf("%s is in the project now, as %s", said, to))
		}
	}
	return nil
}
