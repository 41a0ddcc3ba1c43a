// Package bundle turns the files of a project into the one page that koda draws, with
// esbuild as a library.
//
// It owns the page: what becomes of index.html, of the TypeScript that index.html loads,
// of public/ and of the page runtime, and how mistakes in them are told. Every picture
// that koda shows is a picture of a page made here, in every sandbox. So the same project
// never gives two pictures.
//
// It refuses to import URLs, files outside the project, modules of node, and packages
// that neither the directory nor the runtime has; the same holds for addresses in CSS. It
// reads nothing of the host, because a project is a file system in memory or a directory
// behind [fs.FS], and esbuild never looks at a disk.
//
// # What is on a page
//
// The page asks for files as it would ask a static server. As in Vite, public/ lies at
// the root, and wins there over a file beside index.html. But when a module imports a
// path, the path means the source file. Besides the files that the page loads, it has
// every file of its directory that it may ask for, by the rules of served.go.
//
// # Packages
//
// A package comes from the node_modules of the importing file's directory, or of a
// directory above it, up to the project's root, by node's rules for browsers. The
// runtime's own packages come from the runtime, unless the directory has another version:
// a page that pins its own three must get that three. Then the packages that belong to it
// must come from the directory too, so that there is only one react and one three: the
// whole page is bundled with one choice for each package (see chooseOwn). A project that
// koda made uses the runtime alone, because koda draws its versions, which have no
// node_modules. An import map comes before both.
//
// # Invariants
//
//   - Equal files give equal bytes: no path, no time, no order of a map and no number of
//     processors gets into a page. The same project in another directory, with another
//     cache, has the same digest.
//   - A failed build is one *koda.Error of code BUILD_FAILED that names the first mistake
//     as file:line:column. Its details hold all mistakes.
//   - Code that cannot be read, or not within seconds, ends a separate process and never
//     koda: see [Trial].
//   - The runtime is read from the program itself, compressed in pieces. It never lies
//     unpacked on a disk, where it could be damaged or changed, or belong to another
//     koda. A page takes the pieces it uses, in milliseconds.
//
// # Why the runtime is bundled ahead of time
//
// A page with three.js carries a megabyte of code that no project changes. To parse, link
// and minify this code again takes half a second on two cores. [PackRuntime] does this
// once, when koda is built: each package becomes a minified ES module, with shared
// chunks, so that there is one react and one three. A project's bundle then holds the
// project's own code and imports the rest by URL. esbuild sees only a list of each
// package's exports, which is enough to name a wrong import. Packages of which pages use
// a small part (lucide-react, three/addons) stay source, and only the used part is
// bundled.
package bundle
