package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/op"
)

type input struct {
	Query string `json:"query" arg:"1" help:"what"`
	Top   int    `json:"top,omitempty" flag:"top" min:"1" max:"9" default:"3" help:"how many"`
}

type citing struct {
	Query string   `json:"query" arg:"1" help:"what"`
	Files []string `json:"files,omitempty" flag:"files" help:"where"`
	Fix   bool     `json:"fix,omitempty" flag:"fix" help:"write"`
}

type echoed struct {
	Query string `json:"query"`
	Top   int    `json:"top"`
}

func (e echoed) WriteText(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, e.Query)
	return err
}

func service(ran *[]string) Service {
	make := func(name string, effect op.Effect) op.Op {
		return op.Op{Name: name, Brief: "B", Example: "x", Effect: effect, In: reflect.TypeFor[input](), Run: func(_ context.Context, in any, out op.Out) (op.Result, error) {
			*ran = append(*ran, name)
			i := in.(input)
			if i.Query == "fail" {
				return nil, fault.New(fault.NotFound, "no such thing").Or("look elsewhere")
			}
			out.Note("%d notes", 1)
			return echoed(i), nil
		}}
	}
	cite := op.Op{Name: "audit cite", Brief: "B", Example: "x", Effect: op.Reads, In: reflect.TypeFor[citing](), Run: func(_ context.Context, in any, _ op.Out) (op.Result, error) {
		*ran = append(*ran, "audit cite")
		return echoed{Query: strings.Join(in.(citing).Files, " ")}, nil
	}}
	return Service{Ops: []op.Op{make("search", op.Reads), make("memory store", op.Writes), make("docs import", op.Writes), make("exec", op.Executes), make("watch", op.Reads), make("audit accept", op.Writes), make("memory edit", op.Writes), make("modules try", op.Executes), cite}, Root: "/p", Version: "v", Reports: map[string]Report{
		"calls": func(_ context.Context, file string) (any, error) { return []string{"<b>" + file}, nil },
		"gone":  func(context.Context, string) (any, error) { return nil, fault.New(fault.Unavailable, "not now") },
	}}
}

