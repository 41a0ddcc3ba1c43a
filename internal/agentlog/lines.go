package agentlog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

type object = map[string]any

// kinds says what each type of line means. The types of the agents differ, or their fields do.
// (Claude Code and Cursor: system to stream_event; Codex: thread.started to item.completed;
// Gemini CLI: init, message, tool_use, tool_result, error and result; opencode: text, tool_use,
// step_start and step_finish; blocks of koda: message, tool, file and error.)
var kinds map[string]func(*Parser, object)

func init() {
	ignore := func(*Parser, object) {}
	kinds = map[string]func(*Parser, object){
		"system": func(p *Parser, m object) {
			if text(m["subtype"]) == "init" {
				p.introduced(m)
			}
		},
		"init":      (*Parser).introduced,
		"assistant": func(p *Parser, m object) { p.parts(koda.RoleAssistant, field(m, "message")["content"]) },
		"user":      func(p *Parser, m object) { p.parts(koda.RoleUser, field(m, "message")["content"]) },
		"tool_call": (*Parser).toolCall,
		"result":    (*Parser).result,

		"stream_event": ignore, "thinking": ignore, "reasoning": ignore, "step_start": ignore,

		"thread.started": (*Parser).introduced,
		"turn.started": func(p *Parser, _ object) {
			if p.open && p.says { // the turn before ended without a word
				p.end(koda.AgentEnd{})
			}
			p.says = true
			p.begin("")
		},
		"item.started": (*Parser).item, "item.updated": ignore, "item.completed": (*Parser).item,
		"turn.completed": func(p *Parser, m object) { p.end(koda.AgentEnd{Cost: unpriced(cost(field(m, "usage")))}) },
		"turn.failed": func(p *Parser, m object) {
			p.end(koda.AgentEnd{Failure: failure(cmp.Or(wording(m["error"]), "the turn failed"))})
		},

		"message": (*Parser).message,
		"text": func(p *Parser, m object) {
			p.say(koda.RoleAssistant, cmp.Or(text(field(m, "part")["text"]), text(m["text"]), text(m["content"])))
		},
		"tool_use":    (*Parser).toolUse,
		"tool_result": (*Parser).toolResult,
		"error": func(p *Parser, m object) {
			p.block(koda.BlockError, object{"code": string(koda.CodeFailed), "message": cmp.Or(wording(m["error"]), text(m["message"]), wording(m["content"]), "error")})
		},
		"step_finish": func(p *Parser, m object) {
			part := field(m, "part")
			tokens := field(part, "tokens")
			p.spent = p.spent.Plus(koda.Cost{
				USD: money(part["cost"]), InputTokens: count(tokens["input"]) + count(field(tokens, "cache")["read"]),
				CachedTokens: count(field(tokens, "cache")["read"]), OutputTokens: count(tokens["output"]),
			})
		},

		"tool": func(p *Parser, m object) { p.block(koda.BlockTool, field(m, "content")) },
		"file": func(p *Parser, m object) {
			f := field(m, "content")
			p.file(text(f["path"]), size(f), f["deleted"] == true)
		},
		"file_write":  (*Parser).written,
		"file_create": (*Parser).written,
		"file_update": (*Parser).written,
		"file_delete": func(p *Parser, m object) { p.file(text(m["path"]), -1, true) },
	}
}

// needs are the fields without which a line of a type means nothing.
var needs = map[string][]string{
	"assistant": {"message"}, "user": {"message"}, "tool_call": {"tool_call"}, "item.started": {"item"}, "item.completed": {"item"},
	"message": {"content"}, "tool": {"content"}, "file": {"content"}, "text": {"part", "text", "content"},
	"tool_use": {"name", "tool_name", "part"}, "tool_result": {"tool_id", "tool_use_id"}, "error": {"error", "message", "content"},
	"result":     {"result", "subtype", "is_error", "status", "stats"},
	"file_write": {"path"}, "file_create": {"path"}, "file_update": {"path"}, "file_delete": {"path"}, "step_finish": {"part"},
}

// knows reports whether a line means something.
func (p *Parser) knows(m object) bool {
	kind, typed := m["type"].(string)
	if !typed {
		_, says := m["role"].(string)
		_, answers := m["response"].(string)
		return says && m["content"] != nil || answers
	}
	if kinds[kind] == nil {
		return false
	}
	for _, name := range needs[kind] {
		if m[name] != nil {
			return true
		}
	}
	return needs[kind] == nil
}

// take takes a line that means something.
func (p *Parser) take(m object) {
	kind, typed := m["type"].(string)
	switch {
	case typed:
		kinds[kind](p, m)
	case m["response"] != nil: // all that Gemini CLI says, if it is asked for one object
		p.say(koda.RoleAssistant, text(m["response"]))
	default:
		p.parts(text(m["role"]), m["content"])
	}
}

