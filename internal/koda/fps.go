package koda

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ntsc maps the decimal spellings of the NTSC family to the exact rates of SMPTE
// 170M, so that 29.97 means 30000/1001 and not 2997/100.
var ntsc = map[string]FPS{
	"23.976": {24000, 1001}, "23.98": {24000, 1001},
	"29.97": {30000, 1001}, "47.952": {48000, 1001},
	"59.94": {60000, 1001}, "119.88": {120000, 1001},
}

// ParseFPS reads "60", "29.97" or "30000/1001". Rates below 1 or above 240
// frames a second are refused with INVALID_INPUT.
func ParseFPS(s string) (FPS, error) {
	s = strings.TrimSpace(s)
	bad := func() (FPS, error) {
		return FPS{}, &Error{
			Code: CodeInvalidInput, Op: fmt.Sprintf("frame rate %q is not usable", s),
			Hint: "give a rate from 1 to 240, such as 30, 60, 29.97 or 30000/1001",
		}
	}
	if f, ok := ntsc[s]; ok {
		return f, nil
	}
	num, den, isRatio := strings.Cut(s, "/")
	if isRatio {
		n, err1 := strconv.Atoi(num)
		d, err2 := strconv.Atoi(den)
		if err1 != nil || err2 != nil || n < 1 || d < 1 || n > 1_000_000 || d > 1_000_000 {
			return bad()
		}
		return reduce(n, d, bad)
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || v < 1 || v > 240 {
		return bad()
	}
	if v == math.Trunc(v) {
		return FPS{int(v), 1}, nil
	}
	return reduce(int(math.Round(v*1000)), 1000, bad)
}

func reduce(n, d int, bad func() (FPS, error)) (FPS, error) {
	a, b := n, d
	for b != 0 {
		a, b = b, a%b
	}
	n, d = n/a, d/a
	if n < d || n > 240*d {
		return bad()
	}
	return FPS{n, d}, nil
}
