package recipe_test

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/author/recipe"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

const ball, title = "bouncing-ball", "title"

// TestReading is what prompts come to: the recipe, the style, the parameters
// that differ from the style's own, and words the notes must hold.
func TestReading(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		prompt string
		recipe string
		want   string // "style name=value …"
		note   string // a part of some note
	}{
		// Subjects.
		{"bouncing ball", ball, "playful", "koda's choice"},
		{"Create a bouncing ball animation", ball, "playful", ""},
		{"can you make a bouncing ball?", ball, "playful", ""},
		{"how about a bouncing star?", ball, "playful shape=star", ""},
		{"half a minute of a bouncing cube", ball, "playful duration=30 shape=box", ""},
		{"heart bouncing gently, pink", ball, "smooth color=#ff7eb6 shape=heart", ""},
		{"a hopping triangle", ball, "playful shape=triangle", ""},
		{"hexagon jumps 4 times", ball, "playful bounces=4 shape=hexagon", ""},
		{"bouncing basketball", ball, "playful color=#e8742c", "plain ball"},
		{"a tennis ball bouncing", ball, "playful color=#cfe544", "tennis ball"},
		{"a ball falling into a quiet river", ball, "smooth", "river"},
		{"3 balls bouncing", ball, "playful", "3 were asked for"},
		{"three bouncing balls", ball, "playful", "draws one"},

		// Styles.
		{"smooth, minimal bouncing ball", ball, "smooth", ""},
		{"a fun bouncing ball", ball, "playful", ""},
		{"dramatic bouncing ball", ball, "cinematic", ""},
		{"bouncing ball like the Stripe website", ball, "smooth", ""},
		{"ball bounces with easeInOutQuart", ball, "cinematic", ""},
		{"a ball bouncing smoothly", ball, "smooth", ""},
		{"bouncing ball, make a movie", ball, "playful", "koda's choice"},

		// Durations.
		{"bouncing ball 4s", ball, "playful duration=4", ""},
		{"bouncing ball, 1.5 sec", ball, "playful duration=1.5", ""},
		{"10-second bouncing ball", ball, "playful duration=10", ""},
		{"bouncing ball for half a minute", ball, "playful duration=30", ""},
		{"bouncing ball, a minute and a half", ball, "playful duration=90", ""},
		{"bouncing ball 1m30s", ball, "playful duration=90", ""},
		{"bouncing ball 1 minute 10 seconds long", ball, "playful duration=70", ""},
		{"bouncing ball, twenty five seconds", ball, "playful duration=25", ""},
		{"clock ticking from 9:00 to 5:00", title, "playful text=Clock ticking from 9:00 to 5:00", "cannot draw"},
		{"a bouncing ball of length 0:08", ball, "playful duration=8", ""},
		{"five to seven seconds of a bouncing ball", ball, "playful duration=6", ""},
		{"bouncing ball, 5-10 seconds", ball, "playful duration=7.5", ""},
		{"a ball that bounces every 2 seconds", ball, "playful", ""},
		{"bouncing ball 3,5 seconds", ball, "playful duration=3.5", ""},

		// Counts.
		{"ball bounces 3 times with easeOutBack, squash on landing", ball, "playful bounces=3", ""},
		{"bouncing ball, red, 3 bounces, 4 seconds", ball, "playful bounces=3 color=#e5343d duration=4", ""},
		{"ball bouncing twice", ball, "playful bounces=2", ""},
		{"ball that bounces once, 3 seconds", ball, "playful bounces=1 duration=3", ""},
		{"a ball with three big bounces", ball, "playful bounces=3", ""},
		{"bounce the ball five times in 6 seconds", ball, "playful bounces=5 duration=6", ""},
		{"bouncing ball, bounces: 4", ball, "playful bounces=4", ""},
		{"ball bounces 3x", ball, "playful bounces=3", ""},
		{"ball bouncing 3 times per second", ball, "playful", "over the whole video"},

		// Colours.
		{"a red ball on a navy background", ball, "playful background=#14225c color=#e5343d", ""},
		{"ball #ff8800 on #123", ball, "playful background=#112233 color=#ff8800", ""},
		{"bouncing ball rgb(10, 20, 30)", ball, "playful color=#0a141e", ""},
		{"the background is dark green and the ball is white", ball, "playful background=#006400 color=#ffffff", ""},
		{"light blue ball, pale yellow background", ball, "playful background=#ffeeba color=#add8e6", ""},
		{"a navy blue bouncing ball", ball, "playful color=#14225c", ""},
		{"rebeccapurple ball, background: hotpink", ball, "playful background=#ff69b4 color=#663399", ""},
		{"red and blue bouncing ball", ball, "playful accent=#2463eb color=#e5343d", ""},
		{"red, green, blue and yellow ball", ball, "playful accent=#1fa34a color=#e5343d", "three colours"},
		{"bouncing ball, dark background", ball, "playful background=#161a24", ""},
		{"bouncing ball in gold against black", ball, "playful background=#17181c color=#ffd700", ""},
		{"#fafafa ball on white", ball, "playful background=#ffffff color=#fafafa bounces=auto", ""},

		// Degrees.
		{"tiny bouncing ball", ball, "playful size=0.55", ""},
		{"a big ball bouncing high", ball, "playful height=0.99 size=1.35", ""},
		{"fast bouncing ball", ball, "playful speed=1.4", ""},
		{"bouncing ball in slow motion", ball, "playful speed=0.71", ""},
		{"bouncing ball with squash and stretch", ball, "playful", ""},
		{"bouncing ball, no squash", ball, "playful squash=0", ""},
		{"bouncing ball, height 80%", ball, "playful height=0.8", ""},

		// What cannot be had is said.
		{"bouncing ball with music", ball, "playful", "no sound"},
		{"3d bouncing ball", ball, "playful", "two dimensions"},
		{"seamless looping bouncing ball", ball, "playful", "not a seamless loop"},
		{"bouncing ball 60fps 4k", ball, "playful", "preset"},
		{"bouncing ball 9:16", ball, "playful", "preset"},
		{`bouncing ball with the text "Hi"`, ball, "playful", "shows no text"},
		{"bouncing ball, 2 bounces, 20 seconds", ball, "playful bounces=2 duration=20", "the ball lies still"},
		{"bouncing star, 2 bounces, 20 seconds", ball, "playful bounces=2 duration=20 shape=star", "the star lies still"},

		// Titles.
		{`title "Hello, world"`, title, "playful", ""},
		{"hello world", title, "playful text=Hello world", ""},
		{"“Grand Opening” “Saturday at noon” cinematic 8s", title, "cinematic duration=8 subtitle=Saturday at noon text=Grand Opening", ""},
		{"«Bonjour» in red", title, "playful color=#e5343d text=Bonjour", ""},
		{"intro 'Joe's Diner' smooth", title, "smooth text=Joe's Diner", ""},
		{"title that says Summer Sale in white on navy, playful", title, "playful background=#14225c color=#ffffff text=Summer Sale", ""},
		{"playful title saying Happy Birthday Anna, 6 seconds, pink background", title, "playful background=#ff7eb6 duration=6 text=Happy Birthday Anna", ""},
		{"title saying Blue Monday for 4 seconds", title, "playful duration=4 text=Blue Monday", ""},
		{"Hello World title in papyrus", title, "playful text=Hello World", "does not know the words: papyrus"},
		{"an intro for Acme Corp", title, "playful text=Acme Corp", ""},
		{"logo text Nimbus, gold on black, epic", title, "cinematic background=#17181c color=#ffd700 text=Nimbus", ""},
		{"text: Ship it! in red", title, "playful color=#e5343d text=Ship it!", ""},
		{`lower third name "Ada Lovelace" "Mathematician"`, title, "playful subtitle=Mathematician text=Ada Lovelace", ""},
		{`title "A" subtitle "B"`, title, "playful subtitle=B text=A", ""},
		{`subtitle "B" title "A"`, title, "playful subtitle=B text=A", ""},
		{`bouncing text "Hop"`, title, "playful text=Hop", ""},
		{`"One" "Two" "Three"`, title, "playful subtitle=Two text=One", `"Three" is left out`},
		{`title "white" in white on white`, title, "playful background=#ffffff color=#ffffff text=white", "hard to read"},
		{"make a title animation", title, "playful", "No words were given"},
		{"タイトル「こんにちは」", title, "playful text=こんにちは", "Japanese"},
		{"title \"\x1b[1mBold\x07\"", title, "playful text=[1mBold", ""},
		{`title "Party 🎉"`, title, "playful text=Party 🎉", "emoji"},

		// Subjects no recipe draws become titles, and the plan says so.
		{"a spaceship landing on mars", title, "playful text=Spaceship landing on mars", "cannot draw"},
		{"animate a cat, 6 seconds", title, "playful duration=6 text=Cat", "cannot draw"},
		{"pelota que rebota", title, "playful text=Pelota que rebota", "cannot draw"},
		{"slide show", title, "playful text=Slide show", "cannot draw"},
		{"happy birthday Anna!", title, "playful text=Happy birthday Anna!", "cannot draw"},
		{"happy, clean title saying Summer Sale", title, "playful text=Summer Sale", ""},

		// No word is lost without a note.
		{"a bar chart with sales: Jan 10, Feb 25", title, "playful text=Bar chart with sales", "the words: Jan, 10, Feb, 25. Put"},
		{"bouncng bal, gren", title, "playful text=Bouncng bal", "the words: gren. Put"},
		{"party time 🎉", title, "playful text=Party time", "the words: 🎉. Put"},
		{"a logo reveal for my shop called Bean There", title, "playful text=Bean There", "the words: reveal, shop."},
		{`"Be yourself" - Oscar Wilde`, title, "playful text=Be yourself", "the words: Oscar, Wilde."},
		{"photosynthesis in 3 scenes: sunlight, leaf", title, "playful text=Photosynthesis", "the length"},
		{"a ball rolls and a square jumps", ball, "playful shape=box", "the ball is left out"},
		{"a red star and a blue heart bouncing", ball, "playful accent=#2463eb color=#e5343d shape=heart", "the star is left out"},
		{"a ball shaped like a star", ball, "playful shape=star", ""},

		// Numbers that are no count and no length.
		{"1080x1920 video of a bouncing square", ball, "playful shape=box", `"1080x1920"`},
		{"1920 x 1080 bouncing ball", ball, "playful", `"1920 x 1080"`},
		{"bouncing ball 1080×1080", ball, "playful", `"1080×1080"`},
		{"bouncing ball in the 1920s", ball, "playful", "1920"},
		{"1980s title card saying The End", title, "playful text=The End", "1980"},
	} {
		t.Run(tt.prompt, func(t *testing.T) {
			t.Parallel()
			p := plan(t, brief(tt.prompt), koda.Answer{})
			if got := p.Data["recipe"]; got != tt.recipe {
				t.Fatalf("recipe %q, want %q", got, tt.recipe)
			}
			style, want := p.Style, map[string]string{}
			wantStyle, rest, _ := strings.Cut(tt.want, " ")
			for _, pair := range pairs(rest) {
				want[pair[0]] = pair[1]
			}
			if style != wantStyle {
				t.Errorf("style %q, want %q", style, wantStyle)
			}
			own := plan(t, brief(map[string]string{ball: "bouncing ball", title: `title "Hello, world"`}[tt.recipe]), koda.Answer{OptionID: style})
			got := map[string]string{}
			for name, v := range p.Data {
				if v != own.Data[name] {
					got[name] = v
				}
			}
			for name, v := range want { // values named although they are the default
				if p.Data[name] == v {
					got[name] = v
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("parameters (-want +got):\n%s", diff)
			}
			if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, tt.note) {
				t.Errorf("no note holds %q:\n%s", tt.note, notes)
			}
		})
	}
}

