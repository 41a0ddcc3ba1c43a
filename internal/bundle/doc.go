// Package bundle turns the files of a project into the one page koda draws,
// with esbuild as a library.
//
// It owns the page: what index.html, the TypeScript it loads, public/ and the
// page runtime become, and how mistakes in them are told. Every picture koda
// shows is of a page made here, in every sandbox, so that two pages never make
// one picture.
//
// It refuses whatever is not of the project or of the runtime: imports and CSS
// addresses of absolute paths, of what lies outside the project, of URLs, of
// node's modules, of unknown packages. Nothing of the host is read, because a
// project is a file system in memory or a directory behind [fs.FS], and esbuild
// is never asked to look at a disk.
//
// # Invariants
//
//   - Equal files give equal bytes: no path, time, order of a map or number of
//     processors is in a page. The same project in another directory, with
//     another cache, has the same digest.
//   - A failed build is one *koda.Error of code BUILD_FAILED that names the first
//     mistake as file:line:column; all mistakes are in its details.
//   - Code that cannot be read, or not in seconds, ends a process of its own and
//     never koda: see [Trial].
//   - The runtime is read from the program itself, compressed in pieces, and
//     never lies unpacked on a disk where it could be damaged, be changed or
//     belong to another koda. A page takes the pieces it uses, in milliseconds.
//
// # Why the runtime is bundled ahead of time
//
// A page with three.js carries a megabyte of code that no project changes.
// Parsing, linking and minifying it again takes half a second on two cores.
// [PackRuntime] does that once, when koda is built: each package becomes a minified ES
// module, with shared chunks so that there is one react and one three. A
// project's bundle then holds the project's own code and imports the rest by
// URL; esbuild sees of a package only the list of its exports, which is what it
// takes to name a wrong import. Packages of which pages use a small part
// (lucide-react, three/addons) stay source and are bundled as far as used.
package bundle
