package render

import "fmt"

// emptiness is the warning of a video that shows one colour from its first frame to
// its last; "" for any other video. A page that draws nothing makes such a video:
// its code failed in silence, its root stayed empty, its pictures are missing. It
// may be intended.
func (j *job) emptiness() string {
	for i := range j.plan.segments {
		if j.flat[i] == "" || j.flat[i] != j.flat[0] {
			return ""
		}
	}
	return fmt.Sprintf("every frame is the same empty picture, all of it %s: the page shows nothing", j.flat[0])
}
