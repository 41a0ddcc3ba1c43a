package bundle

import (
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/projectfs"
)

// kinds holds, by extension, a file's media type and how a project gets a file that it
// imports. The table is koda's own, because the system's tables differ between machines.
var kinds = map[string]struct {
	media  string
	loader api.Loader
}{
	".html": {"text/html", api.LoaderNone}, ".htm": {"text/html", api.LoaderNone}, ".xhtml": {"application/xhtml+xml", api.LoaderNone},
	".js": {"text/javascript", api.LoaderJSX}, ".mjs": {"text/javascript", api.LoaderJSX}, ".cjs": {"text/javascript", api.LoaderJSX},
	".jsx": {"text/javascript", api.LoaderJSX}, ".ts": {"text/javascript", api.LoaderTS},
	".mts": {"text/javascript", api.LoaderTS}, ".cts": {"text/javascript", api.LoaderTS}, ".tsx": {"text/javascript", api.LoaderTSX},
	".css": {"text/css", api.LoaderCSS}, ".json": {"application/json", api.LoaderJSON},
	".txt": {"text/plain", api.LoaderText}, ".md": {"text/plain", api.LoaderText}, ".csv": {"text/csv", api.LoaderFile}, ".cast": {"text/plain", api.LoaderFile},
	".glsl": {"text/plain", api.LoaderText}, ".vert": {"text/plain", api.LoaderText}, ".frag": {"text/plain", api.LoaderText},
	".wgsl": {"text/plain", api.LoaderText}, ".tsv": {"text/tab-separated-values", api.LoaderFile}, ".geojson": {"application/geo+json", api.LoaderFile},
	".topojson": {"application/json", api.LoaderFile}, ".webmanifest": {"application/manifest+json", api.LoaderFile}, ".yaml": {"text/plain", api.LoaderFile},
	".yml": {"text/plain", api.LoaderFile}, ".vtt": {"text/vtt", api.LoaderFile}, ".srt": {"text/plain", api.LoaderFile}, ".pdf": {"application/pdf", api.LoaderFile},
	".xml": {"application/xml", api.LoaderFile}, ".svg": {"image/svg+xml", api.LoaderFile},
	".png": {"image/png", api.LoaderFile}, ".jpg": {"image/jpeg", api.LoaderFile}, ".jpeg": {"image/jpeg", api.LoaderFile},
	".gif": {"image/gif", api.LoaderFile}, ".webp": {"image/webp", api.LoaderFile}, ".avif": {"image/avif", api.LoaderFile},
	".ico": {"image/x-icon", api.LoaderFile}, ".bmp": {"image/bmp", api.LoaderFile},
	".apng": {"image/apng", api.LoaderFile}, ".jfif": {"image/jpeg", api.LoaderFile}, ".cur": {"image/x-icon", api.LoaderFile}, ".jxl": {"image/jxl", api.LoaderFile},
	".woff": {"font/woff", api.LoaderFile}, ".woff2": {"font/woff2", api.LoaderFile},
	".ttf": {"font/ttf", api.LoaderFile}, ".otf": {"font/otf", api.LoaderFile}, ".ttc": {"font/collection", api.LoaderFile},
	".eot": {"application/vnd.ms-fontobject", api.LoaderFile},
	".mp3": {"audio/mpeg", api.LoaderFile}, ".wav": {"audio/wav", api.LoaderFile}, ".ogg": {"audio/ogg", api.LoaderFile},
	".m4a": {"audio/mp4", api.LoaderFile}, ".flac": {"audio/flac", api.LoaderFile}, ".aac": {"audio/aac", api.LoaderFile},
	".opus": {"audio/ogg", api.LoaderFile}, ".weba": {"audio/webm", api.LoaderFile}, ".ogv": {"video/ogg", api.LoaderFile}, ".m4v": {"video/mp4", api.LoaderFile},
	".mp4": {"video/mp4", api.LoaderFile}, ".webm": {"video/webm", api.LoaderFile}, ".mov": {"video/quicktime", api.LoaderFile},
	".glb": {"model/gltf-binary", api.LoaderFile}, ".gltf": {"model/gltf+json", api.LoaderFile},
	".hdr": {"application/octet-stream", api.LoaderFile}, ".exr": {"application/octet-stream", api.LoaderFile},
	".ktx2": {"image/ktx2", api.LoaderFile}, ".bin": {"application/octet-stream", api.LoaderFile},
	".wasm": {"application/wasm", api.LoaderFile}, ".obj": {"text/plain", api.LoaderFile}, ".fbx": {"application/octet-stream", api.LoaderFile},
	".mtl": {"text/plain", api.LoaderFile}, ".stl": {"model/stl", api.LoaderFile}, ".ply": {"application/octet-stream", api.LoaderFile}, ".drc": {"application/octet-stream", api.LoaderFile},
	".basis": {"application/octet-stream", api.LoaderFile}, ".dds": {"image/vnd-ms.dds", api.LoaderFile}, ".tga": {"image/x-tga", api.LoaderFile},
	".lottie": {"application/zip", api.LoaderFile}, ".riv": {"application/octet-stream", api.LoaderFile}, ".fnt": {"text/plain", api.LoaderFile},
}

func mediaType(url string) string {
	if kind, ok := kinds[strings.ToLower(path.Ext(url))]; ok {
		return kind.media
	}
	return "application/octet-stream"
}

// legacy and defining are settings of a tsconfig.json that change what code means. The
// file may have comments and trailing commas, which no JSON reader takes.
var (
	legacy   = regexp.MustCompile(`"experimentalDecorators"\s*:\s*true`)
	defining = regexp.MustCompile(`"useDefineForClassFields"\s*:\s*(true|false)`)
)

// tsconfig is what koda tells esbuild about TypeScript.
func (p *pageBuild) tsconfig() string {
	options := map[string]any{"jsx": "react-jsx", "target": "ESNext", "useDefineForClassFields": true}
	if p.files != nil {
		if text, err := fs.ReadFile(p.files, "tsconfig.json"); err == nil && len(text) <= projectfs.MaxSettings {
			if legacy.Match(text) {
				options["experimentalDecorators"] = true
			}
			if m := defining.FindSubmatch(text); m != nil {
				options["useDefineForClassFields"] = string(m[1]) == "true"
			}
		}
	}
	raw, err := json.Marshal(map[string]any{"compilerOptions": options})
	if err != nil {
		return "{}"
	}
	return string(raw)
}
