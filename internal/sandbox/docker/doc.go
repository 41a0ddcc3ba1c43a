// Package docker speaks to a Docker engine.
//
// It owns every import of the Docker client. So far it answers one question,
// whether an engine is there ([Ping]), for `koda doctor` and for the choice of
// a sandbox; sandboxes of kind docker are made by a later part of it.
//
// It refuses to start an engine, to pull anything, and to wait long: an engine
// that does not answer within two seconds is none.
package docker
