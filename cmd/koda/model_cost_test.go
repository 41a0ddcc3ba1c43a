package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm/llmtest"
)

// TestModelRun_limits stops a project by each limit: answers, time and money. Each time
// koda is saved, and a higher limit goes on from there without paying an answer again.
func TestModelRun_limits(t *testing.T) {
	inModels(t)
	t.Parallel()
	steps := ballAndTitle()
	wire := llmtest.OpenAI
	r := newModelRun(t, wire, "openai", steps...)
	r.env = append(r.env, "KODA_MODEL_PRICE=1000/1000/100/1000") // $0.12 an answer
	asked := func() int { return len(r.server.Asked()) }

	_, errs, status := r.koda("new", "a ball drops and a title rises", "--sandbox", "local", "--preset", "square", "--name", "demo", "--yes", "--max-turns", "2")
	if status != 7 || asked() != 2 || !strings.Contains(errs, "koda resume demo") {
		t.Fatalf("2 answers: status %d, asked %d times: %s", status, asked(), errs)
	}
	if !strings.Contains(errs, "openai/scripted may cost up to $5.00 in this project") {
		t.Errorf("of its budget koda said %s", errs)
	}

	hold := make(chan struct{})
	held := steps[2]
	held.Hold = hold
	r.serve(wire, held)
	_, errs, status = r.koda(append([]string{"resume", "demo", "--timeout", "3s"}, r.there()...)...)
	close(hold)
	if status != 124 || asked() > 1 || strings.Contains(errs, "may cost up to") {
		t.Fatalf("3 seconds: status %d, asked %d times: %s", status, asked(), errs)
	}

	r.serve(wire, steps[2:]...)
	_, errs, status = r.koda(append([]string{"resume", "demo", "--max-cost", "0.55"}, r.there()...)...)
	if status != 7 || asked() != 3 || !strings.Contains(errs, "cost $0.60, and may cost $0.55") || !strings.Contains(errs, "koda resume demo --max-cost 2") {
		t.Fatalf("$0.55: status %d, asked %d times: %s", status, asked(), errs)
	}
	if _, errs, status = r.koda(append([]string{"resume", "demo", "--max-cost", "0.55"}, r.there()...)...); status != 7 || asked() != 3 {
		t.Fatalf("$0.55 again: status %d, asked %d times: %s", status, asked(), errs)
	}

	if _, errs, status = r.koda(append([]string{"resume", "demo", "--max-cost", "2"}, r.there()...)...); status != 0 || asked() != len(steps)-2 {
		t.Fatalf("$2: status %d, asked %d times: %s", status, asked(), errs)
	}
	r.billed(koda.Bill{Model: llmtest.Name, Answers: len(steps), Cost: koda.Cost{USD: 0.12 * float64(len(steps)), InputTokens: int64(100 * len(steps)), OutputTokens: int64(20 * len(steps))}})
	shown, _, _ := r.koda("history", "demo")
	if !strings.Contains(shown, "$0.96, 800 tokens in, 160 out") {
		t.Errorf("koda history: %s", shown)
	}
}

// billed checks the bill of the project demo.
func (r *modelRun) billed(want ...koda.Bill) {
	r.t.Helper()
	shown, _, _ := r.koda("show", "demo", "--json")
	var got struct {
		Payload struct {
			Bills []koda.Bill
			Cost  koda.Cost
			Turns []koda.Turn
		}
	}
	must(r.t, json.Unmarshal([]byte(shown), &got))
	var sum, turns koda.Cost
	for _, b := range want {
		sum = sum.Plus(b.Cost)
	}
	for _, turn := range got.Payload.Turns {
		turns = turns.Plus(turn.Cost)
	}
	text := func(v any) string {
		raw, err := json.Marshal(v)
		must(r.t, err)
		return string(raw)
	}
	if got.Payload.Cost.String() != sum.String() || turns.String() != sum.String() || len(got.Payload.Bills) != len(want) {
		r.t.Fatalf("it cost %s, by turns %s, by bills %s", got.Payload.Cost, turns, text(got.Payload.Bills))
	}
	for i, b := range got.Payload.Bills {
		if b.Model != want[i].Model || b.Answers != want[i].Answers || b.Cost.String() != want[i].Cost.String() {
			r.t.Errorf("bill %s, not %s", text(b), text(want[i]))
		}
	}
}

