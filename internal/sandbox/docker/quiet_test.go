package docker_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox/docker"
)

// An image that makes no progress is given up, at once if the engine does not answer any more.
func TestBuild_quiet(t *testing.T) {
	for name, c := range map[string]struct {
		image      string
		hangs      bool // the engine, once the work has begun
		says, hint string
	}{
		"a step":        {docker.Name, false, "step 2 of 7, install fonts: nothing was heard of it for 500ms", "has to print something"},
		"the engine":    {docker.Name, true, "step 2 of 7, install fonts: ask the engine whether it still works: the engine does not answer", "restart docker"},
		"a registry":    {"mine", false, "pull image mine: nothing was heard of it for 500ms", "reaches"},
		"while it gets": {"mine", true, "the engine does not answer", "restart docker"},
	} {
		t.Run(name, func(t *testing.T) {
			over := make(chan struct{})
			var begun atomic.Bool
			engine(t, "1.41", func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, "/build"), strings.HasSuffix(r.URL.Path, "/images/create"):
					fmt.Fprintln(w, `{"stream":"Step 2/7 : RUN : \"install fonts\"; fc-cache\n"}`)
					_ = http.NewResponseController(w).Flush()
					begun.Store(c.hangs)
					<-over
				case strings.Contains(r.URL.Path, "/images/"):
					w.WriteHeader(http.StatusNotFound)
					fmt.Fprint(w, `{"message":"no such image"}`)
				case begun.Load():
					<-over
				}
			})
			t.Cleanup(func() { close(over) })
			e := open(t, docker.ImageConfig{Name: c.image, Files: fstest.MapFS{"Dockerfile": {Data: []byte("FROM x")}}, Quiet: 500 * time.Millisecond})
			_, err := e.Build(t.Context(), false, func(koda.BuildStep) {})
			if koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(fmt.Sprint(err), c.says) || !strings.Contains(koda.HintOf(err), c.hint) {
				t.Errorf("%v (%s, %s)", err, koda.CodeOf(err), koda.HintOf(err))
			}
		})
	}
}