// TestHandler holds who is answered, and with what.
func TestHandler(t *testing.T) {
	var ran []string
	h, token, err := newHandler(service(&ran))
	if err != nil || len(token) < 40 {
		t.Fatal(err, token)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	for _, tc := range []struct {
		what, method, path, body string
		head                     map[string]string
		status                   int
		want                     string
	}{
		{"the page", "GET", "/", "", nil, 200, "<!doctype html>"},
		{"a file of it", "GET", "/app.js", "", nil, 200, "import"},
		{"a file out of it", "GET", "/../ui.go", "", nil, 404, "page not found"},
		{"another name for this machine", "GET", "/", "", map[string]string{"Host": "evil.example"}, 403, "only answers its own page"},
		{"a page of another site", "POST", "/api/run", `{"op":"search","in":{"query":"x"}}`, map[string]string{"Origin": "https://evil.example", "Authorization": "Bearer " + token}, 403, "only answers its own page"},
		{"no token", "POST", "/api/run", `{"op":"search","in":{"query":"x"}}`, nil, 401, "token"},
		{"another token", "GET", "/api/about", "", map[string]string{"Authorization": "Bearer x"}, 401, "token"},
		{"the token in the address", "GET", "/api/about?token=" + token, "", nil, 401, "token"},
		{"about", "GET", "/api/about", "", map[string]string{"Authorization": "Bearer " + token}, 200, `"operations":[{"name":"search","brief":"B","writes":false},{"name":"memory store","brief":"B","writes":true},{"name":"audit accept","brief":"B","writes":true},{"name":"memory edit","brief":"B","writes":true},{"name":"modules try","brief":"B","writes":true},{"name":"audit cite","brief":"B","writes":false}]`},
		{"a report", "GET", "/api/report/calls", "", map[string]string{"Authorization": "Bearer " + token}, 200, `["\u003cb\u003e"]`},
		{"a report of a file", "GET", "/api/report/calls?file=a/b.go", "", map[string]string{"Authorization": "Bearer " + token}, 200, `["\u003cb\u003ea/b.go"]`},
		{"a report of a file outside", "GET", "/api/report/calls?file=../b.go", "", map[string]string{"Authorization": "Bearer " + token}, 404, "report not found"},
		{"a report of a file anywhere", "GET", "/api/report/calls?file=/etc/passwd", "", map[string]string{"Authorization": "Bearer " + token}, 404, "report not found"},
		{"a report without a token", "GET", "/api/report/calls", "", nil, 401, "token"},
		{"a report that fails", "GET", "/api/report/gone", "", map[string]string{"Authorization": "Bearer " + token}, 503, "not now"},
		{"no report", "GET", "/api/report/x", "", map[string]string{"Authorization": "Bearer " + token}, 404, "report not found"},
		{"a question", "POST", "/api/run", `{"op":"search","in":{"query":"a"}}`, map[string]string{"Authorization": "Bearer " + token}, 200, `{"notes":["1 notes"],"result":{"query":"a","top":3}}`},
		{"a question for an agent's text", "POST", "/api/run", `{"op":"search","in":{"query":"a"},"text":true}`, map[string]string{"Authorization": "Bearer " + token}, 200, `"text":"a"`},
		{"a file that is read", "POST", "/api/run", `{"op":"search","in":{"query":"a","trace":"/etc/passwd"}}`, map[string]string{"Authorization": "Bearer " + token}, 400, "may not set trace"},
		{"a wrong argument", "POST", "/api/run", `{"op":"search","in":{"query":"a","top":99}}`, map[string]string{"Authorization": "Bearer " + token}, 400, "search: top"},
		{"an argument that is not one", "POST", "/api/run", `{"op":"search","in":{"query":"a","x":1}}`, map[string]string{"Authorization": "Bearer " + token}, 400, "no argument"},
		{"an error", "POST", "/api/run", `{"op":"search","in":{"query":"fail"}}`, map[string]string{"Authorization": "Bearer " + token}, 404, `"error":"no such thing","hint":"look elsewhere"`},
		{"a write without a yes", "POST", "/api/run", `{"op":"memory store","in":{"query":"a"}}`, map[string]string{"Authorization": "Bearer " + token}, 409, "needs a confirmation"},
		{"a write", "POST", "/api/run", `{"op":"memory store","in":{"query":"a"},"confirm":true}`, map[string]string{"Authorization": "Bearer " + token}, 200, `"top":3`},
		{"a write that the page has not", "POST", "/api/run", `{"op":"docs import","in":{"query":"a"},"confirm":true}`, map[string]string{"Authorization": "Bearer " + token}, 404, "does not offer the operation"},
		{"code", "POST", "/api/run", `{"op":"exec","in":{"query":"a"},"confirm":true}`, map[string]string{"Authorization": "Bearer " + token}, 404, "does not offer the operation"},
		{"what does not end", "POST", "/api/run", `{"op":"watch","in":{"query":"a"}}`, map[string]string{"Authorization": "Bearer " + token}, 404, "does not offer the operation"},
		{"what acts", "POST", "/api/run", `{"op":"search","in":{"query":"a","track":true}}`, map[string]string{"Authorization": "Bearer " + token}, 400, "may not set track"},
		{"what acts, in capitals", "POST", "/api/run", `{"op":"search","in":{"query":"a","TRACK":true}}`, map[string]string{"Authorization": "Bearer " + token}, 400, "TRACK"},
		{"a correction without a yes", "POST", "/api/run", `{"op":"audit cite","in":{"query":"a","files":["a.md"],"fix":true}}`, map[string]string{"Authorization": "Bearer " + token}, 400, "may not set fix"},
		{"a correction of another's file", "POST", "/api/run", `{"op":"audit cite","in":{"query":"a","files":["a.md","../b.md"],"fix":true},"confirm":true}`, map[string]string{"Authorization": "Bearer " + token}, 400, "may not set fix"},
		{"a correction of no file", "POST", "/api/run", `{"op":"audit cite","in":{"query":"a","fix":true},"confirm":true}`, map[string]string{"Authorization": "Bearer " + token}, 400, "may not set fix"},
		{"a correction", "POST", "/api/run", `{"op":"audit cite","in":{"query":"a","files":["docs/a.md"],"fix":true},"confirm":true}`, map[string]string{"Authorization": "Bearer " + token}, 200, `"query":"docs/a.md"`},
		{"another operation's fix", "POST", "/api/run", `{"op":"memory edit","in":{"query":"a","files":["docs/a.md"],"fix":true},"confirm":true}`, map[string]string{"Authorization": "Bearer " + token}, 400, "may not set fix"},
		{"a file that a write goes to", "POST", "/api/run", `{"op":"memory store","in":{"query":"a","baseline":"/etc/x"},"confirm":true}`, map[string]string{"Authorization": "Bearer " + token}, 400, "may not set baseline"},
		{"accepting without a yes", "POST", "/api/run", `{"op":"audit accept","in":{"query":"a"}}`, map[string]string{"Authorization": "Bearer " + token}, 409, "needs a confirmation"},
		{"editing without a yes", "POST", "/api/run", `{"op":"memory edit","in":{"query":"a"}}`, map[string]string{"Authorization": "Bearer " + token}, 409, "needs a confirmation"},
		{"accepting from another site", "POST", "/api/run", `{"op":"audit accept","in":{"query":"a"},"confirm":true}`, map[string]string{"Origin": "https://evil.example", "Authorization": "Bearer " + token}, 403, "only answers its own page"},
		{"an example without a yes", "POST", "/api/run", `{"op":"modules try","in":{"query":"a"}}`, map[string]string{"Authorization": "Bearer " + token}, 409, "needs a confirmation"},
		{"no JSON", "POST", "/api/run", `{`, map[string]string{"Authorization": "Bearer " + token}, 400, "not valid JSON"},
		{"too much", "POST", "/api/run", `{"op":"` + strings.Repeat("x", maxBody) + `"}`, map[string]string{"Authorization": "Bearer " + token}, 400, "too long"},
		{"another method", "GET", "/api/run", "", map[string]string{"Authorization": "Bearer " + token}, 405, "GET is not"},
		{"another method of a page", "PUT", "/", "", nil, 405, "PUT is not"},
	} {
		r, err := http.NewRequest(tc.method, s.URL+tc.path, strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range tc.head {
			r.Header.Set(k, v)
			if k == "Host" {
				r.Host = v
			}
		}
		reply, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(reply.Body)
		reply.Body.Close()
		if reply.StatusCode != tc.status || !strings.Contains(string(text), tc.want) {
			t.Errorf("%s: %d %s, want %d %s", tc.what, reply.StatusCode, text, tc.status, tc.want)
		}
		if csp := reply.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || reply.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", tc.what, reply.Header)
		}
	}
	if got := strings.Join(ran, " "); got != "search search search memory store audit cite" {
		t.Errorf("ran %s", got)
	}
}

// said is a text with a secret, and the command of a fix.
type said struct{ Command string }

func (s said) WriteText(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, "callers "+s.Command+" password=\"hunter2-correct-horse-9431\"\u202e\n")
	return err
}

