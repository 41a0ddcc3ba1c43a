package ffmpeg

import (
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Tool runs ffmpeg on one Host. Its methods may be called from several
// goroutines.
type Tool struct {
	host sandbox.Host
}

// New makes a Tool that starts ffmpeg through host. Nothing is started yet.
func New(host sandbox.Host) *Tool { return &Tool{host: host} }

// Build is the ffmpeg at hand.
type Build struct {
	Path     string   `json:"path"`
	Version  string   `json:"version"` // e.g. "5.1.9-0+deb12u1"
	X264     string   `json:"x264"`    // e.g. "core 164 r3095 baee400"; "" when it cannot encode H.264
	Encoders []string `json:"encoders"`
	// ID is a digest of everything about the build that can change a byte.
	ID string `json:"id"`
}

// Media is a video file as read back.
type Media struct {
	Codec         string
	Width, Height int
	FPS           koda.FPS
	Frames        int
	Duration      float64 // seconds
	PixelFormat   string
	Range         string // "tv"
	Matrix        string // "bt709"
	Primaries     string
	Transfer      string
}

// Segment is a part of a video to be joined.
type Segment struct {
	Path   string
	Frames int
}