// TestAnswerWords: no word of an answer is lost without a note.
func TestAnswerWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ prompt, said, note string }{
		{"bouncing ball", "smooth with a dinosaur", "the words: dinosaur."},
		{"bouncing ball", "blue, like my brand", "the words: brand."},
		{"bouncing ball", "two", `"two" is not a style koda knows`},
		{"make a title animation", "Summer sale", ""},
	} {
		notes := strings.Join(plan(t, brief(tt.prompt), koda.Answer{Text: tt.said}).Notes, "\n")
		if !strings.Contains(notes, tt.note) || tt.note == "" && strings.Contains(notes, "Not used") {
			t.Errorf("%q: want a note with %q:\n%s", tt.said, tt.note, notes)
		}
	}
}

// pairs reads "a=1 text=Two words b=3": a value lasts until the next name.
func pairs(s string) (out [][2]string) {
	for _, f := range strings.Fields(s) {
		if name, v, ok := strings.Cut(f, "="); ok {
			out = append(out, [2]string{name, v})
		} else {
			out[len(out)-1][1] += " " + f
		}
	}
	return out
}

// TestNotAnimation are prompts that ask for no animation.
func TestNotAnimation(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"what is the weather", "What is the weather?", "what is a bouncing ball?", "who are you", "why is the sky blue?", "is it raining?", "weather tomorrow?",
		"write me a poem about spring", "send an email to bob", "translate hello to french", "fix the bug in main.go", "tell me a joke", "make me a website",
		"hi", "thanks!", "2+2", "!!!", "I am hungry", "how do I install koda", strings.Repeat("lorem ipsum dolor sit amet ", 30),
	} {
		_, err := recipe.New().Clarify(context.Background(), brief(prompt), nil, tool.Desk{})
		if got := koda.CodeOf(err); got != koda.CodeNotAnimation {
			t.Errorf("Clarify(%.40q): %v (%v), want NOT_ANIMATION", prompt, got, err)
			continue
		}
		if koda.HintOf(err) == "" {
			t.Errorf("Clarify(%q): no hint", prompt)
		}
		if _, err := recipe.New().Plan(context.Background(), brief(prompt), koda.Answer{}, nil, tool.Desk{}); koda.CodeOf(err) != koda.CodeNotAnimation {
			t.Errorf("Plan(%q): %v", prompt, err)
		}
	}
}