// The text for an agent is that of its tool: it has no secrets, hidden characters, commands or last line end.
func TestTextForAgents(t *testing.T) {
	ask := func(ctx context.Context, _ any, out op.Out) (op.Result, error) {
		return said{out.Command(fault.Fix{Op: "brief", Args: []fault.Arg{{Name: "query", Value: "x"}}})}, nil
	}
	ops := []op.Op{{Name: "brief", Brief: "B", Example: "x", Effect: op.Reads, In: reflect.TypeFor[input](), Run: ask}}
	h, token, err := newHandler(Service{Ops: ops, Root: "/p"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, body, want string }{
		{"with the text", `{"op":"brief","in":{"query":"a"},"text":true}`, `{"notes":[],"result":{"Command":""},"text":"callers  password=\"[redacted:password]\"\u003cU+202E\u003e"}`},
		{"without it", `{"op":"brief","in":{"query":"a"}}`, `{"notes":[],"result":{"Command":"assay brief x"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/api/run", strings.NewReader(tt.body))
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Body.String(); got != tt.want {
				t.Errorf("the answer is %s, want %s", got, tt.want)
			}
		})
	}
}

// TestPage holds that the page reads no markup from what it shows, and asks nobody else.
func TestPage(t *testing.T) {
	entries, err := os.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	size, script := 0, 0
	comment := regexp.MustCompile(`(?m)^[ \t]*(?://|\*|/\*\*).*\n`)
	for _, e := range entries {
		text, err := os.ReadFile("page/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		size += len(text)
		if strings.HasSuffix(e.Name(), ".js") {
			script += len(comment.ReplaceAll(text, nil))
		}
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", " style=\"", "onclick=\""} {
			if bytes.Contains(text, []byte(bad)) {
				t.Errorf("%s has %s", e.Name(), bad)
			}
		}
		for _, m := range regexp.MustCompile(`https?://[^\s"'`+"`"+`]+`).FindAll(text, -1) {
			if string(m) != "http://www.w3.org/2000/svg" {
				t.Errorf("%s names %s", e.Name(), m)
			}
		}
	}
	if size > 200<<10 || script > 120<<10 {
		t.Errorf("the page has %d bytes, and %d of script without its comments", size, script)
	}
}

// TestRun holds that the command prints the address, opens it, and ends with its context.
func TestRun(t *testing.T) {
	var ran []string
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	svc := service(&ran)
	opened := ""
	svc.Open = func(_ context.Context, url string) error {
		opened = url
		base, token, _ := strings.Cut(url, "#token=")
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, base+"api/about", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		done := make(chan struct{})
		go func() { // the server begins once this has returned
			defer close(done)
			reply, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Error(err)
			} else {
				var v struct{ Root string }
				if err := json.NewDecoder(reply.Body).Decode(&v); err != nil || v.Root != "/p" {
					t.Errorf("%v, %+v", err, v)
				}
				reply.Body.Close()
			}
			stop()
		}()
		return nil
	}
	var out bytes.Buffer
	if err := Run(ctx, svc, nil, &out, io.Discard); err != nil {
		t.Error(err)
	}
	if out.String() != opened+"\n" || !strings.HasPrefix(opened, "http://127.0.0.1:") {
		t.Errorf("printed %q, opened %q", out.String(), opened)
	}
	for _, args := range [][]string{{"x"}, {"--port", "99999"}, {"--bogus"}} {
		if err := Run(t.Context(), svc, args, io.Discard, io.Discard); fault.KindOf(err) != fault.Usage {
			t.Errorf("%v: %v", args, err)
		}
	}
}
