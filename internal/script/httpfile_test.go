//go:build !slim

package script

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/script/lua"
)

// echo answers with the request.
func echo(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/login" {
			w.Header().Set("Set-Cookie", "sid=c1; Path=/")
			w.Header().Set("X-Next", "n1")
			_, _ = io.WriteString(w, `{"token":"t1","list":[{"id":7}]}`)
			return
		}
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/there", http.StatusFound)
			return
		}
		fmt.Fprintf(w, "%s|%s|%s|%s|%s|%s", r.Method, r.RequestURI, b, r.Header.Get("Content-Type"), r.Header.Get("Authorization"), r.Header.Get("Cookie"))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// A file of requests is run as both editors run it. What is not taken is named.
func TestHTTPFile(t *testing.T) {
	url := echo(t)
	login := "### \n# @name login\nPOST " + url + "/login\n\n{}\n\n###\n"
	tests := []struct {
		name, src string
		args      []string
		want      string // of the last body
		left      string
	}{
		{"a line", "GET " + url + "/a", nil, "GET|/a||||", ""},
		{"an address alone", url + "/a HTTP/1.1", nil, "GET|/a||||", ""},
		{"a mark of the order of bytes", "\ufeffGET " + url + "/a\r\n", nil, "GET|/a||||", ""},
		{"any method", "PROPFIND " + url + "/a", nil, "PROPFIND|/a||||", ""},
		{"a query on lines of its own", "GET " + url + "/a\n  ?b=1\n  &c=2\n", nil, "GET|/a?b=1&c=2||||", ""},
		{"comments", "# one\n// two\nGET " + url + "/a\n# three\n// four: five\nContent-Type: x/y\n", nil, "GET|/a||x/y||", ""},
		{"a body", "POST " + url + "/a\nContent-Type: text/plain\n\none\n\ntwo\n\n", nil, "POST|/a|one\n\ntwo|text/plain||", ""},
		{"a form", "POST " + url + "/a\nContent-Type: application/x-www-form-urlencoded\n\na=1\n&b=2\n", nil, "POST|/a|a=1&b=2|application/x-www-form-urlencoded||", ""},
		{"parts", "POST " + url + "/a\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name=\"f\"\n\n< ./part.txt\n--B--\n", nil,
			"POST|/a|--B\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nI am {{id}}\r\n--B--\r\n|multipart/form-data; boundary=B||", ""},
		{"a file", "@id=5\nPOST " + url + "/a\n\n< part.txt", nil, "POST|/a|I am {{id}}|||", ""},
		{"a file with variables", "@id=5\nPOST " + url + "/a\n\n<@utf8 part.txt", nil, "POST|/a|I am 5|||", ""},
		{"XML is no file", "POST " + url + "/a\n\n<a/>", nil, "POST|/a|<a/>|||", ""},
		{"variables of the file", "@host = " + url + "\n@path = {{host}}/b\nGET {{path}}/{{ n }}\n@n = 1", nil, "GET|/b/1||||", ""},
		{"a variable of the environment", "GET " + url + "/{{FROM_ENV}}", nil, "GET|/e1||||", ""},
		{"an argument comes first", "@FROM_ENV = file\nGET " + url + "/{{FROM_ENV}}", []string{"FROM_ENV=x=y"}, "GET|/x=y||||", ""},
		{"an encoded value", "@a = b&c\nGET " + url + "/?q={{%a}}", nil, "GET|/?q=b%26c||||", ""},
		{"a variable that nobody knows", "\nGET " + url + "/{{nobody}}", nil, "a.http:2: {{nobody}} has no value: give nobody=VALUE", ""},
		{"variables that go in a circle", "@a = {{b}}\n@b = {{a}}\nGET " + url + "/{{a}}", nil, "a.http:3: variables stand for each other", ""},
		{"a number of chance", "GET " + url + "/{{$randomInt 7 8}}", nil, "GET|/7||||", ""},
		{"a process's variable", "GET " + url + "/{{$processEnv FROM_ENV}}", nil, "GET|/e1||||", ""},
		{"a variable of .env", "GET " + url + "/{{$dotenv A}}", nil, "GET|/dot||||", ""},
		{"a function that nobody knows", "GET " + url + "/{{$aadToken}}", nil, "{{$aadToken}} has no value", ""},
		{"Basic", "GET " + url + "/a\nAuthorization: Basic ann:pass", nil, "GET|/a|||Basic YW5uOnBhc3M=|", ""},
		{"Basic with a blank", "GET " + url + "/a\nAuthorization: Basic ann pa ss", nil, "GET|/a|||Basic YW5uOnBhIHNz|", ""},
		{"Basic that is encoded", "GET " + url + "/a\nAuthorization: Basic YW5uOnBhc3M=", nil, "GET|/a|||Basic YW5uOnBhc3M=|", ""},
		{"an earlier response", login + "GET " + url + "/{{login.response.body.$.list[0].id}}/{{login.response.headers.x-next}}\nAuthorization: Bearer {{login.response.body.$.token}}", nil, "GET|/7/n1|||Bearer t1|sid=c1", ""},
		{"a response that has not come", "GET " + url + "/{{login.response.body.*}}\n" + login, nil, "its request has to come before this one", ""},
		{"no cookies", login + "# @no-cookie-jar\nGET " + url + "/a", nil, "GET|/a||||", ""},
		{"a redirect", "GET " + url + "/moved", nil, "GET|/there||||", ""},
		{"no redirect", "# @no-redirect\nGET " + url + "/moved", nil, "Found", ""},
		{"GraphQL", "POST " + url + "/g\nX-Request-Type: GraphQL\n\nquery { a }\n\n{\"n\": 1}", nil, `POST|/g|{"query":"query { a }","variables":{"n":1}}|application/json||`, ""},
		{"GraphQL of JetBrains", "GRAPHQL " + url + "/g\n\nquery { a }", nil, `POST|/g|{"query":"query { a }"}|application/json||`, ""},
		{"one of several", "### a\nGET " + url + "/a\n### b\nGET " + url + "/b\n### c\nGET " + url + "/c", []string{"b"}, "GET|/b||||", ""},
		{"none of several", "### a\nGET " + url + "/a", []string{"z"}, "no request has the name z", ""},
		{"no request", "# nothing", nil, "no request in it", ""},
		{"a script after it", "POST " + url + "/a\n\nx\n\n> {%\n### client.log(1)\n%}\n\n### b\nGET " + url + "/b", nil, "GET|/b||||", "line 5: the script > {% … %} does not run"},
		{"a script before it", "< {% request.x() %}\nGET " + url + "/a\n\n> after.js", nil, "GET|/a||||", "line 1: the script < {% … %} does not run\nline 4: the script after.js does not run"},
		{"a response that is kept", "GET " + url + "/a\n\n>>! out.json\n<> old.json", nil, "GET|/a||||", "line 3: >>! out.json: responses are not kept in files\nline 4: <> old.json"},
		{"other protocols", "WEBSOCKET ws://x\n\nhello\n###\nGET " + url + "/a\n###\nimport b.http", nil, "GET|/a||||", "line 1: WEBSOCKET is not taken\nline 7: import is not taken"},
		{"a tag that nobody knows", "# @wibble\nGET " + url + "/a", nil, "GET|/a||||", "line 1: @wibble is not known here"},
		{"no header", "GET " + url + "/a\nnonsense", nil, "GET|/a||||", "line 2: not a header: nonsense"},
		{"nobody there", "\n\nGET http://127.0.0.1:1/", nil, "a.http:3: http.request failed", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, map[string]string{"work/d/a.http": tt.src, "work/d/part.txt": "I am {{id}}", "work/d/.env": "B=1\nA=\"dot\"\n"}, map[string]string{"FROM_ENV": "e1"}, nil)
			if err := os.Rename(filepath.Join(b.dir, "work", "d"), filepath.Join(b.dir, "work", "e")); err != nil {
				t.Fatal(err)
			}
			r, err := b.Exec(b.ctx, ExecInput{File: "e/a.http", Args: tt.args, Capture: true})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if list, ok := r.Result.([]any); ok {
				got, _ = list[len(list)-1].(map[string]any)["body"].(string)
			}
			if r.Error != nil {
				got = *r.Error
			}
			exact := r.Error == nil && got != "" && tt.want != "Found"
			if exact && got != tt.want || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
			for _, left := range strings.Split(tt.left, "\n") {
				if !strings.Contains(strings.Join(r.Logs, "\n"), left) || tt.left == "" && len(r.Logs) > 0 {
					t.Errorf("%q, want %q", r.Logs, left)
				}
			}
		})
	}
}

