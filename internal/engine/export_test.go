package engine

// The rule of sandbox reuse, for its table.
type (
	SandboxFacts = sandboxFacts
	SandboxMove  = sandboxMove
)

var DecideSandbox = decideSandbox

const ContextLost = contextLost
