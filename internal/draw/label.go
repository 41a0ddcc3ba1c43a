package draw

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// glyphs are the characters of labels, of five columns and seven rows each.
// They are drawn here so that labels need no font and look the same everywhere.
var glyphs = map[rune][7]string{
	'0': {" ### ", "#   #", "#  ##", "# # #", "##  #", "#   #", " ### "},
	'1': {"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "},
	'2': {" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"},
	'3': {" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "},
	'4': {"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "},
	'5': {"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "},
	'6': {" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "},
	'7': {"#####", "    #", "   # ", "  #  ", "  #  ", "  #  ", "  #  "},
	'8': {" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "},
	'9': {" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "},
	'v': {"     ", "     ", "#   #", "#   #", "#   #", " # # ", "  #  "},
	'-': {"     ", "     ", "     ", "#####", "     ", "     ", "     "},
	' ': {"     ", "     ", "     ", "     ", "     ", "     ", "     "},
}

// label draws a text of glyphs, white on a dark box, each dot scale pixels wide,
// as PNG.
func label(text string, scale int) ([]byte, error) {
	const advance, rows, pad = 6, 7, 2
	n := len([]rune(text))
	img := image.NewNRGBA(image.Rect(0, 0, (n*advance-1+2*pad)*scale, (rows+2*pad)*scale))
	ground, ink := color.NRGBA{A: 190}, color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i+3] = ground.A
	}
	for i, r := range []rune(text) {
		glyph, ok := glyphs[r]
		if !ok {
			return nil, fmt.Errorf("draw label %q: there is no glyph for %q", text, r)
		}
		for y, row := range glyph {
			for x, dot := range row {
				if dot != '#' {
					continue
				}
				for dy := range scale {
					for dx := range scale {
						img.SetNRGBA((pad+i*advance+x)*scale+dx, (pad+y)*scale+dy, ink)
					}
				}
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("draw label %q: %w", text, err)
	}
	return b.Bytes(), nil
}
