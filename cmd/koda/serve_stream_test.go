package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"testing"

	"github.com/coder/websocket"

	"github.com/koda-video/koda/internal/koda"
)

// socket opens a WebSocket on the events of a project after one of them.
func (r *servedRun) socket(project string, after int64, header http.Header) (*websocket.Conn, *http.Response, error) {
	if header == nil {
		header = http.Header{"Authorization": {"Bearer " + r.secret}}
	}
	at := r.url + "/api/projects/" + project + "/socket?after=" + strconv.FormatInt(after, 10)
	conn, res, err := websocket.Dial(r.t.Context(), at, &websocket.DialOptions{HTTPHeader: header})
	if err == nil {
		conn.SetReadLimit(1 << 22)
	}
	return conn, res, err
}

// upTo reads events until a type comes or the stream ends, and returns the numbers of the
// durable ones and how many passed.
func upTo(ctx context.Context, conn *websocket.Conn, last koda.EventType) (seqs []int64, passed int, err error) {
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return seqs, passed, err
		}
		var ev koda.Event
		if err := json.Unmarshal(data, &ev); err != nil {
			return seqs, passed, err
		}
		if ev.Seq > 0 {
			seqs = append(seqs, ev.Seq)
		} else {
			passed++
		}
		if ev.Type == last {
			return seqs, passed, nil
		}
	}
}

// TestServe_socket: a WebSocket tells the same events as the server-sent ones, each durable
// one once and in order, over servers that come and go; and only to pages of the server's own.
func TestServe_socket(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball", "duration": 2}`)
	path := "/api/projects/" + p.ID
	conn, _, err := r.socket(p.ID, 0, nil)
	must(t, err)
	r.stands(http.StatusOK, "POST", path+"/answer?wait=60", `{"option": "playful"}`)
	if status, body := r.ask("POST", path+"/accept", `{}`); status != http.StatusAccepted {
		t.Fatalf("accept: status %d: %s", status, body)
	}
	first, passed, err := upTo(t.Context(), conn, koda.EventFileWritten)
	must(t, err)
	// The server ends in the middle, and says so.
	must(t, r.server.Process.Signal(os.Interrupt))
	more, _, err := upTo(t.Context(), conn, koda.EventPreviewReady)
	if first = append(first, more...); err == nil {
		t.Log("the preview was there before the server ended")
	} else if websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("the server ended, and the stream with %v", err)
	}
	_ = r.server.Wait()
	r.begin()
	conn, _, err = r.socket(p.ID, first[len(first)-1], nil)
	must(t, err)
	if err == nil && r.stands(http.StatusOK, "GET", path+"?wait=120", "").Waiting != "preview" {
		t.Error("the work did not go on")
	}
	_, body := r.ask("GET", path, "")
	var stands koda.Project
	must(t, json.Unmarshal([]byte(body), &stands))
	for first[len(first)-1] < stands.Seq {
		_, data, err := conn.Read(t.Context())
		must(t, err)
		var ev koda.Event
		must(t, json.Unmarshal(data, &ev))
		if ev.Seq > 0 {
			first = append(first, ev.Seq)
		} else {
			passed++
		}
	}
	for i, seq := range first {
		if seq != int64(i)+1 {
			t.Fatalf("event %d came where %d was due: %v", seq, i+1, first)
		}
	}
	if passed == 0 {
		t.Error("no passing event came")
	}
	must(t, conn.Close(websocket.StatusNormalClosure, ""))

	for name, header := range map[string]http.Header{
		"another origin":         {"Authorization": {"Bearer " + r.secret}, "Origin": {"https://evil.example"}},
		"a page of another port": {"Authorization": {"Bearer " + r.secret}, "Origin": {"http://localhost:1"}},
		"no token":               {},
	} {
		if _, res, err := r.socket(p.ID, 0, header); err == nil || res == nil || res.StatusCode != http.StatusForbidden && res.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, res, err := r.socket("000000000000", 0, nil); err == nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("no project: %v", err)
	}
	if status, body := r.ask("GET", path+"/socket", ""); status != http.StatusUpgradeRequired {
		t.Errorf("plain HTTP: status %d: %s", status, body)
	}
	// The project goes, and so does who follows it.
	conn, _, err = r.socket(p.ID, 0, nil)
	must(t, err)
	if status, body := r.ask("DELETE", path, ""); status != http.StatusNoContent {
		t.Fatalf("delete: status %d: %s", status, body)
	}
	for err == nil {
		_, _, err = conn.Read(t.Context())
	}
	if errors.Is(err, context.Canceled) || websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("the project is gone, and the stream ended with %v", err)
	}
}
