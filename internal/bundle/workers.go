package bundle

import (
	"context"
	"io/fs"
	"maps"
	"slices"

	"github.com/evanw/esbuild/pkg/api"
)

// workerURL is the URL of a worker's bundle.
func workerURL(file string) string { return outputs + "/workers/" + file + ".js" }

// addWorker notes a file that is a worker and reports whether the file is bundled. A
// classic script, which may import scripts by address, stays as it is.
func (p *pageBuild) addWorker(file string, module bool) bool {
	if !module && !scripting.MatchString(file) {
		if data, err := fs.ReadFile(p.files, file); err != nil || !moduleWord.Match(data) {
			p.nameFile(file)
			return false
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers[file] = p.workers[file] || module
	return true
}

// nameFile notes a file that goes on the page unchanged.
func (p *pageBuild) nameFile(file string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.named[file] = true
}

// take notes a file in the bundle.
func (p *pageBuild) take(file string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken[file] = true
}

// bundleWorkers bundles the workers, each into a file of its own, and then the workers
// that they start.
func (p *pageBuild) bundleWorkers(ctx context.Context, into *output) error {
	done := map[string]bool{}
	for len(done) < len(p.workers) {
		for _, file := range slices.Sorted(maps.Keys(p.workers)) {
			if done[file] {
				continue
			}
			done[file] = true
			first := len(into.files)
			if err := p.bundle(ctx, []api.EntryPoint{{InputPath: "file:" + file, OutputPath: "workers/" + file}}, into); err != nil {
				return err
			}
			for _, out := range into.files[first:] {
				if !p.workers[file] && moduleWord.Match(out.Contents) {
					p.mistakes = append(p.mistakes, mistake{
						file: file, text: "this worker is a classic script, and imports modules", hint: "make it a module: new Worker(new URL(…, import.meta.url), { type: 'module' })",
					})
				}
			}
		}
	}
	return nil
}
