package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Catalogue describes every tool, sorted by name. [Box.Tools] are the tools on
// offer in a place.
func Catalogue() []Tool {
	var tools []Tool
	for _, e := range entries() {
		tools = append(tools, e.Tool)
	}
	return tools
}

// entry is a tool with the function that executes it.
type entry struct {
	Tool
	offered   func(Deps) bool
	otherwise koda.Code // the code of a failure that has no code
	run       func(ctx context.Context, b *Box, input json.RawMessage) (any, error)
}

// define makes an entry from the handler's types, so that the schemas, the decoder
// and the handler cannot disagree.
func define[I, O any](name string, timeout time.Duration, codes []koda.Code, otherwise koda.Code,
	offered func(Deps) bool, run func(*Box, context.Context, I) (O, error), description string,
) entry {
	return entry{
		Tool: Tool{
			Name: name, Description: description, Timeout: timeout, Codes: codes,
			Input: schemaJSON(reflect.TypeFor[I]()), Output: schemaJSON(reflect.TypeFor[O]()),
		},
		offered: offered, otherwise: otherwise,
		run: func(ctx context.Context, b *Box, input json.RawMessage) (any, error) {
			in, err := decode[I](name, input)
			if err != nil {
				return nil, err
			}
			return run(b, ctx, in)
		},
	}
}

// Time limits of one call.
const (
	fileTimeout    = 30 * time.Second
	reportTimeout  = 10 * time.Second
	shellTimeout   = 90 * time.Second
	leastInstall   = 3 * time.Minute
	installGrace   = 6 * time.Minute // for the bundling of what was installed
	commandTimeout = 10*time.Minute + installGrace
	commandGrace   = 10 * time.Second // for the sandbox to report its own TIMEOUT
)

// entries is the catalogue, sorted by name.
var entries = sync.OnceValue(func() []entry {
	all := slices.Concat(lifecycleEntries(), commandEntries(), fileEntries(), pictureEntries(), reportEntries())
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.Name, b.Name) })
	for i := range all {
		all[i].Beside = slices.Contains([]string{
			NameSandboxRunCommand, NameSandboxStartPreview, NameSandboxScreenshot, NameSandboxLook, NameRenderPreview, NameRenderFinal,
		}, all[i].Name)
		all[i].Reads = slices.Contains([]string{NameSandboxReadFile, NameSandboxListFiles}, all[i].Name)
	}
	return all
})

// known finds a tool of the catalogue.
func known(name string) (entry, bool) {
	i := slices.IndexFunc(entries(), func(e entry) bool { return e.Name == name })
	if i < 0 {
		return entry{}, false
	}
	return entries()[i], true
}

func lifecycleEntries() []entry {
	has := func(d Deps) bool { return d.Lifecycle != nil }
	return []entry{
		define(NameSandboxCreate, 60*time.Second,
			[]koda.Code{koda.CodeQuotaExceeded, koda.CodeTemplateNotFound, koda.CodeProviderError, koda.CodeDiskFull, koda.CodeTimeout},
			koda.CodeProviderError, has, (*Box).create,
			"Create the sandbox of this session, or connect to it. Use it before the first file of an execution and after the sandbox was lost; files of the last checkpoint are put back."),
		define(NameSandboxDestroy, 60*time.Second,
			[]koda.Code{koda.CodeSandboxNotFound, koda.CodeSaveFailed, koda.CodeDiskFull, koda.CodeTimeout},
			koda.CodeSaveFailed, has, (*Box).destroy,
			"Destroy the sandbox and every process in it. With save_state its files and state are saved first; if that fails, it is kept."),
		define(NameSandboxStartPreview, 60*time.Second,
			[]koda.Code{koda.CodeServerFailed, koda.CodePortUnavailable, koda.CodeTimeout, koda.CodeSandboxNotFound},
			koda.CodeServerFailed, func(d Deps) bool { return d.Live != nil }, (*Box).startPreview,
			"Start the development server, or start it again, and return the address a person can watch the animation at."),
	}
}

func commandEntries() []entry {
	has := func(d Deps) bool { return d.Commands != nil && d.Can.Commands }
	background := func(d Deps) bool { return has(d) && d.Can.Background }
	shells := func(d Deps) bool { return d.Shells != nil && d.Can.Commands }
	codes := []koda.Code{koda.CodeNotFound, koda.CodeExecutionFailed, koda.CodeTimeout, koda.CodeSandboxNotFound}
	return []entry{
		define(NameSandboxRunCommand, commandTimeout,
			[]koda.Code{koda.CodeCommandBlocked, koda.CodeTimeout, koda.CodeExecutionFailed, koda.CodeInvalidPath, koda.CodeSandboxNotFound},
			koda.CodeExecutionFailed, has, (*Box).runCommand,
			"Run a shell command in the sandbox's project, to build, to run a script of the project, or in the background to serve it. npm install and bun add make packages part of the project, bundled in src/vendor, where the person allowed it; the packages of the page runtime need no installing. Dangerous commands are refused: rm -rf /, sudo, network commands to other hosts (package managers use their own settings), changes to system files. Long output keeps its beginning and its end. A failed command is no error: look at exit_code."),
		define(NameListProcesses, reportTimeout, codes, koda.CodeExecutionFailed, background, (*Box).listProcesses,
			"List the background commands, with the end of what each wrote, until they are stopped."),
		define(NameStopProcess, fileTimeout, codes, koda.CodeExecutionFailed, background, (*Box).stopProcess,
			"Stop a background command and all it started, and take it off the list."),
		define(NameCreateNewShell, shellTimeout, codes, koda.CodeExecutionFailed, shells, (*Box).newShell,
			"Open a terminal with a shell in the project's directory, under a name. A shell that has this name is ended first, with all it runs: so a shell in a bad state is reset. Shells keep their directory, variables and running programs from call to call; they end with the work on a todo list and with the sandbox."),
		define(NameFeedChars, shellTimeout, codes, koda.CodeExecutionFailed, shells, (*Box).feedChars,
			"Type characters into a shell, wait, and read what its terminal shows: for programs that want a terminal, that ask something or that must stay where they are. The characters are typed as given, without a newline at their end. Use sandbox_run_command for a command that simply ends, and to install packages: terminals have no way to a registry."),
	}
}

