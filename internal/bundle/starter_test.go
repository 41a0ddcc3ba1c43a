package bundle_test

import (
	"strings"
	"testing"
)

// One page shows everything that the starter waits for and drives: suspended
// components, images that appear, effects that set state, timings of sheets,
// easings, which begin at 0 and end at 1 exactly.
func TestStarterShowsAllOfATime(t *testing.T) {
	t.Parallel()
	page := build(t, starter(archive(t, "waits.txtar")))
	at := checkStateless(t, page)
	for time, texts := range map[float64][]string{
		0:    {"sheet 0.00", "early 0.00", "data loaded", "effect 0", "eased all 0"},
		0.5:  {"sheet 0.00", "early 50.00", "effect 0.5"},
		1.25: {"sheet 25.00", "early 100.00", "effect 1.25", "width 8"},
		2.5:  {"sheet 100.00", "effect 2.5", "width 8", "eased apart"},
		4:    {"sheet 100.00", "eased all 1"},
	} {
		for _, text := range texts {
			if !strings.Contains(at[time].Markup, text) {
				t.Errorf("at %v seconds the page lacks %q:\n%s", time, text, at[time].Markup)
			}
		}
	}
}

// If a page cannot show a time, the seek fails with the reason.
func TestStarterTellsWhatFails(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ app, want string }{
		"component": {`
			import { useCurrentTime } from './koda'
			export default function App() {
				if (useCurrentTime() > 1) throw new Error('the ball is gone')
				return null
			}`, "the ball is gone"},
		"image": {`
			import { useCurrentTime } from './koda'
			export default () => useCurrentTime() > 1 ? <img src="/images/none.png" /> : null`, "/images/none.png could not be loaded"},
		"stage": {`
			import { useFrame } from '@react-three/fiber'
			import { Stage3D } from './koda/Stage3D'
			const Bad = () => { useFrame(({ clock }) => { if (clock.elapsedTime > 1) throw new Error('no frame') }); return null }
			export default () => <Stage3D><Bad /></Stage3D>`, "no frame"},
		"stage component": {`
			import { useCurrentTime } from './koda'
			import { Stage3D } from './koda/Stage3D'
			const Bad = () => { if (useCurrentTime() > 1) throw new Error('no mesh'); return null }
			export default () => <Stage3D><Bad /></Stage3D>`, "no mesh"},
		"texture": {`
			import { useTexture } from '@react-three/drei'
			import { useCurrentTime } from './koda'
			import { Stage3D } from './koda/Stage3D'
			const Bad = () => { useTexture('/images/none.png'); return null }
			export default () => { const late = useCurrentTime() > 1; return <Stage3D>{late && <Bad />}</Stage3D> }`, "none.png"},
		"wait": {`
			import { waitFor } from './koda'
			waitFor(Promise.reject(new Error('no data')))
			export default () => null`, "no data"},
	} {
		t.Run(name, func(t *testing.T) {
			page := build(t, starter(map[string]string{"src/App.tsx": tt.app}))
			_, problems := visit(t, page, "{}", 0, 0.5, 2)
			if !strings.Contains(strings.Join(problems, "\n"), tt.want) {
				t.Errorf("problems = %q, want a problem with %q", problems, tt.want)
			}
		})
	}
}
