//go:build !slim

package script

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script/check"
	"github.com/assay-dev/assay/internal/script/lua"
)

// A ledger is a server that remembers what was written to it.
type ledger struct {
	*httptest.Server
	mu    sync.Mutex
	wrote []string
	state string // that /state answers
}

func newLedger(t *testing.T) *ledger {
	l := &ledger{state: "one"}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		defer l.mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.Path == "/state":
			fmt.Fprint(w, l.state)
		case r.URL.Path == "/n":
			fmt.Fprint(w, 1)
		case r.Method == http.MethodGet:
			fmt.Fprint(w, r.Header.Get("Authorization"))
		case r.URL.Path == "/elsewhere":
			http.Redirect(w, r, "/items", http.StatusTemporaryRedirect)
		default:
			l.wrote = append(l.wrote, fmt.Sprintf("%s %s %s %s", r.Method, r.URL.Path, r.Header.Get("Authorization"), body))
			fmt.Fprintf(w, `{"id": %d}`, len(l.wrote))
		}
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *ledger) written() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.wrote, "\n")
}

const theToken = "tok-4711-secret"

// A policed is a feature with a policy in its folder.
type policed struct {
	*Feature
	dir, policy string
	now         time.Time
	ledger      *ledger
}

func newPoliced(t *testing.T, policy string) *policed {
	t.Helper()
	b := &policed{dir: t.TempDir(), now: time.Now(), ledger: newLedger(t)}
	b.policy = filepath.Join(b.dir, "policy.yaml")
	host := strings.TrimPrefix(b.ledger.URL, "http://")
	b.write(t, "policy.yaml", strings.ReplaceAll(policy, "HOST", host))
	b.Feature = New(Config{WorkDir: b.dir, Approvals: filepath.Join(b.dir, "approvals"), Now: func() time.Time { return b.now },
		Env: func(name string) (string, bool) {
			v, ok := map[string]string{"API_TOKEN": theToken, "U": b.ledger.URL}[name]
			return v, ok
		}})
	return b
}

func (b *policed) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// exec runs code under the policy and returns its result, what it raised, or the token of an approval.
func (b *policed) exec(t *testing.T, in ExecInput) (result, token string) {
	t.Helper()
	in.Capture = true
	if in.Resume == "" && in.Policy == "" {
		in.Policy = b.policy
	}
	r, err := b.Exec(context.Background(), in)
	switch {
	case err != nil:
		return err.Error(), ""
	case r.NeedsApproval != nil:
		return "needs approval", r.NeedsApproval.Token
	case r.Error != nil:
		return *r.Error, ""
	}
	return fmt.Sprint(r.Result), ""
}

const approving = `version: 1
env: [U]
http:
  - {hosts: ["HOST"]}
  - {hosts: ["HOST"], methods: [POST], paths: [/notes]}
  - {hosts: ["HOST"], methods: [POST, DELETE], paths: [/items, /elsewhere], approve: true}
credentials: {api: {hosts: ["HOST"], bearer: {env: API_TOKEN}}}
log: log.jsonl
`