// introduced takes what an agent says of itself.
func (p *Parser) introduced(m object) {
	p.says = true
	id := cmp.Or(text(m["session_id"]), text(m["thread_id"]), text(m["sessionId"]))
	words := []string{"an outside agent"}
	if model := text(m["model"]); model != "" {
		words = append(words, "model "+model)
	}
	if id != "" {
		words = append(words, "session "+id)
	}
	if p.session = cut(strings.Join(words, ", ")); p.open {
		p.put(koda.BlockMessage, message(koda.RoleSystem, p.session))
		p.session = ""
	}
}

// parts takes the content of a message of the person or of the model.
func (p *Parser) parts(role string, content any) {
	if role != koda.RoleUser && role != koda.RoleSystem {
		role = koda.RoleAssistant
	}
	heard := func(words string) {
		if role == koda.RoleUser && !p.open && strings.TrimSpace(words) != "" {
			p.begin(words)
			return
		}
		p.say(role, words)
	}
	if words, ok := content.(string); ok {
		heard(words)
		return
	}
	list, _ := content.([]any)
	for _, one := range list {
		m, _ := one.(object)
		switch kind := text(m["type"]); kind {
		case "text":
			heard(text(m["text"]))
		case "thinking", "redacted_thinking":
		case "tool_use", "server_tool_use", "mcp_tool_use":
			p.calling(text(m["id"]), text(m["name"]), m["input"])
		default:
			if id := text(m["tool_use_id"]); id != "" {
				failed := ""
				if m["is_error"] == true {
					failed = cmp.Or(wording(m["content"]), "it failed")
				}
				p.answered(id, plain(m["content"]), failed)
				continue
			}
			p.block(koda.BlockLine, object{"text": cut(fmt.Sprint(one))})
		}
	}
}

// message takes a message as Gemini CLI or koda writes it.
func (p *Parser) message(m object) {
	if inner, ok := m["content"].(object); ok {
		m = inner
	}
	role := text(m["role"])
	if m["delta"] == true && role == koda.RoleAssistant {
		if p.begin(""); len(p.piece) < longest {
			p.piece = append(p.piece, text(m["content"])...)
		}
		return
	}
	p.whole()
	p.parts(role, m["content"])
}

// toolUse takes a tool as Gemini CLI, opencode or others name it.
func (p *Parser) toolUse(m object) {
	if part := field(m, "part"); len(part) > 0 {
		state := field(part, "state")
		p.calling(text(part["callID"]), text(part["tool"]), state["input"])
		p.answered(text(part["callID"]), state["output"], wording(state["error"]))
		return
	}
	input := m["parameters"]
	if input == nil {
		input = m["input"]
	}
	p.calling(cmp.Or(text(m["tool_id"]), text(m["id"])), cmp.Or(text(m["tool_name"]), text(m["name"])), input)
}

func (p *Parser) toolResult(m object) {
	output := m["output"]
	if output == nil {
		output = m["content"]
	}
	failed := wording(m["error"])
	if text(m["status"]) == "error" || m["is_error"] == true {
		failed = cmp.Or(failed, "it failed")
	}
	p.answered(cmp.Or(text(m["tool_id"]), text(m["tool_use_id"])), plain(output), failed)
}

// toolCall takes a tool as Cursor tells it: {"readToolCall": {"args": …, "result": …}}.
func (p *Parser) toolCall(m object) {
	for name, v := range field(m, "tool_call") {
		of, ok := v.(object)
		if !ok {
			continue
		}
		if text(m["subtype"]) == "started" {
			p.calling(text(m["call_id"]), strings.TrimSuffix(name, "ToolCall"), of["args"])
		} else {
			p.answered(text(m["call_id"]), of["result"], "")
		}
		return
	}
}

