// Package docker makes sandboxes in containers of a Docker engine.
//
// It owns every import of the Docker client. It finds the engine that the docker command
// would use ([Connect]), builds the image of sandboxes ([Engine.Build]), checks an image
// of the person for what a sandbox needs, and lists and removes what koda keeps in the
// engine ([Engine.Inventory]). A sandbox ([Provider]) is a container whose first process
// is koda's guest (package guest); this package does the rest: the image with the guest,
// the container's life, and the streams to the guest.
//
//   - An image of koda's own making has the digest of what it is built of as its tag, so
//     a koda with other parts builds another image. A label marks it.
//   - The guest is added to any image as one layer. The new image's tag is made of the
//     digests of the image and of the guest, so it is made once.
//   - A [Drawer] draws in a container of the same image, in which no command of an author
//     runs. Its files lie in a volume of its own, as videos are larger than memory. A
//     container that ends meanwhile is replaced; one that the kernel killed again and
//     again is OUT_OF_MEMORY.
//   - A container has no network (a sandbox has one if the person asks for it) and no
//     capabilities; its user is 1000. The seccomp
//     profile is Docker's default, less most kinds of sockets and all programs of 32 bits,
//     and what the fast capture and Chromium's own sandbox need. The guest's lease ends
//     the container when koda is gone, and the engine removes it then.
//   - Code in a container writes to the project's directory, a volume in memory of bounded
//     size, to /tmp, a volume on disk that the guest watches, and to its home and shared
//     memory, which are small. Both volumes have no name and the sandbox's label, and the
//     engine removes them with the container. Its log is bounded.
//   - Not promised: that a kernel has no errors; that the code of a container leaves its
//     guest alone, which has the same user (package guest believes nothing); a bound of
//     the disk to the byte. docs/sandbox.md says all of this for people.
//   - A stream to the guest is the standard streams of `koda-guest join`, which the
//     engine starts in the container. It ends when koda ends, however koda ends.
//   - The labels of a container say whose it is. What has no label of koda's is never
//     removed.
//
// It refuses to start an engine, and to wait long for one: an engine that does not answer
// within ten seconds counts as absent.
package docker
