package koda

// AgentLog is a part of what an outside agent says of its work while koda watches it. The
// parts of one run of an agent follow each other: a step that is known already is left out, so
// a part can be sent again.
type AgentLog struct {
	Run   string      `json:"run" minLength:"8" maxLength:"64" pattern:"^[0-9a-f]*$" doc:"names the run of the agent, the same in all parts; hexadecimal digits"`
	From  int         `json:"from" minimum:"0" doc:"number of the first step, from 0"`
	Steps []AgentStep `json:"steps,omitempty" maxItems:"5000"`
	Over  bool        `json:"over,omitempty" doc:"nothing follows"`
}

// AgentStep is one thing an outside agent did. One field is set.
type AgentStep struct {
	Begin *AgentTurn  `json:"begin,omitempty" doc:"a turn begins"`
	Block *AgentBlock `json:"block,omitempty" doc:"a block of the turn"`
	End   *AgentEnd   `json:"end,omitempty" doc:"the turn ends"`
}

// AgentTurn begins a turn of an outside agent.
type AgentTurn struct {
	Input string `json:"input,omitempty" maxLength:"65536" doc:"what the agent was asked, if it says so"`
}

// AgentBlock is a block of a turn of an outside agent.
type AgentBlock struct {
	Type    BlockType `json:"type" doc:"message, tool, file, error, or line for what koda did not understand"`
	Content any       `json:"content"`
}

// AgentEnd is the end of a turn of an outside agent. Failure says why it failed.
type AgentEnd struct {
	Failure *Failure `json:"failure,omitempty"`
	Cost    Cost     `json:"cost,omitzero"`
}

// The bounds of a part of an agent's log.
const (
	MaxAgentSteps = 5000
	MaxAgentBlock = 256 << 10 // bytes of the content of a block, in JSON
)
