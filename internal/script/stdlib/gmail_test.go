package stdlib_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"strings"
	"testing"
)

// Other programs read the mails that are sent: headers beyond ASCII, alternatives, attachments, answers.
func TestMails(t *testing.T) {
	long := strings.Repeat("Grüße aus Köln ", 12)
	var sent string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"id": "m1", "threadId": "t", "payload": {"headers": [{"name": "From", "value": "Ann <ann@x.example>"},
				{"name": "To", "value": "me@x.example"}, {"name": "Subject", "value": "S"}, {"name": "Message-Id", "value": "<2@x>"},
				{"name": "References", "value": "<1@x>"}]}}`)
			return
		}
		var body struct{ Raw, ThreadID string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		raw, err := base64.URLEncoding.DecodeString(body.Raw)
		if err != nil {
			t.Error(err)
		}
		sent = string(raw)
		fmt.Fprint(w, `{"id": "m2"}`)
	}))
	defer s.Close()
	tests := []struct {
		name, lua string
		headers   map[string]string // decoded
		parts     []string          // type, name, content of each that is not a multipart
	}{
		{"beyond ASCII", `c:send({to = {"Jörg Müller <joerg@x.example>", "b@x.example"}, bcc = "c@x.example", subject = "` + long + `", text = "ü\n"})`,
			map[string]string{"To": "Jörg Müller <joerg@x.example>, b@x.example", "Bcc": "c@x.example", "Subject": strings.TrimSpace(long)},
			[]string{"text/plain  ü\n"}},
		{"alternatives and an attachment", `c:send({to = "b@x.example", text = "plain", html = "<b>rich</b>",
			attachments = {{filename = "Übersicht 1.csv", content = ("\0\255"):rep(100), type = "text/csv"}}})`,
			nil, []string{"text/plain  plain", "text/html  <b>rich</b>", "text/csv Übersicht 1.csv " + strings.Repeat("\x00\xff", 100)}},
		{"an answer to all", `c:reply("m1", "yes", {all = true})`,
			map[string]string{"To": "Ann <ann@x.example>", "Cc": "me@x.example", "Subject": "Re: S", "In-Reply-To": "<2@x>", "References": "<1@x> <2@x>"},
			[]string{"text/plain  yes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sent = ""
			runLua(t, newServer(t), nil, fmt.Sprintf("local c = require('assay.gmail').client({endpoint = %q, token = 't'}) return %s", s.URL, tt.lua))
			m, err := mail.ReadMessage(strings.NewReader(sent))
			if err != nil {
				t.Fatalf("%v in\n%s", err, sent)
			}
			for line := range strings.SplitSeq(sent, "\r\n") {
				if len(line) > 78 {
					t.Errorf("a line of %d characters: %s", len(line), line)
				}
			}
			var words mime.WordDecoder
			for name, want := range tt.headers {
				if got, err := words.DecodeHeader(m.Header.Get(name)); strings.TrimSpace(got) != want || err != nil {
					t.Errorf("%s = %q, %v, want %q", name, got, err, want)
				}
			}
			if got := readParts(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Disposition"), m.Body); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.parts) {
				t.Errorf("parts %q, want %q", got, tt.parts)
			}
		})
	}
}

// readParts returns of each part that holds content its type, the name of its file and the content.
func readParts(t *testing.T, kind, disposition string, body io.Reader) (out []string) {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(kind)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		content, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, body))
		if err != nil {
			t.Fatal(err)
		}
		_, file, _ := mime.ParseMediaType(disposition)
		return []string{kind + " " + file["filename"] + " " + string(content)}
	}
	for r := multipart.NewReader(body, parameters["boundary"]); ; {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, readParts(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Disposition"), p)...)
	}
}
