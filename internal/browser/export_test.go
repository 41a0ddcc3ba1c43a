package browser

// Misplace makes the tab read pixels from a little beside the bitmap, as if the
// browser had moved the bitmap.
func (t *Tab) Misplace() {
	for i := range t.buffer.pieces {
		t.buffer.pieces[i] += 40
	}
}

// Ticks is the compositor's clock, in ms: each drawing moves it.
func (t *Tab) Ticks() float64 { return t.ticks }
