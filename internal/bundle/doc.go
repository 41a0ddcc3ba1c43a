// Package bundle turns the files of a project into the one page koda draws,
// with esbuild as a library.
//
// It owns the page: what index.html, the TypeScript it loads, public/ and the
// page runtime become, and how mistakes in them are told. Every picture koda
// shows is of a page made here, in every sandbox, so that two pages never make
// one picture.
//
// It refuses imports and CSS addresses of URLs, of what lies outside the project,
// of node's modules and of packages that neither the directory nor the runtime
// has. Nothing of the host is read, because a project is a file system in memory
// or a directory behind [fs.FS], and esbuild is never asked to look at a disk.
//
// # What is on a page
//
// The page asks for files as of a static server: public/ lies at the root, as
// Vite has it, and wins there over a file beside index.html; a module that names a
// path means the source file. Beside what it loads the page has every file of its
// directory that it may ask for, by the rules of served.go.
//
// # Packages
//
// A package is taken from the node_modules of the importing file's directory or
// of one above it, up to the project's root, by the rules of node for browsers.
// The runtime's own packages are taken from the runtime, unless the directory has
// one in another version: that one wins, since a page that pins its own three must
// get it. Then what comes with it must be the directory's, too, so that there is
// one react and one three: the whole page is bundled by one choice for each package
// (see chooseOwn). A project that koda made has the runtime alone, because it is
// drawn from its versions, and these have no node_modules. An import map goes
// before both.
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