// TestModelRun_otherModel: another model goes on in the middle of a project, on another
// wire. The bill shows both.
func TestModelRun_otherModel(t *testing.T) {
	inModels(t)
	t.Parallel()
	steps := ballAndTitle()
	for i := 1; i < len(steps); i++ {
		steps[i].Response.Model = "another"
	}
	r := newModelRun(t, llmtest.Anthropic, "anthropic", steps...)
	if _, errs, status := r.koda("new", "a ball drops and a title rises", "--sandbox", "local", "--preset", "square", "--name", "demo", "--yes", "--plan-only"); status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	r.env = append(r.env, "OPENAI_API_KEY="+llmtest.Key, "KODA_MODEL_PRICE=1000/1000")
	r.serve(llmtest.OpenAI, steps[1:]...)
	if _, errs, status := r.koda(append([]string{"accept", "demo"}, r.there()...)...); status != 0 && status != 3 {
		t.Fatalf("status %d: %s", status, errs)
	}
	n := len(steps) - 1
	r.billed(koda.Bill{Model: llmtest.Name, Answers: 1, Cost: koda.Cost{InputTokens: 100, OutputTokens: 20}},
		koda.Bill{Model: "another", Answers: n, Cost: koda.Cost{USD: 0.12 * float64(n), InputTokens: int64(100 * n), OutputTokens: int64(20 * n)}})
	if shown, _, _ := r.koda("show", "demo", "--json"); !strings.Contains(shown, `"model":"scripted, another"`) {
		t.Errorf("the version does not name both models: %s", shown)
	}
}

// TestModelRun_window makes the whole project by models that can be told little, on both
// wires: koda leaves out what it must, and goes on. The video is the same.
func TestModelRun_window(t *testing.T) {
	inModels(t)
	t.Parallel()
	for name, w := range map[string]llmtest.Wire{"anthropic": llmtest.Anthropic, "openai": llmtest.OpenAI} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := ballAndTitle()
			r := newModelRun(t, w, name)
			const window = 1 // the set-up, which has a mistake, needs three answers
			r.server = llmtest.ServeWindow(t, w, window, steps...)
			r.env = append(r.env, "KODA_BASE_URL="+r.server.URL)
			out, errs, status := r.koda("new", "a ball drops and a title rises", "--sandbox", "local", "--preset", "square", "--name", "demo", "--yes")
			if status != 0 || !strings.HasSuffix(out, "demo-v1-square.mp4") {
				t.Fatalf("status %d: %s\n%s", status, out, errs)
			}
			refused, left := 0, 0
			for _, body := range r.server.Asked() {
				if llmtest.Answers(body) > window {
					refused++
				} else if strings.Contains(string(body), "Earlier steps of this todo are left out") {
					left++
				}
			}
			if refused == 0 || left == 0 || len(r.server.Asked()) != len(steps)+refused {
				t.Errorf("asked %d times, %d refused, %d shortened", len(r.server.Asked()), refused, left)
			}
		})
	}
}

// TestModelRun_proxy: the usual variables lead to a service, on both wires, with its key. The
// proxy sees where it goes, and nothing of what is said.
func TestModelRun_proxy(t *testing.T) {
	inModels(t)
	t.Parallel()
	for name, w := range map[string]llmtest.Wire{"anthropic": llmtest.Anthropic, "openai": llmtest.OpenAI} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newModelRun(t, w, name)
			service, authority := llmtest.ServeTLS(t, w, noted)
			proxy, asked := llmtest.Proxy(t, service.URL)
			ca := filepath.Join(r.dir, "ca.pem")
			must(t, os.WriteFile(ca, authority, 0o600))
			r.env = append(r.env, "KODA_BASE_URL=https://models.example.com", "HTTPS_PROXY="+proxy, "NO_PROXY=", "SSL_CERT_FILE="+ca)
			if out, errs, status := r.koda("models", "try"); status != 0 || !strings.Contains(out, "900 tokens read") || !strings.Contains(out, "price unknown") {
				t.Errorf("status %d: %s%s", status, out, errs)
			}
			if got := asked(); len(got) == 0 || got[0] != "models.example.com:443" {
				t.Errorf("the proxy was asked for %q", got)
			}
		})
	}
}
