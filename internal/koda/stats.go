package koda

import "slices"

// Stats count what was done for a project, or for several together. What a deleted project
// had is not counted any more.
type Stats struct {
	Turns         int  `json:"turns"`
	FailedTurns   int  `json:"failedTurns"`
	ModelCalls    int  `json:"modelCalls"` // answers of models, failed ones too
	ToolCalls     int  `json:"toolCalls"`  // of authors
	Cost          Cost `json:"cost"`
	Renders       int  `json:"renders"` // finished, previews and finals
	FailedRenders int  `json:"failedRenders"`
	Frames        int  `json:"frames"`       // of the finished renders
	ReusedFrames  int  `json:"reusedFrames"` // of these, taken from finished segments
	// Seconds are how long each finished render took, in the order in which they ended.
	Seconds []float64 `json:"-"`
	Took    Took      `json:"renderTime"`
}

// Took sums up how long renders took, in seconds.
type Took struct {
	Total   float64 `json:"total"`
	Median  float64 `json:"median"`
	Longest float64 `json:"longest"`
}

// SumStats adds stats up.
func SumStats(all ...Stats) (sum Stats) {
	for _, s := range all {
		sum.Turns += s.Turns
		sum.FailedTurns += s.FailedTurns
		sum.ModelCalls += s.ModelCalls
		sum.ToolCalls += s.ToolCalls
		sum.Cost = sum.Cost.Plus(s.Cost)
		sum.Renders += s.Renders
		sum.FailedRenders += s.FailedRenders
		sum.Frames += s.Frames
		sum.ReusedFrames += s.ReusedFrames
		sum.Seconds = append(sum.Seconds, s.Seconds...)
	}
	sum.Took = took(sum.Seconds)
	return sum
}

// AddRender counts a render.
func (s *Stats) AddRender(status string, res *RenderResult) {
	if status != "done" || res == nil {
		s.FailedRenders++
		return
	}
	s.Renders++
	s.Frames += res.Frames
	s.ReusedFrames += res.Reused
	s.Seconds = append(s.Seconds, float64(res.ElapsedMS)/1000)
	s.Took = took(s.Seconds)
}

func took(seconds []float64) (t Took) {
	if len(seconds) == 0 {
		return t
	}
	sorted := slices.Sorted(slices.Values(seconds))
	for _, n := range sorted {
		t.Total += n
	}
	t.Longest = sorted[len(sorted)-1]
	t.Median = (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	return t
}
