// Package remote is a project of a koda that serves, over HTTP.
//
// It owns the requests. It refuses to follow redirects, so that a token goes to the server
// that the person named and nowhere else.
package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/mirror"
	"github.com/koda-video/koda/internal/projectfs"
)

// Project is a project of a server; it implements mirror.Side.
type Project struct {
	server *url.URL
	secret string
	id     string
	client *http.Client
}

// Times of requests.
const (
	connectFor = 10 * time.Second
	answerFor  = 60 * time.Second // until the answer begins
)

// Open finds a project. Address is that of the server, with the name or the id of the project
// as its path; without a path, the token must reach a single project. USAGE: it is no address,
// or several projects are meant.
func Open(ctx context.Context, address, secret string) (*Project, koda.Project, error) {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" || at.RawQuery != "" || at.User != nil {
		return nil, koda.Project{}, &koda.Error{Code: koda.CodeUsage, Op: "that is no address of a project", Hint: "write it as http://localhost:3000/bouncing-ball, and put the token into KODA_TOKEN"}
	}
	ref := strings.Trim(strings.TrimPrefix(at.Path, "/api/projects/"), "/")
	at.Path = ""
	dialer := net.Dialer{Timeout: connectFor}
	p := &Project{server: at, secret: secret, client: &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: connectFor, ResponseHeaderTimeout: answerFor},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	found, err := p.find(ctx, ref)
	p.id = found.ID
	return p, found, err
}

// find finds the project of a name or an id.
func (p *Project) find(ctx context.Context, ref string) (found koda.Project, err error) {
	var matches []koda.Project
	for after := ""; ; {
		var page struct {
			Projects []koda.Project `json:"projects"`
			Next     string         `json:"next"`
		}
		if err := p.json(ctx, http.MethodGet, "/api/projects?limit=200&after="+url.QueryEscape(after), nil, &page); err != nil {
			return found, err
		}
		for _, one := range page.Projects {
			if one.ID == ref {
				return one, nil
			}
			if one.Name == ref || ref == "" {
				matches = append(matches, one)
			}
		}
		if after = page.Next; after == "" {
			break
		}
	}
	switch len(matches) {
	case 1:
		return matches[0], nil
	case 0:
		return found, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("the server has no project %s that the token reaches", koda.Quote(ref)), Hint: "koda list, where the server is, lists them"}
	}
	return found, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("%d projects are meant", len(matches)), Hint: "end the address with the id of one: " + p.server.String() + "/" + matches[0].ID}
}

// Files implements mirror.Side.
func (p *Project) Files(ctx context.Context) (map[string]koda.FileStat, []string, error) {
	var all struct {
		Files map[string]koda.FileStat `json:"files"`
		Odd   []string                 `json:"odd"`
	}
	err := p.json(ctx, http.MethodGet, p.path("sync"), nil, &all)
	return all.Files, all.Odd, err
}

// Read implements mirror.Side.
func (p *Project) Read(ctx context.Context, paths []string, each func(path string, data []byte) error) error {
	body, err := json.Marshal(map[string]any{"paths": paths})
	if err != nil {
		return fmt.Errorf("ask for files: %w", err)
	}
	res, err := p.ask(ctx, http.MethodPost, p.path("sync/read"), "application/json", body) //nolint:bodyclose // decode does
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() //nolint:errcheck // it was only read
	return mirror.ReadBatch(res.Body, projectfs.Limit, projectfs.MaxTotal, func(c koda.FileChange, _ string) error { return each(c.Path, c.Data) })
}

// Change implements mirror.Side.
func (p *Project) Change(ctx context.Context, changes []koda.FileChange, base map[string]string) ([]string, error) {
	var body bytes.Buffer
	if err := mirror.WriteBatch(&body, changes, base); err != nil {
		return nil, err
	}
	res, err := p.ask(ctx, http.MethodPost, p.path("sync"), mirror.MediaType, body.Bytes()) //nolint:bodyclose // decode does
	if err != nil {
		return nil, err
	}
	var done struct {
		Kept []string `json:"kept"`
	}
	return done.Kept, decode(res, &done)
}

// TakeDown journals what an outside agent did, and returns how many of its steps are known.
func (p *Project) TakeDown(ctx context.Context, log koda.AgentLog) (int, error) {
	body, err := json.Marshal(log)
	if err != nil {
		return 0, fmt.Errorf("send what the agent did: %w", err)
	}
	var done struct {
		Taken int `json:"taken"`
	}
	err = p.json(ctx, http.MethodPost, p.path("agent"), body, &done)
	return done.Taken, err
}

func (p *Project) path(what string) string { return "/api/projects/" + p.id + "/" + what }

// json asks, and reads an answer in JSON.
func (p *Project) json(ctx context.Context, method, path string, body []byte, into any) error {
	res, err := p.ask(ctx, method, path, "application/json", body) //nolint:bodyclose // decode does
	if err != nil {
		return err
	}
	return decode(res, into)
}

// longest is the longest answer in JSON.
const longest = 32 << 20

func decode(res *http.Response, into any) error {
	defer func() { _ = res.Body.Close() }() //nolint:errcheck // it was only read
	if err := json.NewDecoder(io.LimitReader(res.Body, longest)).Decode(into); err != nil {
		return &koda.Error{Code: koda.CodeNetwork, Op: "read the server's answer", Err: err, Hint: "is it a koda serve of this version?"}
	}
	return nil
}

// Later is the error of a server that asks to come again after a while.
type Later struct {
	For time.Duration
	Err error
}

func (l *Later) Error() string { return l.Err.Error() }

// Wait is how long to wait.
func (l *Later) Wait() time.Duration { return l.For }

// Unwrap gives the error with its code.
func (l *Later) Unwrap() error { return l.Err }

// ask sends a request. The caller closes the body of the answer, which is a success.
func (p *Project) ask(ctx context.Context, method, path, kind string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, p.server.String()+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask the server: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+p.secret)
	req.Header.Set("Content-Type", kind)
	res, err := p.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var address *url.Error
		if errors.As(err, &address) {
			err = address.Err
		}
		return nil, &koda.Error{Code: koda.CodeNetwork, Op: "reach " + p.server.Host, Err: err, Hint: "does koda serve run there?"}
	}
	if res.StatusCode < 300 {
		return res, nil
	}
	defer func() { _ = res.Body.Close() }() //nolint:errcheck // it was only read
	return nil, refusal(res)
}

// refusal is the error of an answer that is no success.
func refusal(res *http.Response) error {
	var problem struct {
		Code         koda.Code
		Detail, Hint string
	}
	if json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&problem) != nil || problem.Code == "" {
		return &koda.Error{Code: koda.CodeNetwork, Op: "the server answered " + res.Status, Hint: "is it a koda serve of this version?"}
	}
	err := &koda.Error{Code: problem.Code, Op: "the server: " + problem.Detail, Hint: problem.Hint}
	switch res.StatusCode {
	case http.StatusUnauthorized:
		err.Hint = "put a token into KODA_TOKEN; where the server is, koda token new makes one"
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		wait, _ := strconv.Atoi(res.Header.Get("Retry-After")) //nolint:errcheck // 0 is none
		return &Later{For: time.Duration(cmp.Or(max(0, wait), 1)) * time.Second, Err: err}
	}
	return err
}