// An approval sends the request that was shown, once, and nothing that was sent before it is sent again.
func TestApproval(t *testing.T) {
	b := newPoliced(t, approving)
	const code = `local u = env.get("U")
http.post(u .. "/notes", "before")
local r = http.post(u .. "/items", {at = time(), key = crypto.random(8), n = math.random(1 << 40)}, {auth = cred("api")})
http.post(u .. "/notes", "after " .. json.parse(r.body).id)
http.delete(u .. "/items/1")
return "done"`
	got, first := b.exec(t, ExecInput{Eval: code})
	if got != "needs approval" || b.ledger.written() != "POST /notes  before" {
		t.Fatalf("%s; %s", got, b.ledger.written())
	}
	got, second := b.exec(t, ExecInput{Resume: first})
	if n := strings.Count(b.ledger.written(), "\n"); got != "needs approval" || n != 2 || !strings.HasSuffix(b.ledger.written(), "after 2") {
		t.Fatalf("%s; %s", got, b.ledger.written())
	}
	if got, _ := b.exec(t, ExecInput{Resume: first}); !strings.Contains(got, "no request waits for this approval") {
		t.Errorf("a token was used twice: %s", got)
	}
	if got, _ = b.exec(t, ExecInput{Resume: second}); got != "done" || strings.Count(b.ledger.written(), "\n") != 3 {
		t.Errorf("%s; %s", got, b.ledger.written())
	}
	if !strings.Contains(b.ledger.written(), "POST /items Bearer "+theToken) {
		t.Errorf("%s", b.ledger.written())
	}
	log, err := os.ReadFile(filepath.Join(b.dir, "log.jsonl"))
	if err != nil || strings.Contains(string(log), theToken) {
		t.Errorf("%v: %s", err, log)
	}
	counts := map[string]int{}
	for line := range strings.Lines(string(log)) {
		var e lua.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		counts[e.Event+" "+e.Approval]++
	}
	if counts["start "] != 3 || counts["end "] != 3 || counts["request needed"] != 2 || counts["request given"] != 2 || counts["request before"] != 4 {
		t.Errorf("%v", counts)
	}
	if left, err := os.ReadDir(filepath.Join(b.dir, "approvals")); err != nil || len(left) > 0 {
		t.Errorf("%v is left: %v", left, err)
	}
}

// bypasses are attempts to have something else sent than what was approved.
func TestApprovalIsBound(t *testing.T) {
	post := `http.post(env.get("U") .. "/items", "x") return "done"`
	tests := []struct {
		name, code string
		between    func(t *testing.T, b *policed)
		want       string
		wrote      string
	}{
		{"nothing changed", post, nil, "done", "POST /items  x"},
		{"what it read changed", `http.post(env.get("U") .. "/items", http.get(env.get("U") .. "/state").body) return "done"`,
			func(_ *testing.T, b *policed) { b.ledger.state = "two" }, "another request than the one that was approved", ""},
		{"it goes another way", `if http.get(env.get("U") .. "/state").body == "one" then http.post(env.get("U") .. "/items", "x") else http.delete(env.get("U") .. "/items") end`,
			func(_ *testing.T, b *policed) { b.ledger.state = "two" }, "another request than the one that was approved", ""},
		{"it does not come to it", `if http.get(env.get("U") .. "/state").body == "one" then http.post(env.get("U") .. "/items", "x") end return "done"`,
			func(_ *testing.T, b *policed) { b.ledger.state = "two" }, "it was not sent", ""},
		{"it catches the refusal", `pcall(http.post, env.get("U") .. "/items", http.get(env.get("U") .. "/state").body) return "done"`,
			func(_ *testing.T, b *policed) { b.ledger.state = "two" }, "another request than the one that was approved", ""},
		{"the policy changed", post, func(t *testing.T, b *policed) { b.write(t, "policy.yaml", "version: 1\n") }, "was changed after the approval", ""},
		{"the policy is gone", post, func(t *testing.T, b *policed) { os.Remove(b.policy) }, "reading the policy", ""},
		{"too late", post, func(_ *testing.T, b *policed) { b.now = b.now.Add(25 * time.Hour) }, "no request waits", ""},
		{"what was kept was changed", post, func(t *testing.T, b *policed) {
			files, _ := filepath.Glob(filepath.Join(b.dir, "approvals", "*"))
			for _, f := range files {
				text, _ := os.ReadFile(f)
				text[len(text)/2] ^= 1
				os.WriteFile(f, text, 0o600)
			}
		}, "is damaged", ""},
		{"the script's file changed", "file", func(t *testing.T, b *policed) {
			b.write(t, "s.lua", `http.delete(env.get("U") .. "/items/all")`)
		}, "done", "POST /items  x"},
		{"sent twice", `http.post(env.get("U") .. "/items", "x") http.post(env.get("U") .. "/items", "x")`, nil, "needs approval", "POST /items  x"},
		{"by a redirect", `http.post(env.get("U") .. "/elsewhere", "x")`, nil, "needs approval", ""},
		{"by tasks", `for i = 1, 3 do async.spawn(function() pcall(http.post, env.get("U") .. "/items", "x") end) end sleep(1) return "done"`, nil, "needs approval", "POST /items  x"},
		{"body of a file", `fs.write("f", "x") http.post(env.get("U") .. "/items", nil, {body_file = "f"})`, nil, "the policy permits no file", ""},
		{"multipart", `http.post(env.get("U") .. "/items", nil, {multipart = {a = "b"}}) return "done"`, nil, "done", "POST /items"},
		{"authorization of the script's own", `http.post(env.get("U") .. "/items", "x", {auth = {username = "a", password = http.get(env.get("U") .. "/state").body .. "-long"}})`,
			func(_ *testing.T, b *policed) { b.ledger.state = "two" }, "another request than the one that was approved", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newPoliced(t, approving)
			in := ExecInput{Eval: tt.code}
			if tt.code == "file" {
				b.write(t, "s.lua", post)
				in = ExecInput{File: "s.lua"}
			}
			got, token := b.exec(t, in)
			if token == "" {
				if !strings.Contains(got, tt.want) {
					t.Errorf("%s, want %s", got, tt.want)
				}
				return
			}
			if b.ledger.written() != "" {
				t.Errorf("without approval: %s", b.ledger.written())
			}
			if tt.between != nil {
				tt.between(t, b)
			}
			got, _ = b.exec(t, ExecInput{Resume: token})
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if wrote := b.ledger.written(); !strings.HasPrefix(wrote, tt.wrote) || tt.wrote == "" && wrote != "" || len(b.ledger.wrote) > 1 {
				t.Errorf("%q was written, want %q", wrote, tt.wrote)
			}
			if got, _ = b.exec(t, ExecInput{Resume: token}); !strings.Contains(got, "no request waits") {
				t.Errorf("a token was used twice: %s", got)
			}
		})
	}
}

