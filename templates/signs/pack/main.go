// Command pack writes the pictures of the signs that koda can draw: for each name in the word file, the strokes of the
// icon in the npm package lucide-static, else in @tabler/icons, which has the same strokes, or the few that koda has drawn itself.
// Equal packages give equal files.
//
//	go run ./templates/signs/pack -from DIRECTORY_OF_LUCIDE -more DIRECTORY_OF_TABLER
package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/author/reading"
)

func main() {
	from := flag.String("from", "bin/signs/package", "directory of lucide-static")
	more := flag.String("more", "bin/signs/tabler/package", "directory of @tabler/icons")
	words := flag.String("words", "templates/recipes/words/"+reading.SignsFile, "file that names the signs")
	own := flag.String("own", "templates/signs/own.json", "file with koda's own pictures")
	out := flag.String("o", "templates/recipes/stage/src/stage/signs.ts", "file to write")
	flag.Parse()
	if err := pack(*from, *more, *words, *own, *out); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(from, more, words, own, out string) error {
	list, err := os.ReadFile(words)
	if err != nil {
		return fmt.Errorf("read the names: %w", err)
	}
	licence, err := os.ReadFile(filepath.Join(from, "LICENSE"))
	if err != nil {
		return fmt.Errorf("read the licence: %w", err)
	}
	second, err := os.ReadFile(filepath.Join(more, "LICENSE"))
	if err != nil {
		return fmt.Errorf("read the licence: %w", err)
	}
	data, err := os.ReadFile(own)
	if err != nil {
		return fmt.Errorf("read koda's own pictures: %w", err)
	}
	var ours map[string][]string
	if err := json.Unmarshal(data, &ours); err != nil {
		return fmt.Errorf("read %s: %w", own, err)
	}
	var b strings.Builder
	b.WriteString("/*! The pictures are those of Lucide and Tabler Icons.\n\nLucide:\n\n" + strings.TrimSpace(string(licence)) + "\n\nTabler Icons:\n\n" + strings.TrimSpace(string(second)) + "\n*/\n\n")
	b.WriteString("/** Strokes on a square of 24 by 24, parted by bars; a stroke with z at its end is a face. Made by templates/signs/pack. */\n")
	b.WriteString("export const signs: Record<string, string> = {\n")
	for _, name := range reading.SignNames(list) {
		strokes := ours[name]
		if strokes == nil {
			strokes, err = drawn(filepath.Join(from, "icons", name+".svg"))
			if errors.Is(err, fs.ErrNotExist) {
				strokes, err = drawn(filepath.Join(more, "icons", "outline", name+".svg"))
			}
			if err != nil {
				return fmt.Errorf("read the picture %s: %w", name, err)
			}
		}
		fmt.Fprintf(&b, "  '%s': '%s',\n", name, strings.Join(strokes, "|"))
	}
	b.WriteString("}\n")
	return atomicfile.Write(out, []byte(b.String()), 0o644)
}

// drawn are the strokes of an icon.
func drawn(file string) (strokes []string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var i icon
	if err := xml.Unmarshal(data, &i); err != nil {
		return nil, err
	}
	for _, n := range i.Nodes {
		if n.at("stroke") == "none" { // the frame of the picture
			continue
		}
		d, err := n.path()
		if err != nil {
			return nil, err
		}
		strokes = append(strokes, d)
	}
	return strokes, nil
}

// icon is a picture of the package.
type icon struct {
	Nodes []node `xml:",any"`
}

// node is an element of an icon: its name and its attributes.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
}

func (n node) at(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n node) number(name string) float64 {
	v, _ := strconv.ParseFloat(n.at(name), 64) //nolint:errcheck // what is missing is 0
	return v
}

// path is the element as a path.
func (n node) path() (string, error) {
	x, y := n.number("x"), n.number("y")
	switch n.XMLName.Local {
	case "path":
		if d := n.at("d"); closes(d) {
			return strings.TrimRight(d, "zZ ") + "z", nil
		}
		return n.at("d"), nil
	case "circle", "ellipse":
		rx, ry := n.number("rx"), n.number("ry")
		if n.XMLName.Local == "circle" {
			rx, ry = n.number("r"), n.number("r")
		}
		cx, cy := n.number("cx"), n.number("cy")
		return fmt.Sprintf("M%g %ga%g %g 0 1 1 %g 0a%g %g 0 1 1 %g 0z", cx+rx, cy, rx, ry, -2*rx, rx, ry, 2*rx), nil
	case "rect":
		w, h, r := n.number("width"), n.number("height"), max(n.number("rx"), n.number("ry"))
		return fmt.Sprintf("M%g %gh%ga%g %g 0 0 1 %g %gv%ga%g %g 0 0 1 %g %gh%ga%g %g 0 0 1 %g %gv%ga%g %g 0 0 1 %g %gz", x+r, y, w-2*r, r, r, r, r, h-2*r, r, r, -r, r, 2*r-w, r, r, -r, -r, 2*r-h, r, r, r, -r), nil
	case "line":
		return fmt.Sprintf("M%g %gL%g %g", n.number("x1"), n.number("y1"), n.number("x2"), n.number("y2")), nil
	case "polyline":
		return "M" + n.at("points"), nil
	case "polygon":
		return "M" + n.at("points") + "z", nil
	}
	return "", fmt.Errorf("it has an element %s", n.XMLName.Local)
}

// arguments is how many numbers a command of a path takes.
var arguments = map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'c': 6, 's': 4, 'q': 4, 't': 2, 'a': 7}

// closes reports whether a path is one line that ends where it began.
func closes(d string) bool {
	if strings.HasSuffix(strings.ToLower(d), "z") {
		return true
	}
	var x, y, x0, y0 float64
	var command byte
	moves := 0
	for rest := d; ; {
		rest = strings.TrimLeft(rest, " ,")
		if rest == "" {
			return moves == 1 && len(d) > 12 && max(x-x0, x0-x, y-y0, y0-y) < 0.02
		}
		if n := arguments[rest[0]|0x20]; n > 0 && rest[0] > '9' {
			command, rest = rest[0], rest[1:]
		}
		at := make([]float64, arguments[command|0x20])
		for i := range at {
			at[i], rest = next(rest, command|0x20 == 'a' && (i == 3 || i == 4))
		}
		if len(at) == 0 {
			return false
		}
		ox, oy := x, y
		if command < 'a' {
			ox, oy = 0, 0
		}
		switch command | 0x20 {
		case 'h':
			x = ox + at[0]
		case 'v':
			y = oy + at[0]
		default:
			x, y = ox+at[len(at)-2], oy+at[len(at)-1]
		}
		if command|0x20 == 'm' {
			moves++
			x0, y0 = x, y
			command-- // to l: more numbers are lines
		}
	}
}

// next is the number at the beginning of a path, and what follows it. A flag is one digit.
func next(s string, flag bool) (v float64, rest string) {
	s = strings.TrimLeft(s, " ,")
	n := min(1, len(s))
	points := strings.Count(s[:n], ".")
	for ; !flag && n < len(s); n++ {
		if s[n] == '.' {
			points++
		}
		if !slices.Contains([]byte("0123456789."), s[n]) || points > 1 {
			break
		}
	}
	v, _ = strconv.ParseFloat(s[:n], 64) //nolint:errcheck // what is no number is 0
	return v, s[n:]
}
