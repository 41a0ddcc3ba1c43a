package workdir

// Fail is how every error of the file system becomes one for people.
var Fail = fail
