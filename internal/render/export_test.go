package render

// SegmentSize is segmentSize, for tests.
var SegmentSize = segmentSize
