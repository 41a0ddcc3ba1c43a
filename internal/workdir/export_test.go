package workdir

// Fail turns an error of the file system into an error for people.
var Fail = fail
