package workdir

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // to decode GIF
	"image/jpeg"
	_ "image/png" // to decode PNG
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// Kinds of asset.
const (
	kindImage = "image"
	kindAudio = "audio"
	kindData  = "data"
)

// assetDirs are the directories of a project for each kind of asset.
var assetDirs = map[string]string{kindImage: "public/images", kindAudio: "public/audio", kindData: "public/data"}

// maxPixels bounds the images that are decoded to check them: 16k × 8k.
const maxPixels = 128 << 20

// CheckAsset reads a file that the person brought and says what it is: its name, kind,
// size and digest. AddAsset adds Path and ID. Images are PNG, JPEG, GIF, WebP and SVG,
// audio is MP3, WAV, Ogg, FLAC and AAC (.m4a, .aac), data is JSON, CSV, TSV,
// NDJSON, YAML, Markdown, plain text and recordings of terminals (.cast). The content
// decides, not the name.
//
// USAGE: the file does not exist, is not a regular file, is empty, is larger than
// MaxFile, is of another kind, or is damaged; the error says which.
func CheckAsset(source string) (koda.Asset, error) {
	asset, _, err := readAsset(source)
	return asset, err
}

// AddAsset checks the file source and copies it below public/ of the project, under its
// own name. If another content has that name, the copy gets "-2", "-3", …. The same file
// added twice is the same asset.
func (s *Storage) AddAsset(dir, source string) (koda.Asset, error) {
	const op = "add asset"
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := meta(op, dir); err != nil {
		return koda.Asset{}, err
	}
	asset, data, err := readAsset(source)
	if err != nil {
		return koda.Asset{}, err
	}
	f, err := projectfs.Open(dir)
	if err != nil {
		return koda.Asset{}, fail(op, dir, err)
	}
	defer f.Close() //nolint:errcheck // only read
	known := readAssets(f)
	ext := path.Ext(asset.Name)
	stem := cleanStem(strings.TrimSuffix(asset.Name, ext))
	for n := 1; ; n++ {
		asset.Path = assetDirs[asset.Kind] + "/" + stem + strings.ToLower(ext)
		if n > 1 {
			asset.Path = fmt.Sprintf("%s/%s-%d%s", assetDirs[asset.Kind], stem, n, strings.ToLower(ext))
		}
		if err := ValidPath(asset.Path); err != nil {
			return koda.Asset{}, err
		}
		d, err := look(f, asset.Path)
		if err != nil {
			return koda.Asset{}, fail(op, dir, err)
		}
		if d == (onDisk{}) {
			break
		}
		if d.digest == asset.SHA256 {
			return asset, nil
		}
	}
	// The list comes first: if the list names a file that is missing, nobody is harmed.
	known[asset.Path] = asset.SHA256
	list, err := json.Marshal(known)
	if err != nil {
		return koda.Asset{}, fmt.Errorf("%s: %w", op, err)
	}
	if err := overwrite(dir, assetsName, list); err != nil {
		return koda.Asset{}, fail(op, dir, err)
	}
	if err := writeFile(dir, asset.Path, data, 0o644); err != nil {
		return koda.Asset{}, fail(op, dir, err)
	}
	return asset, nil
}

// cleanStem is the stem of a file name in a form that a project can have and a URL shows.
func cleanStem(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, name)
	if name = strings.Trim(name, "-."); name == "" {
		name = "asset"
	}
	for len(name) > 100 {
		name = name[:len(name)-1]
	}
	return strings.ToValidUTF8(name, "")
}

func readAsset(source string) (koda.Asset, []byte, error) {
	bad := func(what, hint string) (koda.Asset, []byte, error) {
		return koda.Asset{}, nil, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("asset %s %s", source, what), Hint: hint}
	}
	info, err := os.Stat(source)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return bad("does not exist", "check the path")
	case err != nil:
		return bad("cannot be read: "+err.Error(), "check the path and its rights")
	case info.IsDir():
		return bad("is a directory", "give its files one by one")
	case !info.Mode().IsRegular():
		return bad("is not a regular file", "give a file")
	case info.Size() == 0:
		return bad("is empty", "give a file that holds something")
	case info.Size() > MaxFile:
		return koda.Asset{}, nil, tooLarge(koda.CodeUsage, "asset "+source, info.Size(), MaxFile)
	}
	data, err := readUpTo(source, MaxFile)
	if err != nil {
		return bad("cannot be read: "+err.Error(), "check the path and its rights")
	}
	kind, err := sniff(filepath.Ext(source), data)
	if err != nil {
		return bad(err.Error(), "koda takes images (png, jpg, gif, webp, svg), audio (mp3, wav, ogg, flac, m4a) and data (json, csv, tsv, ndjson, yaml, md, txt, cast)")
	}
	digest := digestOf(data)
	return koda.Asset{
		ID: "asset-" + digest[:12], Name: filepath.Base(source), Kind: kind, Size: int64(len(data)), SHA256: digest,
	}, data, nil
}

