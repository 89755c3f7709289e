package lua

import (
	"cmp"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/sigv4"
)

// An auth is who a request says that it is from: the option auth of a request or a client.
type auth struct {
	username, password string
	bearer             string
	digest             bool
	sigV4              *sigv4.Signer

	// These are set for a credential of a policy, whose secret the script does not have.
	cred   *Credential
	name   string
	header http.Header
}

var (
	authOptions  = []string{"username", "password", "scheme", "bearer", "sigv4"}
	sigV4Options = []string{"access_key", "secret_key", "session_token", "region", "service"}
)

// readAuth reads {username, password, scheme = "basic" or "digest"}, {bearer} or {sigv4}.
func (c call) readAuth(name string, v value) *auth {
	if v.IsNil() {
		return nil
	}
	if a := handleOf(v); a != nil {
		return a
	}
	t := v.AsTable()
	if t == nil {
		c.Fail("%s: auth must be a table, or a credential of the policy: cred(NAME)", name)
	}
	c.checkNames(name+": auth", "option", t, authOptions)
	field := func(t *table, option string) string { return c.textOption(name+": auth", option, t.GetField(option)) }
	a := &auth{username: field(t, "username"), password: field(t, "password"), bearer: field(t, "bearer")}
	given := 0
	for _, has := range []bool{a.username != "" || a.password != "", a.bearer != "", !t.GetField("sigv4").IsNil()} {
		if has {
			given++
		}
	}
	if given != 1 {
		c.Fail("%s: auth: give either username and password, bearer or sigv4", name)
	}
	switch scheme := field(t, "scheme"); scheme {
	case "", "basic":
	case "digest":
		a.digest = true
	default:
		c.Fail("%s: auth: unknown scheme %q: use basic or digest", name, scheme)
	}
	if keys := t.GetField("sigv4"); !keys.IsNil() {
		s := keys.AsTable()
		if s == nil {
			c.Fail("%s: auth: sigv4 must be a table", name)
		}
		c.checkNames(name+": auth: sigv4", "option", s, sigV4Options)
		a.sigV4 = &sigv4.Signer{AccessKey: field(s, "access_key"), SecretKey: field(s, "secret_key"), SessionToken: field(s, "session_token"), Region: field(s, "region"), Service: field(s, "service")}
		if slices.Contains([]string{a.sigV4.AccessKey, a.sigV4.SecretKey, a.sigV4.Region, a.sigV4.Service}, "") {
			c.Fail("%s: auth: sigv4 needs access_key, secret_key, region and service", name)
		}
		c.vm.hide("secret_key", a.sigV4.SecretKey)
		c.vm.hide("session_token", a.sigV4.SessionToken)
	}
	c.vm.hide("password", a.password)
	c.vm.hide("bearer", a.bearer)
	return a
}

// textOption reads an option that is a string; "" is none.
func (c call) textOption(name, option string, v value) string {
	s, ok := v.AsString()
	if !v.IsNil() && !ok {
		c.Fail("%s: %s must be a string", name, option)
	}
	return s
}

// authorize sets the headers that say who sends a request.
func (r *request) authorize(now time.Time) {
	switch a := r.auth; {
	case a == nil:
	case len(a.header) > 0:
		maps.Copy(r.header, a.header)
	case a.bearer != "":
		r.header.Set("Authorization", "Bearer "+a.bearer)
	case a.sigV4 != nil:
		signV4(a.sigV4, r, now)
	case !a.digest:
		r.header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(a.username+":"+a.password)))
	}
}

// answersChallenge adds the answer to a server's challenge to the request, and reports
// whether there is one: only then is it worth sending again.
func (r *request) answersChallenge(resp response) bool {
	if r.auth == nil || !r.auth.digest || resp.status != http.StatusUnauthorized || r.header.Get("Authorization") != "" {
		return false
	}
	for _, v := range resp.header.Values("Www-Authenticate") {
		scheme, rest, _ := strings.Cut(v, " ")
		if !strings.EqualFold(scheme, "Digest") {
			continue
		}
		if answer, ok := r.auth.answer(r.method, r.url.RequestURI(), challenge(rest), rand.Text()); ok {
			r.header.Set("Authorization", answer)
			return true
		}
	}
	return false
}

// challenge reads the parameters of one: name=value and name="value", by commas.
func challenge(s string) map[string]string {
	out := map[string]string{}
	for s != "" {
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			break
		}
		var v string
		if rest, ok = strings.CutPrefix(strings.TrimSpace(rest), `"`); ok {
			v, rest, _ = strings.Cut(rest, `"`)
			_, rest, _ = strings.Cut(rest, ",")
		} else {
			v, rest, _ = strings.Cut(rest, ",")
		}
		out[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(v)
		s = rest
	}
	return out
}

// answer is the value of the header for a challenge (RFC 7616, section 3.4): false for an
// algorithm or a quality of protection that is not known.
func (a *auth) answer(method, uri string, ask map[string]string, cnonce string) (string, bool) {
	algorithm := ask["algorithm"]
	sum := func(s string) string { d := md5.Sum([]byte(s)); return hex.EncodeToString(d[:]) } //nolint:gosec // the server asks for it
	switch strings.TrimSuffix(strings.ToUpper(algorithm), "-SESS") {
	case "", "MD5":
	case "SHA-256":
		sum = func(s string) string { d := sha256.Sum256([]byte(s)); return hex.EncodeToString(d[:]) }
	default:
		return "", false
	}
	identity := sum(a.username + ":" + ask["realm"] + ":" + a.password)
	if strings.HasSuffix(strings.ToUpper(algorithm), "-SESS") {
		identity = sum(identity + ":" + ask["nonce"] + ":" + cnonce)
	}
	target := sum(method + ":" + uri)
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace
	var b strings.Builder
	fmt.Fprintf(&b, `Digest username="%s", realm="%s", `, quote(a.username), quote(ask["realm"]))
	fmt.Fprintf(&b, `nonce="%s", uri="%s"`, quote(ask["nonce"]), quote(uri))
	switch qop := ask["qop"]; {
	case qop == "":
		fmt.Fprintf(&b, `, response="%s"`, sum(identity+":"+ask["nonce"]+":"+target))
	case slices.Contains(strings.FieldsFunc(qop, func(r rune) bool { return r == ',' || r == ' ' }), "auth"):
		const count = "00000001"
		response := sum(identity + ":" + ask["nonce"] + ":" + count + ":" + cnonce + ":auth:" + target)
		fmt.Fprintf(&b, `, response="%s", qop=auth, nc=%s, cnonce="%s"`, response, count, cnonce)
	default:
		return "", false
	}
	if algorithm != "" {
		fmt.Fprintf(&b, ", algorithm=%s", algorithm)
	}
	if opaque := ask["opaque"]; opaque != "" {
		fmt.Fprintf(&b, `, opaque="%s"`, quote(opaque))
	}
	return b.String(), true
}

// signV4 signs a request, and writes its query in the order that is signed.
func signV4(s *sigv4.Signer, r *request, now time.Time) {
	payload := hexSum(string(r.body))
	if r.upload != "" {
		payload = "UNSIGNED-PAYLOAD"
	}
	u := *r.url
	u.RawQuery = s.Sign(r.method, r.url, cmp.Or(r.host, r.url.Host), textproto.MIMEHeader(r.header), payload, now)
	r.url = &u
}

func hexSum(s string) string {
	d := sha256.Sum256([]byte(s))
	return hex.EncodeToString(d[:])
}