// In text the responses are printed, and a policy holds as for any script.
func TestHTTPFileUnderPolicy(t *testing.T) {
	url := echo(t)
	b := newBench(t, map[string]string{
		"work/a.http":      "### one\nGET " + url + "/a\n\n### two\nPOST " + url + "/b\n\nx",
		"work/p.yaml":      "version: 1\nhttp: [{hosts: [" + strings.TrimPrefix(url, "http://") + "], methods: [GET, POST], approve: true}]\n",
		"work/file.http":   "POST " + url + "/a\n\n< /etc/passwd",
		"work/secret.http": "GET " + url + "/{{API_TOKEN}}",
	}, map[string]string{"API_TOKEN": "s3cret-value"}, nil)
	b.cfg.Approvals = filepath.Join(b.dir, "approvals")
	if _, err := b.Exec(b.ctx, ExecInput{File: "a.http", Args: []string{"one"}}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.stdout.String(), "### one\nGET "+url+"/a 200\nGET|/a||||\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	policy := Requests{Policy: "p.yaml"}
	tests := []struct{ name, file, want string }{
		{"a request that needs an approval", "a.http", `"method":"GET"`},
		{"a file that is not permitted", "file.http", "the policy permits no files"},
		{"a variable that is not permitted", "secret.http", "{{API_TOKEN}} has no value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := b.Exec(b.ctx, ExecInput{File: tt.file, Requests: policy, Capture: true})
			text, _ := json.Marshal(r)
			if err != nil || !strings.Contains(string(text), tt.want) || strings.Contains(string(text), "s3cret") {
				t.Errorf("%s, %v, want %s", text, err, tt.want)
			}
		})
	}
	// An approval sends that request, and the next one needs the next approval.
	r, err := b.Exec(b.ctx, ExecInput{File: "a.http", Requests: policy, Capture: true})
	if err != nil || r.NeedsApproval == nil {
		t.Fatal(err)
	}
	if r, err = b.Exec(b.ctx, ExecInput{Resume: r.NeedsApproval.Token, Capture: true}); err != nil || r.NeedsApproval == nil || r.NeedsApproval.Method != http.MethodPost || r.NeedsApproval.Body != "x" {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, err = b.Exec(b.ctx, ExecInput{Resume: r.NeedsApproval.Token, Capture: true}); err != nil || !strings.Contains(fmt.Sprint(r.Result), "POST|/b|x") {
		t.Fatalf("%+v, %v", r, err)
	}
	_, err = b.Exec(b.ctx, ExecInput{File: "gone.http"})
	wrong(t, "no file", err, fault.NotFound, "gone.http")
}

// recording is a HAR file. Each of secrets is in it.
var (
	recordedSecrets = []string{"eyJSECRETjwt.aaaa.bbbb", "sk_live_51Habcdef", "SeSSiOnCookieValue77", "supersecretpw", "qk-98765SECRET", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "PATHTOKENa8f7g6", "YmFzaWNTZWNyZXQ=", "xKjHqWzRtPlm"}
	recording       = `{"log":{"version":"1.2","entries":[
{"request":{"method":"GET","url":"https://api.shop.com/v1/orders/42?api_key=qk-98765SECRET&state=open&page%5Bsize%5D=5#f","headers":[{"name":"Authorization","value":"Bearer eyJSECRETjwt.aaaa.bbbb"},{"name":":authority","value":"x"},{"name":"User-Agent","value":"M"},{"name":"X-Tenant","value":"acme"}],
 "cookies":[{"name":"sid","value":"SeSSiOnCookieValue77"}]},"response":{"status":200,"headers":[{"name":"Set-Cookie","value":"sid=SeSSiOnCookieValue77"}],"content":{"mimeType":"application/json","text":"{\"id\":1,\"supersecretpw\":2,\"eyJSECRETjwt.aaaa.bbbb\":3}"}}},
{"request":{"method":"GET","url":"https://api.shop.com/v1/orders/43?state=closed","headers":[]},"response":{"status":200,"content":{"mimeType":"application/json","text":"{}"}}},
{"request":{"method":"POST","url":"https://api.shop.com/v1/login","headers":[{"name":"Cookie","value":"a=SeSSiOnCookieValue77"}],"postData":{"mimeType":"application/json; charset=utf-8","text":"{\"user\":\"ann\",\"password\":\"supersecretpw\",\"sk_live_51Habcdef\":1}"}},"response":{"status":201,"content":{"mimeType":"application/json","text":"[{\"token\":\"eyJSECRETjwt.aaaa.bbbb\"}]"}}},
{"request":{"method":"GET","url":"https://api.shop.com/bot123:PATHTOKENa8f7g6/send/f47ac10b-58cc-4372-a567-0e02b2c3d479/xKjHqWzRtPlm","headers":[]},"response":{"status":204}},
{"request":{"method":"GET","url":"https://cdn.other.com/a.js","headers":[]},"response":{"status":200,"content":{"mimeType":"application/javascript"}}},
{"request":{"method":"GET","url":"https://user:supersecretpw@track.other.com/p/PATHTOKENa8f7g6?eyJSECRETjwt.aaaa.bbbb","headers":[]},"response":{"status":200,"content":null}},
{"request":{"method":"OPTIONS","url":"https://api.shop.com/v1/orders","headers":[]},"response":{"status":204}},
{"request":{"method":"DELETE","url":"https://api.shop.com/v1/orders/42","headers":[{"name":"authorization","value":"Basic YmFzaWNTZWNyZXQ="}],"postData":{"mimeType":"text/plain","text":"x"}},"response":{"status":200}},
{"request":{"method":"GET","url":"wss://api.shop.com/live","headers":[]},"response":{"status":101}},
{"request":{"method":"GET","url":"https://api.shop.com/?sk_live_51Habcdef=supersecretpw","headers":[{"name":"xKjHqWzRtPlm","value":"1"}]},"response":{"status":200}}]}}`
)

// A module of a recording has the names of its requests and none of its values, and it can be used.
func TestNewModuleFromHAR(t *testing.T) {
	// "supersecretpw" is also the name of a member, as a password never is: it could be any word.
	har := strings.Replace(recording, `\"supersecretpw\":2,`, "", 1)
	b := newBench(t, map[string]string{"work/a.har": har}, map[string]string{"SHOP_TOKEN": "t0ken", "SHOP_API_KEY": "k3y"}, nil)
	r, err := b.NewModule(b.ctx, NewInput{Name: "shop", From: "a.har"})
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range recordedSecrets {
		if strings.Contains(strings.ToLower(string(src)+written(t, r)), strings.ToLower(s)) {
			t.Errorf("%s is shown:\n%s\n%s", s, src, written(t, r))
		}
	}
	want := []string{
		"a web socket", "GET https://track.other.com/p/{p_id}: of another server than https://api.shop.com", "OPTIONS https://api.shop.com/v1/orders: no function has this method",
		"DELETE https://api.shop.com/v1/orders/{order_id}: its body, because no function for this method has one",
		"GET https://api.shop.com/: a parameter of its query whose name looks like a value", "GET https://api.shop.com/: a header whose name looks like a value",
		"1 requests for pages, scripts, styles, images and the like", "headers that clients set by themselves: user-agent",
		"all values of queries, headers, cookies and bodies, which are parameters",
	}
	slices.Sort(want)
	if got := slices.Sorted(slices.Values(r.LeftOut)); !slices.Equal(got, want) {
		t.Errorf("left out:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if l, err := b.Lint(b.ctx, LintInput{Modules: []string{"shop"}}); err != nil || l.Verdict() != nil {
		t.Errorf("%v, %s", err, written(t, l))
	}
	url, _ := serve(t, `{"routes": [{"method": "GET", "path": "/v1/orders/{id}", "query": {"state": "open", "page[size]": "3", "api_key": "k3y"},
		"headers": {"Authorization": "Bearer t0ken", "X-Tenant": "acme", "Cookie": "sid=1"}, "reply": {"json": {"id": 9}}}]}`)
	x, err := b.Exec(b.ctx, ExecInput{Args: []string{url}, Eval: `
		return require("assay.shop").client(...):get_v1_orders_order_id(9, { state = "open", page_size = 3, x_tenant = "acme", cookie = "sid=1" }).id`})
	if err != nil || written(t, x) != "9\n" {
		t.Errorf("%+v, %v", x, err)
	}
}

// A module of a .http file has a function for each request.
func TestNewModuleFromHTTP(t *testing.T) {
	b := newBench(t, map[string]string{
		"work/a.http": "@host = https://api.example.com\n@base = {{host}}/v2\n### list items\nGET {{base}}/items/{{id}}/tags?state=open\nAuthorization: Bearer abcdef123\nX-Id: 5\n\n" +
			"### make\nPOST {{base}}/items\nContent-Type: application/json\n\n{\"name\": \"{{name}}\", \"tags\": []}\n\n> {% x %}\n\n### again\nPOST {{base}}/items\n\n### far\nGET https://other.example.com/\n",
		"work/rest.rest": "GET {{host}}/x",
		"work/none.http": "# nothing",
		"work/odd.yaml":  "openapi: 3.0.0\npaths: {/x: {head: {responses: {}}}}\n",
		"work/no.har":    `{"log": 1}`,
		"work/odd.har":   `{"log": {"entries": [{"request": {"url": 5}}]}}`,
		"work/bad.har":   "{",
		"work/api.yaml":  "openapi: 3.0.0\npaths: {/x: {get: {}}}",
	}, nil, nil)
	r, err := b.NewModule(b.ctx, NewInput{Name: "items", From: "a.http"})
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`or "https://api.example.com"`, "c:list_items(id, opts)", `"/v2/items/" .. escape(id) .. "/tags"`, `["X-Id"] = opts.x_id`, "c:make(body)", `token = env.get("ITEMS_TOKEN")`} {
		if !strings.Contains(string(src), want) {
			t.Errorf("no %s in\n%s", want, src)
		}
	}
	if strings.Contains(string(src), "abcdef123") {
		t.Error("a token is in the module")
	}
	for _, want := range []string{"line 14: the script > {% … %} does not run", "again is the same function as make", "GET https://other.example.com/: of another server"} {
		if !strings.Contains(written(t, r), "left out: "+want) && !strings.Contains(written(t, r), want) {
			t.Errorf("no %q in %s", want, written(t, r))
		}
	}
	for _, from := range []string{"rest.rest", "api.yaml"} {
		if _, err := b.NewModule(b.ctx, NewInput{Name: strings.ReplaceAll(from, ".", "_"), From: from}); err != nil {
			t.Errorf("%s: %v", from, err)
		}
	}
	for from, want := range map[string]string{"none.http": "no operations", "odd.yaml": "no operations; left out: HEAD /x", "no.har": "not a HAR file", "odd.har": "not a HAR file", "bad.har": "json.parse"} {
		_, err := b.NewModule(b.ctx, NewInput{Name: "x", From: from})
		wrong(t, from, err, fault.Usage, want)
	}
	_, err = b.NewModule(b.ctx, NewInput{Name: "x", From: "a.http", OpenAPI: "api.yaml"})
	wrong(t, "both", err, fault.Usage, "exclude each other")
}

// Whatever a file is, it is an error or a module that compiles.
func FuzzImport(f *testing.F) {
	f.Add(true, recording)
	f.Add(false, "@a = {{b}}\n### x\nPOST {{a}}/{{$guid}}/b{{c}}?d\nA: b\n\n{\"e\": 1}\n> {%\n%}\n")
	f.Fuzz(func(t *testing.T, har bool, text string) {
		reader := map[bool]string{true: "fromHAR", false: "fromHTTP"}[har]
		b := New(Config{WorkDir: t.TempDir(), Env: func(string) (string, bool) { return "", false }})
		ending := map[bool]string{true: ".har", false: ".http"}[har]
		if err := os.WriteFile(filepath.Join(b.cfg.WorkDir, "a"+ending), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := b.NewModule(t.Context(), NewInput{Name: "thing", From: "a" + ending})
		if err != nil {
			if fault.KindOf(err) != fault.Usage || strings.Contains(err.Error(), "import:") {
				t.Errorf("%s: %v", reader, err)
			}
			return
		}
		src, err := os.ReadFile(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := lua.Check("thing", src); err != nil {
			t.Errorf("%v\n%s", err, src)
		}
	})
}