// item takes what Codex does.
func (p *Parser) item(m object) {
	it, begins := field(m, "item"), text(m["type"]) == "item.started"
	kind, id := cmp.Or(text(it["type"]), text(it["item_type"])), text(it["id"])
	switch kind {
	case "agent_message", "assistant_message":
		if !begins {
			p.say(koda.RoleAssistant, text(it["text"]))
		}
		return
	case "reasoning":
		return
	case "error":
		p.block(koda.BlockError, object{"code": string(koda.CodeFailed), "message": text(it["message"])})
		return
	case "file_change":
		changes, _ := it["changes"].([]any)
		for _, one := range changes {
			if c, ok := one.(object); ok && !begins {
				p.file(text(c["path"]), -1, text(c["kind"]) == "delete")
			}
		}
		return
	}
	input, name := object{}, kind
	for _, key := range []string{"command", "arguments", "query", "items"} {
		if v := it[key]; v != nil {
			input[key] = v
		}
	}
	if tool := text(it["tool"]); tool != "" {
		name = strings.TrimPrefix(text(it["server"])+"/"+tool, "/")
	}
	if begins {
		p.calling(id, name, input)
		return
	}
	if !p.called(id) {
		p.calling(id, name, input)
	}
	output := it["aggregated_output"]
	if output == nil {
		output = it["result"]
	}
	failed := wording(it["error"])
	if code := text(it["exit_code"]); code != "" && code != "0" {
		failed = cmp.Or(failed, "exit status "+code)
	}
	p.answered(id, output, failed)
}

func (p *Parser) called(id string) bool {
	for _, c := range p.calls {
		if c.id == id {
			return true
		}
	}
	return false
}

func (p *Parser) written(m object) {
	n := -1
	if content, ok := m["content"].(string); ok {
		n = len(content)
	}
	p.file(text(m["path"]), n, false)
}

// result takes the end of a turn.
func (p *Parser) result(m object) {
	p.whole()
	if words := text(m["result"]); words != p.last && m["is_error"] != true {
		p.say(koda.RoleAssistant, words)
	}
	end := koda.AgentEnd{}
	if usage := field(m, "usage"); len(usage) > 0 || m["total_cost_usd"] != nil {
		end.Cost = cost(usage)
		end.Cost.USD = money(m["total_cost_usd"])
	} else if stats := field(m, "stats"); len(stats) > 0 {
		end.Cost = unpriced(cost(stats))
	}
	subtype := text(m["subtype"])
	if m["is_error"] == true || strings.HasPrefix(subtype, "error") || text(m["status"]) == "error" {
		end.Failure = failure(cmp.Or(text(m["result"]), wording(m["error"]), wording(m["errors"]), strings.ReplaceAll(subtype, "_", " "), "the agent failed"))
		if subtype == "error_max_turns" || subtype == "error_max_budget_usd" {
			end.Failure.Code = koda.CodeLimitReached
		}
	}
	p.end(end)
}

func failure(text string) *koda.Failure {
	return &koda.Failure{Code: koda.CodeFailed, Message: text}
}

// cost reads tokens, as the services count them.
func cost(u object) koda.Cost {
	c := koda.Cost{InputTokens: count(u["input_tokens"]), OutputTokens: count(u["output_tokens"])}
	switch {
	case u["cache_read_input_tokens"] != nil: // of Anthropic: beside the others
		c.CachedTokens = count(u["cache_read_input_tokens"])
		c.InputTokens += c.CachedTokens + count(u["cache_creation_input_tokens"])
	case u["cached_input_tokens"] != nil:
		c.CachedTokens = count(u["cached_input_tokens"])
	default:
		c.CachedTokens = count(u["cached"])
	}
	return c
}

// unpriced marks a cost whose price the agent does not say.
func unpriced(c koda.Cost) koda.Cost {
	if c.InputTokens+c.OutputTokens > 0 {
		c.Unpriced = 1
	}
	return c
}

// mostTokens bounds what is believed of a number.
const mostTokens = 1e12

func count(v any) int64 {
	n, _ := v.(json.Number)
	f, err := n.Float64()
	if err != nil || !(f >= 0 && f <= mostTokens) {
		return 0
	}
	return int64(f)
}

func money(v any) float64 {
	n, _ := v.(json.Number)
	f, err := n.Float64()
	if err != nil || !(f >= 0 && f <= 1e6) {
		return 0
	}
	return f
}

func size(f object) int {
	if f["size"] == nil {
		return -1
	}
	return int(count(f["size"]))
}

// text is a string, or a number as it was written; "" for anything else.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func field(m object, name string) object {
	f, _ := m[name].(object)
	return f
}

// plain joins the texts of an answer that consists of texts alone.
func plain(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	var all []string
	for _, one := range list {
		m, _ := one.(object)
		if text(m["type"]) != "text" {
			return v
		}
		all = append(all, text(m["text"]))
	}
	return strings.Join(all, "\n")
}

// wording finds the words of an error, whatever its shape.
func wording(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case object:
		for _, name := range []string{"message", "text", "error"} {
			if w := wording(v[name]); w != "" {
				return w
			}
		}
		if w := wording(v["data"]); w != "" {
			return w
		}
		return text(v["name"])
	case []any:
		var all []string
		for _, one := range v {
			if w := wording(one); w != "" {
				all = append(all, w)
			}
		}
		return strings.Join(all, "; ")
	}
	return ""
}
