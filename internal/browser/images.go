package browser

import (
	"bytes"
	"maps"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// mostImages bounds the animated images of a page that play from time 0 before
// they are shown.
const mostImages = 64

// animatedImages lists the files of a page that are images with several pictures.
func animatedImages(files map[string]koda.PageFile) []string {
	list := []string{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if len(list) < mostImages && animated(files[path].Body) {
			list = append(list, path)
		}
	}
	return list
}

// animated reports whether a file is an image that moves, or a GIF, which may.
func animated(body []byte) bool {
	head := body[:min(len(body), 4096)]
	switch {
	case bytes.HasPrefix(head, []byte("GIF8")):
		return true
	case bytes.HasPrefix(head, []byte("\x89PNG")):
		return bytes.Contains(head, []byte("acTL"))
	case bytes.HasPrefix(head, []byte("RIFF")):
		return bytes.Contains(head, []byte("WEBPVP8X")) && bytes.Contains(head, []byte("ANIM"))
	}
	return len(head) > 12 && bytes.Contains(head[4:min(len(head), 64)], []byte("ftypavis"))
}