func fileEntries() []entry {
	has := func(d Deps) bool { return d.Files != nil }
	changes := func(d Deps) bool { return has(d) && !d.ReadOnly }
	write := []koda.Code{koda.CodeInvalidPath, koda.CodeWriteFailed, koda.CodeDiskFull, koda.CodeSandboxNotFound, koda.CodeTimeout}
	read := []koda.Code{koda.CodeInvalidPath, koda.CodeFileNotFound, koda.CodeReadFailed, koda.CodeSandboxNotFound, koda.CodeTimeout}
	both := []koda.Code{
		koda.CodeInvalidPath, koda.CodeFileNotFound, koda.CodeReadFailed, koda.CodeWriteFailed, koda.CodeDiskFull,
		koda.CodeSandboxNotFound, koda.CodeTimeout,
	}
	return []entry{
		define(NameSandboxWriteFile, fileTimeout, write, koda.CodeWriteFailed, changes, (*Box).writeFile,
			"Write a whole file, creating it and its directories or replacing it; never a part of one. Files go to src/, public/ or scripts/, or are configuration files at the root. The starter's own files are refused."),
		define(NameEditFile, fileTimeout, both, koda.CodeWriteFailed, changes, (*Box).editFile,
			"Change a file by replacing the one place where old_string occurs. Small slips of whole lines are forgiven: line ends, blanks, indentation, a letter. It fails when the text occurs nowhere or more than once: give enough of the surrounding text. Leave no lines out."),
		define(NameSandboxDeleteFile, fileTimeout, both, koda.CodeWriteFailed, changes, (*Box).deleteFile,
			"Delete a file. The paths are those that can be written; koda.json stays."),
		define(NameSandboxReadFile, fileTimeout, read, koda.CodeReadFailed, has, (*Box).readFile,
			"Read a file, to see what stands before changing it. A long file comes in parts: call again with next_offset as offset."),
		define(NameSandboxListFiles, fileTimeout, read, koda.CodeReadFailed, has, (*Box).listFiles,
			"List the files and directories of a directory, without node_modules and hidden files."),
	}
}

func pictureEntries() []entry {
	renders := func(d Deps) bool { return d.Renders != nil }
	pictures := func(d Deps) bool { return d.Pictures != nil }
	drawn := []koda.Code{koda.CodeCaptureFailed, koda.CodeSeekFailed, koda.CodeBuildFailed, koda.CodePageFailed, koda.CodeSaveFailed, koda.CodeDiskFull, koda.CodeTimeout, koda.CodeSandboxNotFound}
	return []entry{
		define(NameSandboxScreenshot, 60*time.Second, drawn, koda.CodeCaptureFailed, pictures, (*Box).screenshot,
			"Build the project, show the animation at a time and return a picture of it, to check how it looks."),
		define(NameSandboxLook, 5*time.Minute, drawn, koda.CodeCaptureFailed, pictures, (*Box).look,
			"Build the project, show the animation at some times and return all frames on one picture, with what they show in words, and what seems wrong: what the page throws, texts that nobody can read, frames that differ when they are drawn twice."),
		define(NameRenderPreview, 30*time.Minute,
			[]koda.Code{koda.CodeRenderFailed, koda.CodeEncodeFailed, koda.CodeStorageFailed, koda.CodeBuildFailed, koda.CodePageFailed, koda.CodeSaveFailed, koda.CodeDiskFull, koda.CodeTimeout, koda.CodeSeekFailed, koda.CodeSandboxNotFound},
			koda.CodeRenderFailed, renders, (*Box).renderPreview,
			"Render the preview video: small, 15 frames a second, fast. Use it when the code is complete and after each change."),
		define(NameRenderFinal, 6*time.Hour,
			[]koda.Code{koda.CodeRenderFailed, koda.CodeOutOfMemory, koda.CodeTimeout, koda.CodeEncodeFailed, koda.CodeStorageFailed, koda.CodeBuildFailed, koda.CodePageFailed, koda.CodeSaveFailed, koda.CodeDiskFull, koda.CodeSeekFailed, koda.CodeSandboxNotFound},
			koda.CodeRenderFailed, func(d Deps) bool { return d.Renders != nil && d.MayFinish }, (*Box).renderFinal,
			"Render the final video in full quality, with a thumbnail of its middle. Use it after the person accepted the preview."),
	}
}

func reportEntries() []entry {
	has := func(d Deps) bool { return d.Reports != nil }
	return []entry{
		define(NameUpdateTodo, reportTimeout, nil, koda.CodeFailed, func(d Deps) bool { return d.Todos != nil }, (*Box).updateTodo,
			"Say that work on a todo starts (active) or is finished (done)."),
		define(NameSetThinking, reportTimeout, nil, koda.CodeFailed, has, (*Box).setThinking,
			"Say in a few words what is being done now. Update it often during long work."),
		define(NameAddMessage, reportTimeout, nil, koda.CodeFailed, has, (*Box).addMessage,
			"Add a message to the conversation, to explain a decision or a limitation; not for progress."),
	}
}
