package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Origin says where a value came from. Stronger origins compare greater.
type Origin int

// The origins, from the weakest.
const (
	FromDefault Origin = iota
	FromUser           // the person's own file, see Sources.UserFile
	FromProject        // .koda/config.json of the project
	FromDotenv         // .env in the working directory
	FromEnv            // the environment
	FromFlag           // the command line
)

// String gives the word for people: "default", "user", "project", ".env", "environment"
// or "flag".
func (o Origin) String() string {
	return [...]string{"default", "user", "project", ".env", "environment", "flag"}[o]
}

// MarshalText gives String.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Setting documents one setting.
type Setting struct {
	Name    string // as in `koda config set NAME`, files and Sources.Flags
	Env     string // environment variable, also in .env
	Default string // the value if nothing is set, for people
	Help    string // one line, lower case, no full stop
	Secret  bool   // never echoed

	says    who                   // who may set it
	kind    kind                  // what a relative value means
	choices []string              // what it accepts; empty: anything
	initial string                // the value of Default; "": nothing, or see Config.derive
	env     func(string) string   // converts the variable's value; nil: no conversion
	field   func(*Config) *string // where the value goes
}

// IsPlace reports whether a value is a path.
func (s Setting) IsPlace() bool { return s.kind == path || s.kind == program }

type kind int

const (
	text        kind = iota
	amount           // of bytes, or none
	room             // of memory for a container, or none
	period           // a time, or none
	number           // above 0, or none
	price            // of a million tokens, see Price
	path             // relative values are made absolute
	environment      // of a sandbox
	address          // of a server
	hosts            // names of hosts
	program          // as path, but a bare name is looked up on PATH
)

// who may set a setting. In a new row it is the person, unless the row says otherwise.
type who int

const (
	person who = iota // a file of a directory may set it only after the person trusts the file
	anyone            // a file that came with a directory may set it too, because it does no harm
)

