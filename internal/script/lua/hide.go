package lua

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What passes is shown and kept without secrets: those that scripts have read, those that
// identified somebody in a header, and what stands under a name that means nothing else.

var (
	fieldOfJSON = lazy.Regexp(`"([\w.-]{2,40})"(\s*:\s*)"((?:[^"\\]|\\.)*)"`)
	fieldOfForm = lazy.Regexp(`(^|[?&\s])([\w.-]{2,40})=([^&\s"#]+)`)
	userOfURL   = lazy.Regexp(`(://[^/\s:@"]*:)[^@/\s"]+@`)
)

// secretFields are names, without signs, of what nobody but its owner should see, in what is sent and answered. A name that means
// something else too is none: a recording in which a key or the name of a secret is hidden cannot be replayed.
var secretFields = map[string]bool{
	"accesstoken": true, "refreshtoken": true, "idtoken": true, "token": true, "clienttoken": true, "authtoken": true, "bearertoken": true,
	"sessiontoken": true, "clientsecret": true, "clientassertion": true, "password": true, "passwd": true, "pwd": true, "passphrase": true,
	"secret": true, "secretkey": true, "secretaccesskey": true, "apikey": true, "privatekey": true, "authorization": true,
	"xamzsignature": true, "xamzsecuritytoken": true, "signature": true,
}

func secretField(name string) bool {
	return secretFields[strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))]
}

// hidden returns text without secrets.
func (vm *VM) hidden(text string) string {
	text = vm.Redact(text)
	text = replaced(fieldOfJSON.Get(), text, func(m []string) string {
		if !secretField(m[1]) || m[3] == "" {
			return m[0]
		}
		return `"` + m[1] + `"` + m[2] + `"[redacted]"`
	})
	text = replaced(fieldOfForm.Get(), text, func(m []string) string {
		if !secretField(m[2]) {
			return m[0]
		}
		return m[1] + m[2] + "=[redacted]"
	})
	return userOfURL.Get().ReplaceAllString(text, "${1}[redacted]@")
}

func replaced(re *regexp.Regexp, text string, by func(m []string) string) string {
	return re.ReplaceAllStringFunc(text, func(s string) string { return by(re.FindStringSubmatch(s)) })
}

// learn notes what identifies somebody in the headers of a request: a server may send it back.
func (s *secrets) learn(h http.Header) {
	for name, values := range h {
		if !secretHeader(name) {
			continue
		}
		for _, v := range values {
			scheme, credentials, ok := strings.Cut(v, " ")
			if !ok {
				credentials = v
			}
			if len(credentials) < 8 {
				continue
			}
			s.note(credentials)
			if b, err := base64.StdEncoding.DecodeString(credentials); err == nil && strings.EqualFold(scheme, "Basic") {
				_, password, _ := strings.Cut(string(b), ":")
				s.note(password)
			}
		}
	}
}

// learnFields notes what stands in a text under names of secrets: it may be sent again, or come
// back, under another name. A shorter value could be any word.
func (s *secrets) learnFields(text string, least int) {
	for _, m := range fieldOfJSON.Get().FindAllStringSubmatch(text, maxLearned) {
		if v := ""; secretField(m[1]) && json.Unmarshal([]byte(`"`+m[3]+`"`), &v) == nil && len(v) >= least {
			s.note(v)
		}
	}
	for _, m := range fieldOfForm.Get().FindAllStringSubmatch(text, maxLearned) {
		if v, err := url.QueryUnescape(m[3]); secretField(m[2]) && err == nil && len(v) >= least {
			s.note(v)
		}
	}
}

const maxLearned = 1000 // fields of a text

// Forms returns a value as it may be written: itself, in a URL, in JSON, in JSON within JSON.
func Forms(v string) []string {
	out := []string{v, url.QueryEscape(v), url.PathEscape(v), strings.ReplaceAll(url.QueryEscape(v), "+", "%20"), escape(v, "\"<>`{}|^"), escape(v, "\"<>'")}
	quotes := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, inner := range [...]string{v, quotes.Replace(v)} {
		if b, err := json.Marshal(inner); err == nil {
			out = append(out, string(b[1:len(b)-1]))
		}
		out = append(out, quotes.Replace(inner))
	}
	return out
}