// TestRefused is what is wrong with a brief, and what the error must say.
func TestRefused(t *testing.T) {
	t.Parallel()
	set := func(name, value string) func(*koda.Brief) {
		return func(b *koda.Brief) { b.Params = map[string]string{name: value} }
	}
	for _, tt := range []struct {
		prompt string
		change func(*koda.Brief)
		code   koda.Code
		says   string
	}{
		{"", nil, koda.CodeInvalidInput, "empty"},
		{" \n\t", nil, koda.CodeInvalidInput, "empty"},
		{strings.Repeat("bouncing ball ", 10000), nil, koda.CodeInvalidInput, "KB"},
		{"bouncing ball for 2000 seconds", nil, koda.CodeUsage, "1.5 to 600"},
		{"bouncing ball, 1 second", nil, koda.CodeUsage, "1 s is out of range"},
		{"bouncing ball -5 seconds", nil, koda.CodeUsage, "out of range"},
		{"bouncing ball 2 hours", nil, koda.CodeUsage, "7200 s"},
		{"bouncing ball", func(b *koda.Brief) { b.Duration = 0.5 }, koda.CodeUsage, "0.5 s"},
		{"bouncing ball", func(b *koda.Brief) { b.Style = "cinematc" }, koda.CodeUsage, "did you mean cinematic"},
		{"bouncing ball", func(b *koda.Brief) { b.Style = "baroque" }, koda.CodeUsage, "playful, smooth, cinematic"},
		{"bouncing ball", func(b *koda.Brief) { b.Recipe = "bouncing-bal" }, koda.CodeUsage, "did you mean bouncing-ball"},
		{"bouncing ball", func(b *koda.Brief) { b.Recipe = "sunset" }, koda.CodeUsage, "recipes are bouncing-ball, title"},
		{"bouncing ball", set("colour", "red"), koda.CodeUsage, "did you mean color"},
		{"bouncing ball", set("text", "x"), koda.CodeUsage, "it has shape"},
		{"bouncing ball", set("color", "rde"), koda.CodeUsage, "did you mean red?"},
		{"bouncing ball", set("size", "9"), koda.CodeUsage, "0.4 to 2"},
		{"bouncing ball", set("size", "big"), koda.CodeUsage, "0.4 to 2"},
		{"bouncing ball", set("bounces", "2.5"), koda.CodeUsage, "auto or 1"},
		{"bouncing ball", set("shape", "sqare"), koda.CodeUsage, "shape cannot be"},
		{"bouncing ball", set("style", "smoth"), koda.CodeUsage, "did you mean smooth"},
		{"bouncing ball, 20 bounces in 2 seconds", nil, koda.CodeUsage, "at most"},
		{"bouncing ball", func(b *koda.Brief) { b.Params = map[string]string{"bounces": "90"} }, koda.CodeUsage, "do not fit into 5 s"},
		{"title", set("text", strings.Repeat("x", 201)), koda.CodeUsage, "at most 200"},
		{`title "` + strings.Repeat("x", 201) + `"`, nil, koda.CodeUsage, `read "xxx`},
	} {
		b := brief(tt.prompt)
		if tt.change != nil {
			tt.change(&b)
		}
		_, err := recipe.New().Clarify(context.Background(), b, nil, tool.Desk{})
		text := fmt.Sprint(err) + " " + koda.HintOf(err)
		if koda.CodeOf(err) != tt.code || !strings.Contains(text, tt.says) {
			t.Errorf("%.30q: %s %s\nwant %s with %q", tt.prompt, koda.CodeOf(err), text, tt.code, tt.says)
		}
		if koda.HintOf(err) == "" {
			t.Errorf("%.30q: no hint", tt.prompt)
		}
	}
}

