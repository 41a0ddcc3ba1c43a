package model

// AlignPath is open to tests.
var AlignPath = alignPath
