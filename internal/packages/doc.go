// Package packages lets the author of an animation install npm packages in a sandbox that
// has no network, and makes them part of the project.
//
// It owns the way to the registries ([Proxy]): while an install command runs, the sandbox
// has a port that leads to a proxy in koda's own process. The proxy connects with the hosts
// of the settings, at port 443, and refuses and names everything else. What is said there
// is between npm and the registry: the proxy does not read TLS.
//
// It owns what becomes of installed packages ([Install]): each that the page runtime does
// not have is bundled, in the sandbox, to one module, src/vendor/NAME@VERSION.js, and
// src/vendor/vendor.json says which imports mean it. These are files of the project like
// others: they are checkpointed, and package bundle obeys vendor.json. So a version needs
// no node_modules, and gives the same picture when the registry is gone.
//
// It refuses packages under the AGPL and native add-ons, which no page can load. Scripts
// that packages want to run while they are installed do not run.
//
// What the sandbox says about its packages is not trusted: it is bounded text for the
// author, and decides nothing.
package packages