// A person approves the request that is sent, and sees it without secrets; a tool cannot approve.
func TestApprovalShows(t *testing.T) {
	b := newPoliced(t, approving)
	r, err := b.Exec(t.Context(), ExecInput{Requests: Requests{Policy: b.policy}, Capture: true,
		Eval: `print("hello") http.post(env.get("U") .. "/items?a=1", {password = "shown"}, {auth = cred("api"), headers = {["X-Api-Key"] = "hidden-key", ["X-Id"] = "7"}})`})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.WriteText(&text, false); err != nil {
		t.Fatal(err)
	}
	n := r.NeedsApproval
	if n == nil || n.Method != http.MethodPost || n.URL != b.ledger.URL+"/items?a=1" || n.Body != `{"password":"shown"}` || n.Credential != "api" || r.Output != "hello\n" || r.Verdict() == nil {
		t.Fatalf("%s", text.String())
	}
	if n.Headers["X-Id"] != "7" || n.Headers["Authorization"] != "[credential]" || n.Headers["X-Api-Key"] != "[redacted]" || len(n.Digest) != 64 {
		t.Errorf("%+v", n)
	}
	if s := text.String(); strings.Contains(s, theToken) || strings.Contains(s, "hidden-key") || !strings.Contains(s, "assay exec --resume "+n.Token) {
		t.Error(s)
	}
	for _, in := range []ExecInput{{Resume: n.Token, Confined: true}, {Resume: n.Token, Eval: "return 1"}, {Resume: n.Token, Requests: Requests{Policy: b.policy}}} {
		if _, err := b.Exec(t.Context(), in); err == nil {
			t.Errorf("%+v was run", in)
		}
	}
	if got, _ := b.exec(t, ExecInput{Resume: n.Token}); strings.Contains(got, "no request waits") {
		t.Error("a refused call used the token up")
	}
	files, err := filepath.Glob(filepath.Join(b.dir, "approvals", "*"))
	if err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// Signs that turn the direction of writing, and a compressed body, hide nothing from the person who approves.
func TestApprovalIsReadable(t *testing.T) {
	b := newPoliced(t, approving)
	r, err := b.Exec(t.Context(), ExecInput{Requests: Requests{Policy: b.policy}, Capture: true,
		Eval: `http.post(env.get("U") .. "/items", {to = "ann\u{202e}bob", n = "caf\u{e9}"}, {compress = "gzip"})`})
	if err != nil || r.NeedsApproval == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	var out bytes.Buffer
	if err := r.WriteText(&out, false); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); strings.Contains(s, "\u202e") || !strings.Contains(s, `ann\u202ebob`) || !strings.Contains(s, "caf\u00e9") {
		t.Error(s)
	}
}

