package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// params is a request as the API wants it.
func (m *Model) params(req llm.Request, info *sdk.ModelInfo) (sdk.MessageNewParams, error) {
	p := sdk.MessageNewParams{Model: m.cfg.Model, MaxTokens: int64(req.MaxTokens)}
	if info != nil && info.Capabilities.Thinking.Types.Adaptive.Supported {
		p.Thinking.OfAdaptive = &sdk.ThinkingConfigAdaptiveParam{Display: sdk.ThinkingConfigAdaptiveDisplaySummarized}
	}
	if most := mostOutput(info); p.MaxTokens == 0 || p.MaxTokens > most && info != nil && info.MaxTokens > 0 {
		p.MaxTokens = most
	}
	if req.System != "" {
		p.System = []sdk.TextBlockParam{{Text: req.System}}
	}
	for _, t := range req.Tools {
		tool := sdk.ToolParam{Name: t.Name, InputSchema: param.Override[sdk.ToolInputSchemaParam](t.Input)}
		if t.Description != "" {
			tool.Description = sdk.String(t.Description)
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: &tool})
	}
	if req.Cache { // the end of what never changes, and the end of all
		p.CacheControl = sdk.NewCacheControlEphemeralParam()
		if len(p.System) > 0 {
			p.System[0].CacheControl = sdk.NewCacheControlEphemeralParam()
		} else if n := len(p.Tools); n > 0 {
			p.Tools[n-1].OfTool.CacheControl = sdk.NewCacheControlEphemeralParam()
		}
	}
	for _, msg := range req.Messages {
		blocks, err := blocksOf(msg)
		if err != nil {
			return p, err
		}
		p.Messages = append(p.Messages, sdk.MessageParam{Role: sdk.MessageParamRole(msg.Role), Content: blocks})
	}
	return p, nil
}

func mostOutput(info *sdk.ModelInfo) int64 {
	if info == nil || info.MaxTokens == 0 {
		return unknownOutput
	}
	return info.MaxTokens
}

// blocksOf are the blocks of a message. The API wants results before all else.
func blocksOf(msg llm.Message) ([]sdk.ContentBlockParamUnion, error) {
	var results, others []sdk.ContentBlockParamUnion
	for _, part := range msg.Parts {
		switch {
		case part.Result != nil:
			results = append(results, resultOf(part.Result))
		case part.Use != nil:
			others = append(others, sdk.NewToolUseBlock(part.Use.ID, part.Use.Input, part.Use.Name))
		case part.Picture != nil:
			others = append(others, sdk.ContentBlockParamUnion{OfImage: pictureOf(part.Picture)})
		case len(part.Opaque) > 0:
			var kept opaque
			if err := json.Unmarshal(part.Opaque, &kept); err != nil {
				return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: "read an opaque part", Err: fmt.Errorf("decode it: %w", err)}
			}
			if len(kept.Block) > 0 {
				others = append(others, param.Override[sdk.ContentBlockParamUnion](kept.Block))
			}
		case part.Text != "":
			others = append(others, sdk.NewTextBlock(part.Text))
		}
	}
	return append(results, others...), nil
}

func resultOf(r *llm.ToolResult) sdk.ContentBlockParamUnion {
	block := &sdk.ToolResultBlockParam{ToolUseID: r.ID}
	if r.Failed {
		block.IsError = sdk.Bool(true)
	}
	for _, part := range r.Parts {
		switch {
		case part.Picture != nil:
			block.Content = append(block.Content, sdk.ToolResultBlockParamContentUnion{OfImage: pictureOf(part.Picture)})
		case part.Text != "":
			block.Content = append(block.Content, sdk.ToolResultBlockParamContentUnion{OfText: &sdk.TextBlockParam{Text: part.Text}})
		}
	}
	return sdk.ContentBlockParamUnion{OfToolResult: block}
}

func pictureOf(p *llm.Picture) *sdk.ImageBlockParam {
	return &sdk.ImageBlockParam{Source: sdk.ImageBlockParamSourceUnion{OfBase64: &sdk.Base64ImageSourceParam{
		Data: base64.StdEncoding.EncodeToString(p.Data), MediaType: sdk.Base64ImageSourceMediaType(p.MediaType),
	}}}
}