// table lists the settings in the order in which people see them. Only the person may set
// a place, a limit, a program, a key or an address.
var table = []Setting{
	{
		Name: "home", Env: "KODA_HOME", Default: "$XDG_DATA_HOME/koda, else ~/.local/share/koda",
		Help: "where koda keeps its database and cache", kind: path,
		field: func(c *Config) *string { return &c.Home },
	},
	{
		Name: "storage-provider", Env: "STORAGE_PROVIDER", Default: "local", initial: "local",
		Help: "what keeps projects", choices: []string{"local"},
		field: func(c *Config) *string { return &c.StorageProvider },
	},
	{
		Name: "storage-path", Env: "STORAGE_PATH", Default: "the working directory",
		Help: "where new projects are made", kind: path,
		field: func(c *Config) *string { return &c.StoragePath },
	},
	{
		Name: "database-provider", Env: "DATABASE_PROVIDER", Default: "sqlite", initial: "sqlite",
		Help: "what keeps the index of projects and the journal", choices: []string{"sqlite"},
		field: func(c *Config) *string { return &c.DatabaseProvider },
	},
	{
		Name: "database-path", Env: "DATABASE_PATH", Default: "koda.db in home",
		Help: "file of the database", kind: path,
		field: func(c *Config) *string { return &c.DatabasePath },
	},
	{
		Name: "sandbox-provider", Env: "SANDBOX_PROVIDER", Default: "local for recipes",
		Help: "where generated code lives and runs", choices: []string{"local", "docker"},
		field: func(c *Config) *string { return &c.SandboxProvider },
	},
	{
		Name: "sandbox-image", Env: "SANDBOX_IMAGE", Default: "koda/animation-sandbox", initial: "koda/animation-sandbox",
		Help:  "image of docker sandboxes",
		field: func(c *Config) *string { return &c.SandboxImage },
	},
	{
		Name: "sandbox-base", Env: "KODA_SANDBOX_BASE", Default: "debian:12-slim", initial: "debian:12-slim",
		Help:  "image of Debian on which koda builds its own",
		field: func(c *Config) *string { return &c.SandboxBase },
	},
	{
		Name: "sandbox-setup", Env: "KODA_SANDBOX_SETUP", Default: "none",
		Help:  "shell command that root runs once in the image",
		field: func(c *Config) *string { return &c.SandboxSetup },
	},
	{
		Name: "sandbox-env", Env: "KODA_SANDBOX_ENV", Default: "none",
		Help: "environment in sandboxes, such as A=1 B=2; never keys", kind: environment,
		field: func(c *Config) *string { return &c.SandboxEnv },
	},
	{
		Name: "sandbox-studio", Env: "KODA_SANDBOX_STUDIO", Default: "off", initial: "off",
		Help: "Theatre.js Studio (AGPL) in the image", choices: []string{"on", "off"},
		field: func(c *Config) *string { return &c.SandboxStudio },
	},
	{
		Name: "sandbox-memory", Env: "KODA_SANDBOX_MEMORY", Default: "4 GB", initial: "4 GB",
		Help: "most memory a container may take; or none", kind: room,
		field: func(c *Config) *string { return &c.SandboxMemory },
	},
	{
		Name: "sandbox-cpus", Env: "KODA_SANDBOX_CPUS", Default: "2", initial: "2",
		Help: "most CPUs a container may keep busy; or none", kind: number,
		field: func(c *Config) *string { return &c.SandboxCPUs },
	},
	{
		Name: "sandbox-max", Env: "KODA_SANDBOX_MAX", Default: "10", initial: "10",
		Help: "most containers of sandboxes at a time; or none", kind: number,
		field: func(c *Config) *string { return &c.SandboxMax },
	},
	{
		Name: "sandbox-network", Env: "KODA_SANDBOX_NETWORK", Default: "none", initial: "none",
		Help: "what code in containers may reach; registries: to install packages", choices: []string{"none", "registries", "open"},
		field: func(c *Config) *string { return &c.SandboxNetwork },
	},
	{
		Name: "sandbox-registries", Env: "KODA_SANDBOX_REGISTRIES", Default: "the registry of this machine's npm",
		Help: "further hosts of packages, such as npm.example.com", kind: hosts,
		field: func(c *Config) *string { return &c.SandboxRegistries },
	},
	{
		Name: "checkpoint-interval", Env: "KODA_CHECKPOINT_INTERVAL", Default: "30s", initial: "30s",
		Help: "how often work is saved while it goes on; or none", kind: period,
		field: func(c *Config) *string { return &c.CheckpointInterval },
	},
	{
		Name: "idle-timeout", Env: "KODA_IDLE_TIMEOUT", Default: "5m", initial: "5m",
		Help: "how long you may be away until a sandbox is put away; or none", kind: period,
		field: func(c *Config) *string { return &c.IdleTimeout },
	},
	{
		Name: "sandbox-timeout", Env: "KODA_SANDBOX_TIMEOUT", Default: "30m", initial: "30m",
		Help: "how long an unused sandbox lives; or none", kind: period,
		field: func(c *Config) *string { return &c.SandboxTimeout },
	},
	{
		Name: "render-timeout", Env: "KODA_RENDER_TIMEOUT", Default: "none", initial: "none",
		Help: "how long a video may take to render, such as 10m; or none", kind: period,
		field: func(c *Config) *string { return &c.RenderTimeout },
	},
	{
		Name: "author", Env: "KODA_AUTHOR", Default: "recipe, unless a model is set",
		Help: "who thinks up animations", choices: []string{"recipe", "model"},
		field: func(c *Config) *string { return &c.Author },
	},
	{
		Name: "recipe-path", Env: "KODA_RECIPE_PATH", Default: "none",
		Help: "directory with recipes of your own", kind: path,
		field: func(c *Config) *string { return &c.RecipePath },
	},
	{
		Name: "model", Env: "KODA_MODEL", Default: "none",
		Help:  "the model to ask, such as anthropic/NAME or ollama/NAME",
		field: func(c *Config) *string { return &c.Model },
	},
	{
		Name: "planner-model", Env: "KODA_PLANNER_MODEL", Default: "the same as model",
		Help:  "the model to ask for the question and the plan",
		field: func(c *Config) *string { return &c.PlannerModel },
	},
	{
		Name: "base-url", Env: "KODA_BASE_URL", Default: "that of the model's provider",
		Help: "where the model's service is", kind: address,
		field: func(c *Config) *string { return &c.BaseURL },
	},
	{
		Name: "model-timeout", Env: "KODA_MODEL_TIMEOUT", Default: "5m", initial: "5m",
		Help: "how long a model may be silent; or none", kind: period,
		field: func(c *Config) *string { return &c.ModelTimeout },
	},
	{
		Name: "model-price", Env: "KODA_MODEL_PRICE", Default: "that of the service, or of koda's table",
		Help: "what the model costs: dollars a million tokens in/out", kind: price,
		field: func(c *Config) *string { return &c.ModelPrice },
	},
	{
		Name: "max-turns", Env: "KODA_MAX_TURNS", Default: "150", initial: "150",
		Help: "most answers of a model to one command; or none", kind: number,
		field: func(c *Config) *string { return &c.MaxTurns },
	},
	{
		Name: "max-cost", Env: "KODA_MAX_COST", Default: "5", initial: "5",
		Help: "most dollars a project's models may cost; or none", kind: number,
		field: func(c *Config) *string { return &c.MaxCost },
	},
	{
		Name: "record", Env: "KODA_RECORD", Default: "none",
		Help: "directory that keeps what models are asked and answer", kind: path,
		field: func(c *Config) *string { return &c.Record },
	},
	{
		Name: "anthropic-api-key", Env: "ANTHROPIC_API_KEY", Default: "none",
		Help: "key of Anthropic", Secret: true,
		field: func(c *Config) *string { return &c.AnthropicAPIKey.value },
	},
	{
		Name: "openai-api-key", Env: "OPENAI_API_KEY", Default: "none",
		Help: "key of OpenAI, or of the server at base-url", Secret: true,
		field: func(c *Config) *string { return &c.OpenAIAPIKey.value },
	},
	{
		Name: "openrouter-api-key", Env: "OPENROUTER_API_KEY", Default: "none",
		Help: "key of OpenRouter", Secret: true,
		field: func(c *Config) *string { return &c.OpenRouterAPIKey.value },
	},
	{
		Name: "chrome", Env: "KODA_CHROME", Default: "searched for",
		Help: "Chromium to draw with: a path, or a name on PATH", kind: program,
		field: func(c *Config) *string { return &c.Chrome },
	},
	{
		Name: "browser-sandbox", Env: "KODA_BROWSER_SANDBOX", Default: "auto", initial: "auto",
		Help: "whether Chromium's own sandbox is around pages; auto: where it can be", choices: []string{"auto", "on", "off"},
		field: func(c *Config) *string { return &c.BrowserSandbox },
	},
	{
		Name: "browser-memory", Env: "KODA_BROWSER_MEMORY", Default: "a share of this machine's, 1 to 4 GiB",
		Help: "most memory the browser of a page may take, such as 6 GB; or none", kind: amount,
		field: func(c *Config) *string { return &c.BrowserMemory },
	},
	{
		Name: "ffmpeg", Env: "KODA_FFMPEG", Default: "ffmpeg", initial: "ffmpeg",
		Help: "ffmpeg to encode with: a path, or a name on PATH", kind: program,
		field: func(c *Config) *string { return &c.FFmpeg },
	},
	{
		Name: "cache-max", Env: "KODA_CACHE_MAX", Default: "10 GB", initial: "10 GB",
		Help: "most the cache of videos may take, such as 500 MB; or none", kind: amount,
		field: func(c *Config) *string { return &c.CacheMax },
	},
	{
		Name: "serve-writes", Env: "KODA_SERVE_WRITES", Default: "60", initial: "60",
		Help: "most requests that write, for a token and minute; or none", kind: number,
		field: func(c *Config) *string { return &c.ServeWrites },
	},
	{
		Name: "serve-body", Env: "KODA_SERVE_BODY", Default: "32 MB", initial: "32 MB",
		Help: "most that a request to koda serve may bring; or none", kind: amount,
		field: func(c *Config) *string { return &c.ServeBody },
	},
	{
		Name: "serve-connections", Env: "KODA_SERVE_CONNECTIONS", Default: "1000", initial: "1000",
		Help: "most connections to koda serve at a time; or none", kind: number,
		field: func(c *Config) *string { return &c.ServeConnections },
	},
	{
		Name: "serve-waiting", Env: "KODA_SERVE_WAITING", Default: "8", initial: "8",
		Help: "most renders of koda serve that wait for their turn; or none", kind: number,
		field: func(c *Config) *string { return &c.ServeWaiting },
	},
	{
		Name: "webhook", Env: "KODA_WEBHOOK", Default: "none",
		Help: "address that koda serve tells when work is done or failed", kind: address,
		field: func(c *Config) *string { return &c.Webhook },
	},
	{
		Name: "webhook-secret", Env: "KODA_WEBHOOK_SECRET", Default: "none",
		Help: "signs what the webhook is told; at least 16 characters", Secret: true,
		field: func(c *Config) *string { return &c.WebhookSecret.value },
	},
	{
		Name: "webhook-private", Env: "KODA_WEBHOOK_PRIVATE", Default: "off", initial: "off",
		Help: "let webhooks reach private networks and this machine", choices: []string{"on", "off"},
		field: func(c *Config) *string { return &c.WebhookPrivate },
	},
	{
		Name: "color", Env: "NO_COLOR", Default: "auto", initial: "auto",
		Help: "colours at a terminal; any value of NO_COLOR means never", choices: []string{"auto", "always", "never"}, says: anyone,
		env:   func(string) string { return "never" },
		field: func(c *Config) *string { return &c.Color },
	},
	{
		Name: "theme", Env: "KODA_THEME", Default: "auto", initial: "auto",
		Help: "colours for which background: auto, light or dark", choices: []string{"auto", "light", "dark"},
		field: func(c *Config) *string { return &c.Theme },
	},
	{
		Name: "pictures", Env: "KODA_PICTURES", Default: "auto", initial: "auto",
		Help: "how a terminal shows pictures", choices: []string{"auto", "kitty", "iterm2", "sixel", "blocks", "none"},
		field: func(c *Config) *string { return &c.Pictures },
	},
	{
		Name: "glyphs", Env: "KODA_GLYPHS", Default: "auto", initial: "auto",
		Help: "marks and lines at a terminal; auto: by the locale", choices: []string{"auto", "unicode", "ascii"},
		field: func(c *Config) *string { return &c.Glyphs },
	},
	{
		Name: "notify", Env: "KODA_NOTIFY", Default: "auto", initial: "auto",
		Help: "how the studio calls you; auto: bell and note", choices: []string{"auto", "bell", "off"},
		field: func(c *Config) *string { return &c.Notify },
	},
	{
		Name: "screen-reader", Env: "KODA_SCREEN_READER", Default: "auto", initial: "auto",
		Help: "talk in lines, draw none twice; auto: by ACCESSIBLE", choices: []string{"auto", "on", "off"},
		field: func(c *Config) *string { return &c.ScreenReader },
	},
}

