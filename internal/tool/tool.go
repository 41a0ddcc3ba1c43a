package tool

import (
	"encoding/json"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Tool describes one tool.
type Tool struct {
	Name        string
	Description string          // for the author, one paragraph
	Input       json.RawMessage // JSON schema of the input object
	Output      json.RawMessage // JSON schema of the output object
	Codes       []koda.Code     // failures beyond UNKNOWN_TOOL and INVALID_INPUT
	Timeout     time.Duration   // of one call
	Beside      bool            // others may be called meanwhile: the tool takes its time, and no call of it writes a file
	Reads       bool            // it reads files: others that read may be called meanwhile, and no other tool
}