// One of several that use a token at once sends the request.
func TestApprovalRace(t *testing.T) {
	b := newPoliced(t, approving)
	_, token := b.exec(t, ExecInput{Eval: `http.post(env.get("U") .. "/items", "x") return "done"`})
	if token == "" {
		t.Fatal("no approval was asked for")
	}
	results := make(chan string)
	for range 8 {
		go func() {
			r, err := b.Exec(context.Background(), ExecInput{Resume: token, Capture: true})
			if err != nil {
				results <- err.Error()
				return
			}
			results <- fmt.Sprint(r.Result)
		}()
	}
	done := 0
	for range 8 {
		if got := <-results; got == "done" {
			done++
		} else if !strings.Contains(got, "approval") {
			t.Error(got)
		}
	}
	if done != 1 || b.ledger.written() != "POST /items  x" {
		t.Errorf("%d runs sent it: %s", done, b.ledger.written())
	}
	for _, forged := range []string{"", " ", "x", "../" + token, token + "x", strings.ToUpper(token)} {
		if got, _ := b.exec(t, ExecInput{Resume: forged, Eval: ""}); forged != "" && !strings.Contains(got, "no request waits") {
			t.Errorf("%q: %s", forged, got)
		}
	}
}

// A server's scripts are under its flags and its policy file, and so is a resumed one.
func TestApprovalOfServer(t *testing.T) {
	b := newPoliced(t, approving)
	p, err := ReadPolicy(b.policy)
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(b.ledger.URL, "http://")
	p.Hosts, p.Methods = []string{host}, []string{"POST", "DELETE"}
	c := b.cfg
	c.Policy = p
	server := New(c)
	r, err := server.Exec(t.Context(), ExecArgs{Code: `http.post("` + b.ledger.URL + `/items", "x") return http.get("` + b.ledger.URL + `/state").body`}.Input())
	if err != nil || r.NeedsApproval == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	got, _ := b.exec(t, ExecInput{Resume: r.NeedsApproval.Token})
	if !strings.Contains(got, "the policy permits no GET") || b.ledger.written() != "POST /items  x" {
		t.Errorf("%s; %s", got, b.ledger.written())
	}
}

