package serve

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// address is where clients get a file of a project; "" for a file outside of it.
func (s *Server) address(p koda.Project, path string) string {
	rel, err := filepath.Rel(p.Dir, path)
	if path == "" || err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return "/api/projects/" + p.ID + "/files/" + strings.ReplaceAll(url.PathEscape(filepath.ToSlash(rel)), "%2F", "/")
}
