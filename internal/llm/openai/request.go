package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// params is a request as the API wants it.
func (m *Model) params(req llm.Request) (sdk.ChatCompletionNewParams, error) {
	p := sdk.ChatCompletionNewParams{Model: m.cfg.Model, StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)}}
	switch most := sdk.Int(int64(req.MaxTokens)); {
	case req.MaxTokens == 0:
	case m.kind == OpenAI:
		p.MaxCompletionTokens = most
	default: // the older name, which all others know
		p.MaxTokens = most
	}
	if m.kind == OpenRouter {
		p.SetExtraFields(map[string]any{"usage": map[string]bool{"include": true}})
	}
	if req.System != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(req.System))
	}
	for _, t := range req.Tools {
		f := sdk.FunctionDefinitionParam{Name: t.Name}
		if t.Description != "" {
			f.Description = sdk.String(t.Description)
		}
		if err := json.Unmarshal(t.Input, &f.Parameters); err != nil {
			return p, &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("read the schema of the tool %q", t.Name), Err: err}
		}
		p.Tools = append(p.Tools, sdk.ChatCompletionFunctionTool(f))
	}
	for _, msg := range req.Messages {
		if msg.Role == llm.User {
			p.Messages = append(p.Messages, heard(msg)...)
			continue
		}
		answered, err := answered(msg)
		if err != nil {
			return p, err
		}
		p.Messages = append(p.Messages, answered)
	}
	return p, nil
}

// heard are the messages of what a person's side says: the results first, because they
// must follow their uses, and then everything else.
func heard(msg llm.Message) []sdk.ChatCompletionMessageParamUnion {
	var all []sdk.ChatCompletionMessageParamUnion
	var rest []llm.Part
	for _, part := range msg.Parts {
		if part.Result == nil {
			rest = append(rest, part)
			continue
		}
		text := ""
		for _, p := range part.Result.Parts {
			if p.Picture != nil {
				text += "(The picture follows.)\n"
				rest = append(rest, p)
			}
			text += p.Text
		}
		if part.Result.Failed {
			text = "FAILED: " + text
		}
		all = append(all, sdk.ToolMessage(text, part.Result.ID))
	}
	if len(rest) > 0 {
		all = append(all, spoken(rest))
	}
	return all
}

// spoken is a message of texts and pictures; without pictures it is a plain text, which
// is all that some local servers take.
func spoken(parts []llm.Part) sdk.ChatCompletionMessageParamUnion {
	var texts []string
	var content []sdk.ChatCompletionContentPartUnionParam
	pictures := false
	for _, p := range parts {
		switch {
		case p.Picture != nil:
			pictures = true
			url := "data:" + p.Picture.MediaType + ";base64," + base64.StdEncoding.EncodeToString(p.Picture.Data)
			content = append(content, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{URL: url}))
		case p.Text != "":
			texts = append(texts, p.Text)
			content = append(content, sdk.TextContentPart(p.Text))
		}
	}
	if pictures {
		return sdk.UserMessage(content)
	}
	return sdk.UserMessage(strings.Join(texts, "\n\n"))
}

// answered is the message of an answer that goes back.
func answered(msg llm.Message) (sdk.ChatCompletionMessageParamUnion, error) {
	out := &sdk.ChatCompletionAssistantMessageParam{}
	text := ""
	for _, part := range msg.Parts {
		text += part.Text
		if part.Use != nil {
			out.ToolCalls = append(out.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
				ID: part.Use.ID, Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: part.Use.Name, Arguments: string(part.Use.Input)},
			}})
		}
		if len(part.Opaque) > 0 {
			var kept opaque
			if err := json.Unmarshal(part.Opaque, &kept); err != nil {
				return sdk.ChatCompletionMessageParamUnion{}, &koda.Error{Code: koda.CodeInvalidInput, Op: "read an opaque part", Err: err}
			}
			fields := map[string]any{}
			for name, raw := range kept.Fields {
				fields[name] = raw
			}
			out.SetExtraFields(fields)
		}
	}
	if text != "" || len(out.ToolCalls) == 0 {
		out.Content.OfString = sdk.String(text)
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: out}, nil
}