func TestPolicyOfModules(t *testing.T) {
	b := newPoliced(t, "version: 1\nmodules: [github, k8s]\nenv: [U]\nhttp: [{hosts: [\"HOST\"]}]\ncredentials: {api: {hosts: [\"HOST\"], bearer: {env: API_TOKEN}}}\n")
	b.write(t, "modules/github.lua", `return {stolen = true}`)
	b.write(t, "modules/other.lua", `return {stolen = true}`)
	for _, tt := range []struct{ name, code, want string }{
		{"named", `return require("assay.github").stolen`, "<nil>"},
		{"what it requires", `return type(require("assay._kube"))`, "table"},
		{"not named", `return require("assay.vault")`, "the policy does not permit it"},
		{"of the project", `return require("assay.other")`, "the policy does not permit it"},
		{"of the project by its plain name", `return require("other")`, "the policy does not permit it"},
		{"preloaded by the script", `package.preload["assay.vault"] = function() return {mine = true} end return require("assay.vault").mine`, "true"},
		{"with a credential", `return require("assay.github").client(env.get("U"), {auth = cred("api")}):user()`, "[redacted]"},
		{"that signs by itself", `return require("assay.s3").client({auth = cred("api")})`, "the policy does not permit it"},
		{"with an option that is none", `return require("assay.github").client(env.get("U"), {auht = 1})`, `unknown option "auht"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := b.exec(t, ExecInput{Eval: tt.code}); !strings.Contains(got, tt.want) && !(tt.want == "[redacted]" && strings.Contains(got, "json.parse")) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestPolicyRuns(t *testing.T) {
	b := newPoliced(t, "version: 1\nfiles: {folder: data}\nlimits: {time: 300ms, memory: 2M}\nlog: log.jsonl\n")
	b.write(t, "data/x", "text")
	b.write(t, "s.lua", `return fs.read("x")`)
	b.write(t, "c.yaml", "checks: []\n")
	for _, tt := range []struct {
		name string
		in   ExecInput
		want string
	}{
		{"file", ExecInput{Eval: `return fs.read("x")`}, "text"},
		{"its own policy", ExecInput{Eval: `return fs.read("../policy.yaml")`}, "failed to read"},
		{"write", ExecInput{Eval: `fs.write("y", "z")`}, "permits no file to be written"},
		{"time", ExecInput{Eval: `while true do end`}, "took longer than 300ms"},
		{"time that is asked for", ExecInput{Eval: `while true do end`, Timeout: 100}, "took longer than 300ms"},
		{"memory", ExecInput{Eval: `local t = {} while true do t[#t + 1] = {} end`, Memory: "1G"}, "memory limit of 2 MiB"},
		{"no policy", ExecInput{Eval: `return 1`, Requests: Requests{Policy: "none.yaml"}}, "reading the policy"},
		{"not a policy", ExecInput{Eval: `return 1`, Requests: Requests{Policy: "s.lua"}}, "policy schema prints"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := b.exec(t, tt.in)
			if tt.name == "not a policy" && !strings.Contains(got, "the policy") {
				t.Error(got)
			} else if tt.name != "not a policy" && !strings.Contains(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	r, err := b.Run(t.Context(), RunInput{File: "s.lua", Requests: Requests{Policy: b.policy}})
	if err != nil || r.under.Result != "text" {
		t.Errorf("%v, %v", r, err)
	}
	// A run that cannot be logged does not begin.
	os.Remove(filepath.Join(b.dir, "log.jsonl"))
	if err := os.Symlink(filepath.Join(b.dir, "data", "x"), filepath.Join(b.dir, "log.jsonl")); err == nil {
		if got, _ := b.exec(t, ExecInput{Eval: "return 1"}); !strings.Contains(got, "log of the policy cannot be written") {
			t.Error(got)
		}
	}
}

// Checks are held to a policy as scripts are.
func TestPolicyOfChecks(t *testing.T) {
	const policy = `version: 1
http: [{hosts: ["HOST"], paths: [/state, /n]}, {hosts: ["HOST"], methods: [POST], paths: [/notes]}, {hosts: ["HOST"], methods: [POST], paths: [/items], approve: true},
  {hosts: ["HOST"], methods: [PUT], paths: [/elsewhere]}]
env: [U]
log: log.jsonl
`
	b := newPoliced(t, policy)
	b.write(t, "outside", "text")
	b.write(t, "sub/in.json", `{"type": "string"}`)
	b.write(t, "sub/ok.lua", `http.get(env.get("U") .. "/state")`)
	b.write(t, "sub/bad.lua", `http.delete(env.get("U") .. "/items")`)
	b.write(t, "sub/token.lua", `assert.eq(env.get("API_TOKEN"), nil)`)
	tests := []struct{ name, check, want string }{
		{"permitted", `type: http, url: "${U}/state"`, "<nil>"},
		{"another path", `type: http, url: "${U}/items"`, "the policy permits no GET"},
		{"another method", `type: http, method: DELETE, url: "${U}/notes"`, "the policy permits no DELETE"},
		{"a write", `type: http, method: POST, url: "${U}/notes", body: x`, "<nil>"},
		{"a write that is approved", `type: http, method: POST, url: "${U}/items", body: x`, "not possible here"},
		{"a redirect", `type: http, method: PUT, url: "${U}/elsewhere", body: x`, "the policy permits no PUT"},
		{"another host by a header", `type: http, url: "${U}/state", headers: {Host: other.example}`, "the policy permits no GET of other.example"},
		{"a method by a header", `type: http, url: "${U}/state", headers: {X_HTTP_Method_Override: DELETE}`, "permits no header"},
		{"another variable", `type: http, url: "${U}/state", headers: {X: "${API_TOKEN}"}`, "API_TOKEN"},
		{"any certificate", `type: http, url: "${U}/state", insecure_skip_verify: true`, "takes no certificates"},
		{"a query of GraphQL", `type: graphql, url: "${U}/state", query: "{ a }"`, "the policy permits no POST"},
		{"a script", `type: script, file: ok.lua`, "<nil>"},
		{"a script that does more", `type: script, file: bad.lua`, "the policy permits no DELETE"},
		{"a variable of a script", `type: script, file: token.lua`, "<nil>"},
		{"a file outside", `type: script, file: ../outside`, "outside the folder of the checks"},
		{"an absolute file", `type: script, file: ` + filepath.Join(b.dir, "outside"), "outside the folder of the checks"},
		{"a schema outside", `type: http, url: "${U}/n", expect: {schema: ../outside}`, "outside the folder of the checks"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b.write(t, "sub/c.yaml", "retries: 0\nchecks:\n  - {name: it, "+tt.check+"}\n")
			r, err := b.Run(t.Context(), RunInput{File: filepath.Join("sub", "c.yaml"), Requests: Requests{Policy: b.policy}})
			got := fmt.Sprint(err)
			if err == nil && r.Report.Checks[0].Message != nil {
				got = *r.Report.Checks[0].Message
			}
			if !strings.Contains(got, tt.want) || r != nil && r.Report.Passed != (tt.want == "<nil>") {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	if wrote := b.ledger.written(); wrote != "POST /notes  x" {
		t.Errorf("%s", wrote)
	}
	b.write(t, "sub/c.yaml", "retries: 0\nchecks:\n  - {name: it, type: http, method: POST, url: \"${U}/notes\"}\n")
	if r, err := b.Run(t.Context(), RunInput{File: "sub/c.yaml", Requests: Requests{ReadOnly: true}}); err != nil || r.Report.Passed || !strings.Contains(*r.Report.Checks[0].Message, "read-only") {
		t.Errorf("%+v, %v", r, err)
	}
	if log, err := os.ReadFile(filepath.Join(b.dir, "log.jsonl")); err != nil || !strings.Contains(string(log), `"refused"`) {
		t.Errorf("%s, %v", log, err)
	}
}

// A run of checks that panics ends with that panic, and not with one of its log.
func TestPanicOfChecks(t *testing.T) {
	b := newPoliced(t, "version: 1\nlog: log.jsonl\n")
	b.write(t, "c.yaml", "checks:\n  - {name: it, type: script, file: gone.lua}\n")
	ctx := work.With(t.Context(), work.Report{Note: func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); strings.Contains(text, "there is no script") {
			panic(text)
		}
	}})
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "there is no script") {
			t.Errorf("panic: %s", p)
		}
		if log, err := os.ReadFile(filepath.Join(b.dir, "log.jsonl")); err != nil || !strings.Contains(string(log), `"event":"end","error"`) {
			t.Errorf("%s, %v", log, err)
		}
	}()
	r, err := b.Run(ctx, RunInput{File: "c.yaml", Requests: Requests{Policy: b.policy}})
	t.Fatalf("%+v, %v", r, err)
}

// The limits of a policy are those of a run of checks, however many scripts it has, and its log says how the run ended.
func TestLimitsOfChecks(t *testing.T) {
	b := newPoliced(t, "version: 1\nhttp: [{hosts: [\"HOST\"], paths: [/state]}]\nenv: [U]\nlimits: {requests: 2, time: 10s}\nlog: log.jsonl\n")
	b.write(t, "ask.lua", `http.get(env.get("U") .. "/state")`)
	checks := func(n int) string {
		return "retries: 0\nchecks:\n" + strings.Repeat("  - {name: it, type: script, file: ask.lua}\n", n) + "  - {name: last, type: http, url: \"${U}/state\"}\n"
	}
	in := RunInput{File: "c.yaml", Requests: Requests{Policy: b.policy}}
	for n, want := range map[int]string{1: `"event":"end"}`, 2: `"event":"end","error":"1 of 3 checks of c.yaml failed"}`} {
		_ = os.Remove(filepath.Join(b.dir, "log.jsonl"))
		b.write(t, "c.yaml", checks(n))
		r, err := b.Run(t.Context(), in)
		if err != nil || r.Report.Passed != (n == 1) {
			t.Errorf("%d scripts: %+v, %v", n, r, err)
		}
		if log, err := os.ReadFile(filepath.Join(b.dir, "log.jsonl")); err != nil || !strings.Contains(string(log), want) {
			t.Errorf("%s, %v, want %s", log, err, want)
		}
	}
	in.Load = Load{Duration: "11s"}
	if _, err := b.Run(t.Context(), in); err == nil || !strings.Contains(err.Error(), "lets a run take 10s") {
		t.Errorf("a load that is longer than the policy permits: %v", err)
	}
	if log, err := os.ReadFile(filepath.Join(b.dir, "log.jsonl")); err != nil || !strings.Contains(string(log), `"error":"the policy lets a run take`) {
		t.Errorf("%s, %v", log, err)
	}
	p, err := ReadPolicy(b.policy)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ timeout, duration, want time.Duration }{
		{120 * time.Second, 0, 10 * time.Second}, {120 * time.Second, 3 * time.Second, 7 * time.Second}, {2 * time.Second, 3 * time.Second, 2 * time.Second},
	} {
		s := &check.Suite{Timeout: tt.timeout, Duration: tt.duration}
		if _, err := boundSuite(p, s, 1<<20); err != nil || s.Timeout != tt.want {
			t.Errorf("%v, %v: %v, %v, want %v", tt.timeout, tt.duration, s.Timeout, err, tt.want)
		}
	}
}

func TestPolicyCheck(t *testing.T) {
	b := newPoliced(t, approving+"  \n")
	r, err := b.CheckPolicy(t.Context(), PolicyInput{File: "policy.yaml", Request: []string{"POST " + b.ledger.URL + "/items", "GET http://other.example/"}})
	if err != nil || len(r.Requests) != 2 || !r.Requests[0].Approve || !r.Requests[0].Write || r.Requests[1].Allowed || r.Verdict() == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	b.write(t, "policy.yaml", `version: 1
http: [{hosts: ["*"]}, {hosts: [a], methods: [GET]}, {hosts: [b], methods: [POST], class: read}]
credentials: {api: {hosts: [c:1], bearer: {env: UNSET}}}
`)
	if r, err = b.CheckPolicy(t.Context(), PolicyInput{File: "policy.yaml"}); err != nil || len(r.Warnings) != 3 {
		t.Errorf("%q, %v", r.Warnings, err)
	}
	if _, err := b.CheckPolicy(t.Context(), PolicyInput{File: "policy.yaml", Request: []string{"nothing"}}); err == nil {
		t.Error("a request without an address was read")
	}
	if _, err := ReadPolicy(filepath.Join("..", "..", "examples", "policies", "grafana.yaml")); err != nil {
		t.Error(err)
	}
	if s, err := b.PolicySchema(t.Context(), SchemaInput{}); err != nil || !json.Valid(s.text) {
		t.Errorf("%v", err)
	}
}
