package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Trial is what a model did when it was asked to use a tool twice at once, for what it
// sees in a picture among others.
type Trial struct {
	Model    string `json:"model"`
	Tools    bool   `json:"tools"`
	Parallel bool   `json:"parallel"` // both uses came in one answer
	Pictures bool   `json:"pictures"` // it named the colour
	// NoPicture is why the model was asked without the picture: what came of it with one.
	NoPicture string `json:"noPicture,omitempty"`
	Usage     Usage  `json:"usage"`
}

const trialText = `Call the tool "note" twice, both calls in one answer: once with about "word" and text "koda", and once with about "colour" and as text the colour of the picture, in one English word. Say nothing else.`

const trialTool = `{"type":"object","properties":{"about":{"type":"string","enum":["word","colour"]},"text":{"type":"string"}},"required":["about","text"]}`

// Try asks a model for next to nothing, to see that it answers and what it can do. If that
// fails, the model is asked again without the picture: some servers fail by it. A failure is
// as one of Answer. If a model helps another, such as by writing its calls as text, the other
// is tried, which it offers by Bare.
func Try(ctx context.Context, m Model) (Trial, error) {
	var t Trial
	if dressed, ok := m.(interface{ Bare() Model }); ok {
		m = dressed.Bare()
	}
	picture, err := blue()
	if err != nil {
		return t, err
	}
	parts := []Part{{Picture: &Picture{MediaType: "image/png", Data: picture}}, {Text: trialText}}
	ask := func() (Response, error) {
		got, err := m.Answer(ctx, Request{
			Messages:  []Message{{Role: User, Parts: parts}},
			Tools:     []Tool{{Name: "note", Description: "Notes a text.", Input: json.RawMessage(trialTool)}},
			MaxTokens: 4000, // thoughts included
		}, nil)
		t.Model, t.Usage = got.Model, t.Usage.Plus(got.Usage)
		return got, err
	}
	got, err := ask()
	if code := koda.CodeOf(err); code == koda.CodeInvalidInput || code == koda.CodeProviderError && ctx.Err() == nil {
		parts = parts[1:]
		if again, failed := ask(); failed == nil {
			t.NoPicture, got, err = err.Error(), again, nil
		}
	}
	if err != nil {
		return t, err
	}
	uses := got.Uses()
	t.Tools, t.Parallel = len(uses) > 0, len(uses) > 1
	for _, u := range uses {
		var note struct{ About, Text string }
		if json.Unmarshal(u.Input, &note) == nil && note.About == "colour" && len(parts) > 1 {
			t.Pictures = t.Pictures || strings.Contains(strings.ToLower(note.Text), "blue")
		}
	}
	return t, nil
}

// blue is a picture of the colour blue.
func blue() ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.RGBA{B: 255, A: 255}), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("draw a picture: %w", err)
	}
	return b.Bytes(), nil
}
