// Package docker speaks to a Docker engine.
//
// It owns every import of the Docker client. So far it answers one question: does
// an engine answer ([Ping])? `koda doctor` and the choice of a sandbox ask it.
// Sandboxes of kind docker will be made by a later part of this package.
//
// It refuses to start an engine, to pull anything, and to wait long: an engine that
// does not answer within two seconds counts as absent.
package docker
