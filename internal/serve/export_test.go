package serve

// Public is public, for tests.
var Public = public
