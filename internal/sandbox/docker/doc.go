// Package docker makes sandboxes in containers of a Docker engine.
//
// It owns every import of the Docker client. A sandbox is a container whose first
// process is koda's guest (package guest); this package does the rest: the image with
// the guest, the container's life, and the streams to the guest. `koda doctor` and the
// choice of a sandbox ask whether an engine answers ([Ping]).
//
//   - The guest is added to any image as one layer. The new image's tag is made of the
//     digests of the image and of the guest, so it is made once.
//   - A container has no network, no capabilities and no writable files but those in
//     memory; its user is 1000. The guest's lease ends it when koda is gone, and the
//     engine removes it then.
//   - A stream to the guest is the standard streams of `koda-guest join`, which the
//     engine starts in the container. It ends when koda ends, however koda ends.
//   - The labels of a container say whose it is.
//
// It refuses to start an engine, to pull anything, and to wait long: an engine that
// does not answer within two seconds counts as absent.
package docker
