package agentlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// Bounds of what is kept.
const (
	longest  = 8 << 20   // bytes of a line that is understood
	keptText = 32 << 10  // bytes of a text that does not fit
	keptJSON = 128 << 10 // bytes of a block
	mostOpen = 1000      // calls of tools that have no answer yet
)

// Parser makes steps of the lines of an agent. The zero value is ready.
type Parser struct {
	// Dir is the directory in which the agent works: names of files in it are told without it.
	Dir string
	// Lines counts the lines that are not blank, Odd those of them that were not understood.
	Lines, Odd int

	partial []byte // the line that goes on
	passed  int    // bytes of the line beyond longest
	steps   []koda.AgentStep
	open    bool   // a turn goes on
	says    bool   // the agent says when a turn ends
	session string // what the agent said of itself before the turn
	calls   []call // tools that were called and have not answered
	piece   []byte // a message that comes in pieces
	spent   koda.Cost
	last    string // text of the last message
}

// call is a use of a tool.
type call struct {
	id    string
	block map[string]any
}

// Write takes bytes of the agent; it never fails.
func (p *Parser) Write(b []byte) (int, error) {
	n := len(b)
	for {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		room := min(len(line), longest-len(p.partial))
		p.partial = append(p.partial, line[:room]...)
		p.passed += len(line) - room
		if !whole {
			return n, nil
		}
		p.endLine()
		b = rest
	}
}

// Steps returns the steps since the last call.
func (p *Parser) Steps() []koda.AgentStep {
	steps := p.steps
	p.steps = nil
	return steps
}

// Close ends the log: the last line may have no end. Failure says why the agent was cut off;
// nil if it ended by itself.
func (p *Parser) Close(failure *koda.Failure) {
	p.endLine()
	if failure == nil && p.says {
		failure = &koda.Failure{Code: koda.CodeFailed, Message: "the agent ended without a result"}
	}
	if p.open || p.session != "" {
		p.end(koda.AgentEnd{Failure: failure})
	}
}

func (p *Parser) endLine() {
	line, passed := p.partial, p.passed
	p.partial, p.passed = nil, 0
	text := bytes.TrimSpace(line)
	if len(text) == 0 && passed == 0 {
		return
	}
	p.Lines++
	if passed == 0 && (text[0] == '{' || text[0] == '[') && p.understands(text) {
		return
	}
	p.Odd++
	content := map[string]any{"text": cut(string(bytes.TrimSuffix(line, []byte{'\r'})))}
	if size := len(line) + passed; size > keptText || !utf8.Valid(line) {
		content["bytes"] = size
	}
	p.block(koda.BlockLine, content)
}

// understands takes a line of JSON, and reports whether it means something.
func (p *Parser) understands(text []byte) bool {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var v any
	if in.Decode(&v) != nil || in.More() {
		return false
	}
	if all, ok := v.([]any); ok { // Claude Code can print all its lines as one
		known := len(all) > 0
		for _, one := range all {
			m, ok := one.(map[string]any)
			known = known && ok && p.knows(m)
		}
		if known {
			for _, one := range all {
				p.take(one.(map[string]any)) //nolint:errcheck // see above
			}
		}
		return known
	}
	m, ok := v.(map[string]any)
	if known := ok && p.knows(m); !known {
		return false
	}
	p.take(m)
	return true
}

func (p *Parser) begin(input string) {
	if p.open {
		return
	}
	p.open = true
	p.steps = append(p.steps, koda.AgentStep{Begin: &koda.AgentTurn{Input: cut(input)}})
	if p.session != "" {
		p.put(koda.BlockMessage, message(koda.RoleSystem, p.session))
		p.session = ""
	}
}

func (p *Parser) put(kind koda.BlockType, content any) {
	p.steps = append(p.steps, koda.AgentStep{Block: &koda.AgentBlock{Type: kind, Content: fit(content)}})
}

// block adds a block to the turn, and begins a turn if none goes on.
func (p *Parser) block(kind koda.BlockType, content any) {
	p.whole()
	p.begin("")
	p.put(kind, content)
}

// whole ends a message that came in pieces.
func (p *Parser) whole() {
	if text := string(p.piece); text != "" {
		p.piece = nil
		p.say(koda.RoleAssistant, text)
	}
}

func (p *Parser) say(role, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if p.block(koda.BlockMessage, message(role, text)); role == koda.RoleAssistant {
		p.last = text
	}
}

func message(role, text string) map[string]any {
	return map[string]any{"role": role, "content": text}
}

// calling notes a use of a tool, which becomes a block with its answer.
func (p *Parser) calling(id, name string, input any) {
	p.whole()
	p.begin("")
	block := map[string]any{"name": name}
	if input != nil {
		block["input"] = input
	}
	if len(p.calls) == mostOpen {
		p.put(koda.BlockTool, p.calls[0].block)
		p.calls = p.calls[1:]
	}
	p.calls = append(p.calls, call{id, block})
}

// answered ends a use of a tool. A tool that nobody called is told by its answer.
func (p *Parser) answered(id string, output any, failure string) {
	block := map[string]any{"name": ""}
	for i, c := range p.calls {
		if c.id == id {
			block = c.block
			p.calls = append(p.calls[:i:i], p.calls[i+1:]...)
			break
		}
	}
	if output != nil {
		block["output"] = output
	}
	if failure != "" {
		block["error"] = failure
	}
	p.block(koda.BlockTool, block)
}

func (p *Parser) file(path string, size int, deleted bool) {
	if rel, err := filepath.Rel(p.Dir, path); p.Dir != "" && filepath.IsAbs(path) && err == nil && filepath.IsLocal(rel) {
		path = filepath.ToSlash(rel)
	}
	content := map[string]any{"path": path}
	if size >= 0 {
		content["size"] = size
	}
	if deleted {
		content["deleted"] = true
	}
	p.block(koda.BlockFile, content)
}

// end ends the turn. Calls without an answer are told as they are.
func (p *Parser) end(end koda.AgentEnd) {
	p.whole()
	p.begin("")
	for _, c := range p.calls {
		p.put(koda.BlockTool, c.block)
	}
	if end.Failure != nil {
		end.Failure.Message = cut(end.Failure.Message)
	}
	end.Cost = end.Cost.Plus(p.spent)
	p.steps = append(p.steps, koda.AgentStep{End: &end})
	p.open, p.says, p.calls, p.last, p.spent = false, false, nil, "", koda.Cost{}
}

// cut makes a text fit: valid, and not long.
func cut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= keptText {
		return text
	}
	return strings.ToValidUTF8(text[:keptText], "") + fmt.Sprintf("… (%d bytes)", len(text))
}

// fit cuts the texts of a block that is too large, and if that is not enough the block.
func fit(content any) any {
	data, err := json.Marshal(content)
	if err == nil && len(data) <= keptJSON {
		return content
	}
	size := len(data)
	content = cutAll(content)
	if data, err = json.Marshal(content); err == nil && len(data) <= keptJSON {
		return content
	}
	return map[string]any{"text": cut(string(data)), "bytes": size}
}

func cutAll(v any) any {
	switch v := v.(type) {
	case string:
		return cut(v)
	case []any:
		for i := range v {
			v[i] = cutAll(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = cutAll(v[k])
		}
	}
	return v
}