func readUpTo(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = errors.New("it grows while it is read")
	}
	return data, err
}

// sniff finds the kind of a content and checks that the content is whole, as far as this
// is possible without a player.
func sniff(ext string, data []byte) (kind string, err error) {
	ext = strings.ToLower(ext)
	has := func(at int, magic string) bool {
		return len(data) >= at+len(magic) && string(data[at:at+len(magic)]) == magic
	}
	switch {
	case has(0, "\x89PNG\r\n\x1a\n"), has(0, "\xff\xd8\xff"), has(0, "GIF87a"), has(0, "GIF89a"):
		return kindImage, checkRaster(data)
	case has(0, "RIFF") && has(8, "WEBP"):
		return kindImage, checkRIFF("WebP image", data)
	case has(0, "RIFF") && has(8, "WAVE"):
		return kindAudio, checkRIFF("WAV file", data)
	case has(0, "ID3"), has(0, "OggS"), has(0, "fLaC"):
		return kindAudio, nil
	case len(data) > 4 && data[0] == 0xff && data[1]&0xe0 == 0xe0 && (ext == ".mp3" || ext == ".aac"):
		return kindAudio, nil
	case has(4, "ftypM4A") || has(4, "ftyp") && ext == ".m4a":
		return kindAudio, nil
	}
	switch ext {
	case ".svg":
		return kindImage, checkSVG(data)
	case ".json":
		return kindData, checkJSON(data)
	case ".csv":
		return kindData, checkCSV(data)
	case ".tsv", ".ndjson", ".jsonl", ".yaml", ".yml", ".md", ".txt", ".cast":
		if !utf8.Valid(data) || bytes.ContainsRune(data, 0) {
			return "", errors.New("is not UTF-8 text")
		}
		return kindData, nil
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".mp3", ".wav", ".ogg", ".flac", ".m4a", ".aac":
		return "", fmt.Errorf("is damaged: inside it is not a %s file", strings.TrimPrefix(ext, "."))
	}
	return "", errors.New("is of no kind koda can use")
}

func checkRaster(data []byte) error {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	var unsupported jpeg.UnsupportedError
	switch {
	case errors.As(err, &unsupported):
		return nil // a rare kind of JPEG that browsers show
	case err != nil:
		return fmt.Errorf("is a damaged image: %w", err)
	case config.Width*config.Height > maxPixels:
		return fmt.Errorf("is too large: %d×%d pixels", config.Width, config.Height)
	}
	if _, _, err := image.Decode(bytes.NewReader(data)); err != nil && !errors.As(err, &unsupported) {
		return fmt.Errorf("is a damaged %s image: %w", strings.ToUpper(format), err)
	}
	return nil
}

// checkRIFF compares the length that the file names with its real length.
func checkRIFF(what string, data []byte) error {
	said := int64(data[4]) | int64(data[5])<<8 | int64(data[6])<<16 | int64(data[7])<<24
	if said+8 > int64(len(data)) {
		return fmt.Errorf("is a damaged %s: %d of %d bytes are there", what, len(data), said+8)
	}
	return nil
}

func checkSVG(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Entity = xml.HTMLEntity
	root := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("is a damaged SVG image: %w", err)
		}
		if start, ok := token.(xml.StartElement); ok && root == "" {
			root = start.Name.Local
		}
	}
	if root != "svg" {
		return errors.New("is not an SVG image: it has no <svg> element at its root")
	}
	return nil
}

func checkJSON(data []byte) error {
	var v any
	err := json.Unmarshal(data, &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte{'\n'})
		return fmt.Errorf("is not valid JSON: line %d: %w", line, err)
	}
	if err != nil {
		return fmt.Errorf("is not valid JSON: %w", err)
	}
	return nil
}

func checkCSV(data []byte) error {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	r.ReuseRecord, r.LazyQuotes = true, true
	if head, _, _ := bytes.Cut(data, []byte("\n")); bytes.Count(head, []byte(";")) > bytes.Count(head, []byte(",")) {
		r.Comma = ';' // as spreadsheets write it where the comma parts decimals
	}
	rows := 0
	for {
		_, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("is not valid CSV: %w", err)
		}
		rows++
	}
	if rows == 0 {
		return errors.New("is not valid CSV: it has no rows")
	}
	return nil
}
