package lua

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const wireScript = `local token = env.get("API_TOKEN")
local a = http.get(U .. "/a?token=" .. token, {headers = {Authorization = "Bearer " .. token, ["X-Api-Key"] = "k-12345"}})
local b = http.post(U .. "/b", {secret = token})
return {a.status, a.body, b.status, b.body}`

func wireServer(t *testing.T) (url string, count *atomic.Int32) {
	count = new(atomic.Int32)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "cookie-secret"})
		b, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/b" {
			w.WriteHeader(http.StatusCreated)
			w.Write([]byte("\xff\x00 bytes"))
			return
		}
		fmt.Fprintf(w, "%s %d", r.Method, len(b))
	})
	return s.URL, count
}

func wireOptions(url string, w *Wire, token string) Options {
	return Options{Wire: w, Globals: map[string]any{"U": url}, Env: func(name string) (string, bool) { return token, name == "API_TOKEN" }}
}

func TestTrace(t *testing.T) {
	url, _ := wireServer(t)
	var out strings.Builder
	if _, err := eval(t, wireOptions(url, &Wire{Trace: &out}, "tok-98765"), wireScript); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(out.String(), url, "U")
	for _, want := range []string{"> GET U/a?token=[redacted]\n", "> Authorization: [redacted]\n", "> X-Api-Key: [redacted]\n", "< HTTP/1.1 200 OK\n", "< Set-Cookie: [redacted]\n", "GET 0\n",
		"> POST U/b\n", `{"secret":"[redacted]"}` + "\n", "< HTTP/1.1 201 Created\n", "(8 bytes)\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the trace lacks %q", want)
		}
	}
	for _, secret := range []string{"tok-98765", "k-12345", "cookie-secret"} {
		if strings.Contains(got, secret) {
			t.Errorf("the trace has %q", secret)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestRecordAndReplay(t *testing.T) {
	url, count := wireServer(t)
	w := &Wire{Record: true}
	want, err := eval(t, wireOptions(url, w, "tok-98765"), wireScript)
	if err != nil {
		t.Fatal(err)
	}
	recording, err := w.Recording()
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"tok-98765", "k-12345", "cookie-secret"} {
		if strings.Contains(string(recording), secret) {
			t.Errorf("the recording has %q:\n%s", secret, recording)
		}
	}
	sent := count.Load()
	// Another user replays it, with another token and no server.
	replay := &Wire{}
	if err := replay.Replay(recording); err != nil {
		t.Fatal(err)
	}
	got, err := eval(t, wireOptions(url, replay, "tok-of-another"), wireScript)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("replayed: %v (-want +got):\n%s", err, d)
	}
	_, err = eval(t, wireOptions(url, replay, "tok-of-another"), wireScript)
	if err == nil || !strings.Contains(err.Error(), "no further reply") {
		t.Errorf("a second time: %v", err)
	}
	if n := count.Load(); n != sent {
		t.Errorf("%d requests were sent", n-sent)
	}
	for _, bad := range []string{"{", `{"method": "GET"}`, "[1]"} {
		if err := (&Wire{}).Replay([]byte(bad)); err == nil {
			t.Errorf("%q was taken for a recording", bad)
		}
	}
}

func TestDryRun(t *testing.T) {
	url, count := wireServer(t)
	var out strings.Builder
	got, err := eval(t, wireOptions(url, &Wire{DryRun: &out}, "tok-98765"), wireScript)
	if d := cmp.Diff(any(array{int64(200), "GET 0", int64(200), "{}"}), got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if n := count.Load(); n != 1 {
		t.Errorf("%d requests were sent, want the GET alone", n)
	}
	if s := out.String(); !strings.HasPrefix(s, "not sent: POST "+url+"/b\n") || !strings.Contains(s, `{"secret":"[redacted]"}`) || strings.Contains(s, "/a") {
		t.Errorf("it says:\n%s", s)
	}
}