// Settings returns the table of all settings, in the order people see them.
func Settings() []Setting { return slices.Clone(table) }

// Find returns a setting by its own name or its environment variable. If there is no such
// setting, the error is USAGE with the nearest name as hint.
func Find(name string) (Setting, error) {
	names := make([]string, len(table))
	for i, s := range table {
		if name == s.Name || name == s.Env {
			return s, nil
		}
		names[i] = s.Name
	}
	hint := "settings are " + strings.Join(names, ", ")
	if near := koda.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return Setting{}, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("unknown setting %q", name), Hint: hint}
}

// Allows reports whether the setting may be set at o. For a file of a directory this also
// depends on whether the person trusts the file. A secret is never taken from a place
// where others can read it: the command line or the project's file.
func (s Setting) Allows(o Origin, trusted bool) bool {
	switch o {
	case FromFlag:
		return !s.Secret
	case FromProject:
		return !s.Secret && (trusted || s.says == anyone)
	case FromDotenv:
		return trusted || s.says == anyone
	case FromDefault, FromUser, FromEnv:
	}
	return true
}

// check validates a value that was set at place.
func (s Setting) check(value, place string, offers Offers) error {
	if strings.ContainsRune(value, 0) {
		return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("setting %s (%s) holds a zero byte", s.Name, place)}
	}
	var err error
	var hint string
	switch s.kind {
	case amount:
		_, err = parseBytes(value)
		hint = "write it like 10 GB or 500 MB; none is no bound"
	case room:
		_, err = parseRoom(value)
		hint = "write it like 4 GB, at least 256 MB; none is no bound"
	case number:
		_, err = parseNumber(value)
		hint = "write a number above 0; none is no bound"
	case price:
		_, err = parsePrice(value)
		hint = "write dollars for a million tokens read and written, such as 3/15, or with those from and to a cache, such as 3/15/0.3/3.75"
	case period:
		_, err = ParsePeriod(value)
		hint = "write it like 30s, 5m or 300 (seconds); none is never"
	case hosts:
		_, err = parseHosts(value)
		hint = "write names of hosts, with blanks between them, and no port: they are reached by HTTPS at port 443"
	case environment:
		_, err = ParseEnvironment(value)
		hint = "write it like GREETING=hello LANG=de_DE.UTF-8; what generated code reads is no secret"
	case address:
		err = checkAddress(value)
		hint = "write it like https://models.example/v1 or http://localhost:1234/v1"
	case text, path, program: // choices, if there are any, are looked at below
	}
	if err != nil {
		shown := fmt.Sprintf("%q", value)
		if s.kind == environment || s.kind == address { // it may hold a key
			shown = "that"
		}
		return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("setting %s (%s) cannot be %s", s.Name, place, shown), Err: err, Hint: hint}
	}
	if len(s.choices) == 0 || slices.Contains(s.choices, value) {
		return nil
	}
	choices := offers.Choices(s)
	e := &koda.Error{
		Code: koda.CodeUsage,
		Op:   fmt.Sprintf("setting %s (%s) cannot be %q", s.Name, place, value),
		Hint: "use " + list(choices),
	}
	if near := koda.Nearest(value, choices); near != "" {
		e.Hint = "did you mean " + near + "? " + e.Hint
	}
	return e
}

// checkAddress refuses what is no address of a server. A key in an address would be shown.
func checkAddress(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return errors.New("it is no address of a server")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("it has more than a host and a path")
	}
	return nil
}

func list(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
