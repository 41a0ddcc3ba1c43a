package cli

import "github.com/koda-video/koda/internal/koda"

// made is a file that a result names. Every result uses this one shape to say where its
// files are, with the file that the person asked for first.
type made struct {
	// Kind is "video", "preview", "thumbnail", "strip", "still" or "sheet"; "frames"
	// means a directory of pictures.
	Kind    string `json:"kind"`
	Path    string `json:"path"`              // absolute
	Version int    `json:"version,omitempty"` // version of the project; absent if the file shows no version
	Size    int64  `json:"size,omitempty"`    // bytes, if known
	SHA256  string `json:"sha256,omitempty"`  // absent if not known
}

// maker is a result that names files.
type maker interface{ made() []made }

// madeOf lists the files of a project's videos.
func madeOf(o *koda.Output, p *koda.Preview) (list []made) {
	if o != nil {
		for _, path := range []string{o.Copy, o.VideoURL} {
			list = appendMade(list, made{Kind: "video", Path: path, Version: o.Version, Size: o.FileSize, SHA256: o.SHA256})
		}
		list = appendMade(list, made{Kind: "thumbnail", Path: o.ThumbnailURL, Version: o.Version})
		for i := range o.Others {
			list = append(list, madeOf(&o.Others[i], nil)...)
		}
	}
	if p != nil {
		list = append(list, made{Kind: "preview", Path: p.VideoURL, Version: p.Version})
	}
	return list
}

// appendMade appends a file if its path is not empty.
func appendMade(list []made, m made) []made {
	if m.Path == "" {
		return list
	}
	return append(list, m)
}

// madeBy lists the files of a render.
func madeBy(res *koda.RenderResult) (list []made) {
	if res == nil {
		return nil
	}
	kind := "video"
	if res.Format == "png" {
		kind = "frames"
	}
	list = append(list, made{Kind: kind, Path: res.Video, Size: res.Size, SHA256: res.SHA256})
	list = appendMade(list, made{Kind: "thumbnail", Path: res.Thumbnail})
	return appendMade(list, made{Kind: "strip", Path: res.Strip})
}

func (r *workResult) made() []made { return madeOf(r.Output, r.Preview) }

func (r *moveResult) made() []made { return madeOf(r.Output, r.Preview) }

func (r *showResult) made() []made { return madeOf(r.State.Output, r.State.Preview) }

func (r *diffResult) made() []made { return madeBy(r.Render) }

func (r *renderResult) made() []made {
	list := madeBy(r.Render)
	for i := range r.Renders {
		list = append(list, madeBy(&r.Renders[i])...)
	}
	list = appendMade(list, made{Kind: "still", Path: r.Still})
	return appendMade(list, made{Kind: "sheet", Path: r.Sheet})
}

func (r *batchResult) made() (list []made) {
	for _, row := range r.Rows {
		list = append(list, madeBy(row.Render)...)
	}
	return list
}

func (r *historyResult) made() (list []made) {
	for _, v := range r.Versions {
		list = appendMade(list, made{Kind: "video", Path: v.Video, Version: v.Number})
		list = appendMade(list, made{Kind: "thumbnail", Path: v.Thumbnail, Version: v.Number})
		list = appendMade(list, made{Kind: "preview", Path: v.Preview, Version: v.Number})
	}
	return list
}