// TestGiven is what the flags say against what the prompt says: flags win.
func TestGiven(t *testing.T) {
	t.Parallel()
	b := brief("red bouncing ball, 3 seconds, cinematic", func(b *koda.Brief) {
		b.Duration, b.Style = 6, "Smooth & minimal"
		b.Params = map[string]string{"color": "#00f", "size": "150%", "shape": "Star"}
		b.Assets = []koda.Asset{{Path: "public/images/logo.png"}}
	})
	p := plan(t, b, koda.Answer{})
	for name, want := range map[string]string{"style": "smooth", "duration": "6", "color": "#0000ff", "size": "1.5", "shape": "star"} {
		if p.Data[name] != want {
			t.Errorf("%s is %q, want %q", name, p.Data[name], want)
		}
	}
	if !strings.Contains(strings.Join(p.Notes, "\n"), "logo.png") {
		t.Errorf("no word about the asset: %q", p.Notes)
	}
	// By name a recipe takes any prompt.
	b = brief("what is the weather", func(b *koda.Brief) { b.Recipe = "title" })
	if p := plan(t, b, koda.Answer{}); p.Data["text"] == "" {
		t.Error("a recipe asked for by name read no text")
	}
}

// TestLongPrompt keeps reading near linear: the longest prompt is read at once.
// It is not parallel, so that the time of the processor is its own, whatever else
// the machine does.
func TestLongPrompt(t *testing.T) {
	b := brief("bouncing ball")
	pl := plan(t, b, koda.Answer{OptionID: "playful"})
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano())
	}
	for _, part := range []string{
		"a bouncing red ball 3 times as big, ", `title "x" `, "ball '", "5 to 6 and 7 ", "saying a ",
		"navy in scene 2, ", "navy in scene 2 and ", "scene 1, ", "first, ", "outro, ", "; scene 2: red",
	} {
		size := 64<<10 - 20
		if testing.Short() {
			size = 8 << 10
		}
		prompt := "animation " + strings.Repeat(part, size/len(part))
		start := spent()
		_, err := recipe.New().Clarify(context.Background(), brief(prompt), nil, tool.Desk{})
		if took := spent() - start; took > 3*time.Second {
			t.Errorf("%q…: %v (%v)", part, took, err)
		}
		start = spent()
		_, err = recipe.New().Plan(context.Background(), b, koda.Answer{}, &koda.Revision{Plan: &pl, Feedback: prompt}, tool.Desk{})
		if took := spent() - start; took > 3*time.Second {
			t.Errorf("%q… of a plan: %v (%v)", part, took, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"bouncing ball", `title "a" 'b'`, "5-6 s #fff rgb(1,2,3) 1:30 \xff", "change the text to", "twice as", "no squash 20%", "navy in scenes 1, 2-3 and the outro's white", "first and 2nd scene like the rest; from loop 2 on red"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		for _, name := range recipe.Names() {
			b := brief(prompt, func(b *koda.Brief) { b.Recipe = name })
			p, err := recipe.New().Plan(context.Background(), b, koda.Answer{Text: prompt}, nil, tool.Desk{})
			if err != nil {
				if koda.CodeOf(err) == koda.CodeFailed || koda.HintOf(err) == "" {
					t.Errorf("%q: %v is no error for people", prompt, err)
				}
				continue
			}
			check(t, p)
			if _, err := recipe.New().Plan(context.Background(), b, koda.Answer{}, &koda.Revision{Plan: &p, Feedback: prompt}, tool.Desk{}); err != nil && koda.CodeOf(err) != koda.CodeInvalidInput {
				t.Errorf("%q: %v", prompt, err)
			}
		}
	})
}
