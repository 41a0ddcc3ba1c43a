package config

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// CacheBytes is the most bytes that finished segments may take; -1 means no bound.
func (c Config) CacheBytes() int64 { return checked(c.CacheMax) }

// BrowserBytes is the most memory that a browser may take. -1 means no bound; 0 means
// that the person set nothing.
func (c Config) BrowserBytes() int64 {
	if c.BrowserMemory == "" {
		return 0
	}
	if n := checked(c.BrowserMemory); n != 0 {
		return n
	}
	return 1 // the person said 0: hardly anything
}

// Sandboxes are the bounds of sandboxes in containers: bytes of memory and CPUs of each,
// and how many there may be. 0 means no bound.
func (c Config) Sandboxes() (memory int64, cpus float64, most int) {
	cpus, _ = parseNumber(c.SandboxCPUs)  //nolint:errcheck // Load has checked it
	count, _ := parseNumber(c.SandboxMax) //nolint:errcheck // Load has checked it
	return max(0, checked(c.SandboxMemory)), cpus, int(math.Ceil(count))
}

// Budget is how many answers of models a command, and how many dollars a project, may
// take. 0 means no bound.
func (c Config) Budget() (answers int, usd float64) {
	turns, _ := parseNumber(c.MaxTurns) //nolint:errcheck // Load has checked it
	usd, _ = parseNumber(c.MaxCost)     //nolint:errcheck // Load has checked it
	return int(math.Ceil(turns)), usd
}

// Serving are the bounds of `koda serve`: requests that write for a token and minute, bytes
// of a body, connections at a time, renders that wait. 0 means no bound.
func (c Config) Serving() (writes int, body int64, connections, waiting int) {
	count := func(text string) int {
		n, _ := parseNumber(text) //nolint:errcheck // Load has checked it
		return int(math.Ceil(n))
	}
	return count(c.ServeWrites), max(0, checked(c.ServeBody)), count(c.ServeConnections), count(c.ServeWaiting)
}

// Price is what the person says a model costs: dollars for a million tokens read, written,
// read from a cache and written to a cache; nil if nothing is said.
func (c Config) Price() []float64 {
	p, _ := parsePrice(c.ModelPrice) //nolint:errcheck // Load has checked it
	return p
}

// parsePrice reads "3/15" and "3/15/0.3/3.75". Without prices of the cache, what is read
// from it and written to it costs as much as what is read.
func parsePrice(text string) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	var p []float64
	for part := range strings.SplitSeq(text, "/") {
		n, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(n >= 0 && n <= 1e6) {
			return nil, errors.New("it is not a price")
		}
		p = append(p, n)
	}
	switch len(p) {
	case 2:
		return append(p, p[0], p[0]), nil
	case 4:
		return p, nil
	}
	return nil, errors.New("it is not a price")
}

// parseNumber reads "2", "0.5"; "none" is 0.
func parseNumber(text string) (float64, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "none" {
		return 0, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n > 0 && n <= 1e6) {
		return 0, errors.New("it is not a number above 0")
	}
	return n, nil
}

// leastRoom is the least memory in which a container can work at all.
const leastRoom = 256e6

// parseRoom reads an amount of memory in which a container can work; "none" is -1.
func parseRoom(text string) (int64, error) {
	n, err := parseBytes(text)
	if err == nil && n >= 0 && n < leastRoom {
		err = errors.New("it is too little for a container")
	}
	return n, err
}

// checked reads an amount that Load has checked.
func checked(text string) int64 {
	n, err := parseBytes(text)
	if err != nil {
		return -1
	}
	return n
}

// units are factors of bytes by name, the longest name first.
var units = []struct {
	name   string
	factor float64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12},
	{"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"b", 1}, {"", 1},
}

// parseBytes reads "10 GB", "500m", "1.5GiB", "0"; "none" is -1.
func parseBytes(text string) (int64, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "none" {
		return -1, nil
	}
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if n *= u.factor; err != nil || math.IsNaN(n) || n < 0 || n > math.MaxInt64/2 {
			break
		}
		return int64(n), nil
	}
	return 0, errors.New("it is not an amount of bytes")
}
