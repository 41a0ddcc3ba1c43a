package openai_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/openai"
	"github.com/koda-video/koda/internal/llm/service"
)

// TestModels_kinds: each server says in its own way what its models can do.
func TestModels_kinds(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	list := func(models string) string { return `{"object":"list","data":[` + models + `]}` }
	for name, c := range map[string]struct {
		kind    openai.Kind
		answers map[string]string // by method and path
		want    []llm.Info
		code    koda.Code
	}{
		"ollama": {
			kind: openai.Ollama,
			answers: map[string]string{
				"GET /v1/models": list(`{"id":"gemma:2b","object":"model","created":1,"owned_by":"library"},{"id":"qwen3-vl:8b","object":"model","created":1,"owned_by":"library"}`),
				"POST /api/show": `{"capabilities":["completion","vision","tools"],"model_info":{"qwen3vl.context_length":262144}}`,
			},
			want: []llm.Info{{ID: "gemma:2b", Pictures: &yes, Tools: &yes}, {ID: "qwen3-vl:8b", Pictures: &yes, Tools: &yes}},
		},
		"ollama, older": {
			kind:    openai.Ollama,
			answers: map[string]string{"GET /v1/models": list(`{"id":"gemma:2b","object":"model","created":1,"owned_by":"library"}`), "POST /api/show": `{"details":{}}`},
			want:    []llm.Info{{ID: "gemma:2b"}},
		},
		"ollama without models": {kind: openai.Ollama, answers: map[string]string{"GET /v1/models": `{"object":"list","data":null}`}, want: []llm.Info{}},
		"lmstudio": {
			kind: openai.LMStudio,
			answers: map[string]string{
				"GET /v1/models":     list(`{"id":"qwen2-vl-7b-instruct","object":"model","owned_by":"organization_owner"},{"id":"llama","object":"model","owned_by":"organization_owner"}`),
				"GET /api/v0/models": list(`{"id":"qwen2-vl-7b-instruct","object":"model","type":"vlm","state":"not-loaded","max_context_length":32768},{"id":"llama","type":"llm","state":"loaded","capabilities":["tool_use"],"max_context_length":131072,"loaded_context_length":4096}`),
			},
			want: []llm.Info{{ID: "qwen2-vl-7b-instruct", Pictures: &yes, Context: 32768}, {ID: "llama", Pictures: &no, Tools: &yes, Context: 4096}},
		},
		"llama.cpp": {
			answers: map[string]string{"GET /v1/models": `{"models":[{"name":"x","capabilities":["completion","multimodal"]}],` +
				list(`{"id":"gemma-4","object":"model","owned_by":"llamacpp","meta":{"n_ctx_train":131072,"n_ctx":8192},"architecture":{"input_modalities":["text","image"],"output_modalities":["text"]}}`)[1:]},
			want: []llm.Info{{ID: "gemma-4", Context: 8192, Pictures: &yes}},
		},
		"openrouter": {
			kind: openai.OpenRouter,
			answers: map[string]string{
				"GET /v1/models": list(`{"id":"a/b","created":1,"context_length":200000,"architecture":{"input_modalities":["text"]},"supported_parameters":["tools","parallel_tool_calls"],"top_provider":{"max_completion_tokens":64000},"expiration_date":"2027-01-31"}`),
				"GET /v1/key":    `{"data":{"label":"sk-or-v1-...","limit":null}}`,
			},
			want: []llm.Info{{ID: "a/b", Context: 200000, Output: 64000, Pictures: &no, Tools: &yes, Parallel: &yes, Ends: "2027-01-31"}},
		},
		"openrouter, wrong key": {kind: openai.OpenRouter, answers: map[string]string{"GET /v1/models": list(`{"id":"a/b","created":1}`)}, code: koda.CodeUnauthorized},
		"openai": {
			kind:    openai.OpenAI,
			answers: map[string]string{"GET /v1/models": list(`{"id":"gpt","object":"model","created":1,"owned_by":"openai","shutdown_date":"2027-04-01"}`)},
			want:    []llm.Info{{ID: "gpt", Ends: "2027-04-01"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				body, ok := c.answers[r.Method+" "+r.URL.Path]
				if !ok {
					http.Error(rw, `{"error":{"message":"No auth credentials found","code":401}}`, http.StatusUnauthorized)
					return
				}
				if sent, err := io.ReadAll(r.Body); err != nil || r.Method == http.MethodPost && !strings.Contains(string(sent), `{"model":"`) {
					t.Errorf("%s: %s, %v", r.URL, sent, err)
				}
				rw.Header().Set("Content-Type", "application/json")
				if _, err := io.WriteString(rw, body); err != nil {
					t.Error(err)
				}
			}))
			defer server.Close()
			got, err := openai.New(c.kind, service.Config{Name: name, Address: server.URL + "/v1", Key: config.SecretOf("sk-1"), KeyFrom: "A_KEY"}).Models(t.Context())
			if koda.CodeOf(err) != c.code {
				t.Fatalf("%v", err)
			}
			if diff := cmp.Diff(c.want, got); c.code == "" && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
