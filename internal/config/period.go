package config

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// Periods are the settings that are times; 0 means never.
type Periods struct {
	Checkpoint time.Duration // between two checkpoints while work goes on
	Idle       time.Duration // from the person's last word to the end of the sandbox
	Life       time.Duration // how long an unused sandbox lives
	Render     time.Duration // how long a video may take
	Model      time.Duration // how long a model may be silent
}

// Periods converts the settings that are times.
func (c Config) Periods() Periods {
	period := func(text string) time.Duration {
		d, err := ParsePeriod(text)
		if err != nil { // Load has checked it
			return 0
		}
		return d
	}
	return Periods{Checkpoint: period(c.CheckpointInterval), Idle: period(c.IdleTimeout), Life: period(c.SandboxTimeout), Render: period(c.RenderTimeout), Model: period(c.ModelTimeout)}
}

// The bounds of a period.
const (
	leastPeriod = time.Millisecond
	mostPeriod  = 365 * 24 * time.Hour
)

// ParsePeriod reads "30s", "5m", "1h30m", or a number of seconds; "none" is 0.
func ParsePeriod(text string) (time.Duration, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "none" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		var n float64
		if n, err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(n) || math.Abs(n) > mostPeriod.Seconds() {
			return 0, errors.New("it is not a time")
		}
		d = time.Duration(n * float64(time.Second))
	}
	if d < leastPeriod || d > mostPeriod {
		return 0, errors.New("it is not between 1ms and a year")
	}
	return d, nil
}
