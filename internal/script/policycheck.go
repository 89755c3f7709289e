//go:build !slim

package script

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/script/lua"
)

// A PolicyInput asks for a policy to be explained.
type PolicyInput struct {
	File     string   `json:"file" arg:"1" help:"the policy file"`
	Request  []string `json:"request,omitempty" flag:"request" help:"say what would become of this request, such as 'POST https://api.example.com/items'"`
	ReadOnly bool     `json:"readonly,omitempty" flag:"readonly" help:"as it is with --readonly"`
}

// A PolicyReport explains a policy.
type PolicyReport struct {
	Policy     *lua.PolicyFile `json:"policy"`
	Could      []string        `json:"could"`              // sentences
	Warnings   []string        `json:"warnings,omitempty"` // about rules that its author may not have meant
	Requests   []RequestReport `json:"requests,omitempty"`
	forbidding bool
}

// A RequestReport says whether a request would be sent.
type RequestReport struct {
	Request string `json:"request"`
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason,omitempty"`
	lua.Decision
	// Credentials are those that may go with it.
	Credentials []string `json:"credentials,omitempty"`
}

// CheckPolicy explains a policy file.
func (f *Feature) CheckPolicy(_ context.Context, in PolicyInput) (*PolicyReport, error) {
	p, err := ReadPolicy(f.path(in.File))
	if err != nil {
		return nil, err
	}
	p.ReadOnly = p.ReadOnly || in.ReadOnly
	out := &PolicyReport{Policy: p.File, Could: could(p), Warnings: warnings(p.File, f.cfg.Env)}
	for _, asked := range in.Request {
		method, raw, ok := strings.Cut(asked, " ")
		u, err := url.Parse(raw)
		if !ok || err != nil || u.Host == "" {
			return nil, fault.New(fault.Usage, "--request %q is no method and URL", asked).Or("for example: --request 'POST https://api.example.com/items'")
		}
		r := RequestReport{Request: asked}
		d, err := p.File.Decide(strings.ToUpper(method), u, "")
		r.Decision = d
		switch {
		case err != nil:
			r.Reason = err.Error()
		case d.Write && p.ReadOnly:
			r.Reason = "it writes, and the policy is read-only"
		}
		r.Allowed = r.Reason == ""
		out.forbidding = out.forbidding || !r.Allowed
		for name, c := range p.File.Credentials {
			if r.Allowed && c.Permits(u) {
				r.Credentials = append(r.Credentials, name)
			}
		}
		slices.Sort(r.Credentials)
		out.Requests = append(out.Requests, r)
	}
	return out, nil
}

// Verdict returns an error where a request that was asked about is refused.
func (r *PolicyReport) Verdict() error {
	if r.forbidding {
		return fault.New(fault.Negative, "the policy refuses a request")
	}
	return nil
}

// could describes a policy in sentences.
func could(p *lua.Policy) (out []string) {
	f := p.File
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	list := func(names []string, none string) string { return cmp.Or(strings.Join(names, ", "), none) }
	if p.ReadOnly {
		say("It may write nothing.")
	}
	if f.Modules == nil {
		say("It may load every module but those of a project.")
	} else {
		say("It may load the modules: %s.", list(f.Modules, "none"))
	}
	say("It sees the environment variables: %s.", list(f.Env, "none"))
	for i, r := range f.HTTP {
		kind := cmp.Or(r.Class, "read or write by its method")
		if r.Approve {
			kind += ", each with an approval"
		}
		say("http rule %d: it may send %s to %s, paths %s (%s).", i+1, list(r.Methods, "GET, HEAD"), list(r.Hosts, ""), list(r.Paths, "all"), kind)
	}
	if len(f.HTTP) == 0 {
		say("It may send no request.")
	}
	switch d := f.Databases; {
	case len(d.Hosts) == 0:
		say("It may connect to no database.")
	case d.Write && !p.ReadOnly:
		say("It may read and write the databases at %s.", list(d.Hosts, ""))
	default:
		say("It may read the databases at %s.", list(d.Hosts, ""))
	}
	say("It may open web sockets to: %s.", list(f.WebSockets, "none"))
	switch {
	case p.Scratch == "":
		say("It may read and write no file.")
	case f.Files.Write:
		say("It may read and write files in %s.", p.Scratch)
	default:
		say("It may read files in %s.", p.Scratch)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Functions)) {
		say("The function %s is classed %s.", name, f.Functions[name])
	}
	for _, name := range slices.Sorted(maps.Keys(f.Credentials)) {
		c := f.Credentials[name]
		say("It may authenticate with %s (%s) at %s, and cannot read it.", name, c.Kind(), list(c.Hosts, ""))
	}
	if len(f.Redact) > 0 {
		say("It does not see the values of %s in responses of JSON.", list(f.Redact, ""))
	}
	if l := f.Limits; l.Time+l.Memory+l.Response != "" || l.Requests > 0 {
		say("Limits: time %s, memory %s, one response %s, requests %s.", cmp.Or(l.Time, "none"), cmp.Or(l.Memory, "default"), cmp.Or(l.Response, "none"),
			cmp.Or(strings.TrimPrefix(fmt.Sprint(l.Requests), "0"), "any number"))
	}
	if f.Log != "" {
		say("What it does is logged in %s.", f.Log)
	}
	return out
}

// warnings are about rules that the author of a policy may not have meant.
func warnings(p *lua.PolicyFile, env func(name string) (string, bool)) (out []string) {
	warn := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for i, r := range p.HTTP {
		if slices.Contains(r.Hosts, "*") {
			warn("http rule %d permits every host: a script can send what it read to any of them", i+1)
		}
		if r.Class == "read" && len(r.Paths) == 0 && len(r.Methods) > 0 {
			warn("http rule %d classes all requests to %s as reads", i+1, strings.Join(r.Hosts, ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Credentials)) {
		c := p.Credentials[name]
		for _, s := range c.Sources() {
			if v, _ := env(s.Env); s.Env != "" && v == "" {
				warn("the credential %s needs %s, which is not set here", name, s.Env)
			}
		}
	}
	return out
}

// WriteText writes the explanation.
func (r *PolicyReport) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	for _, q := range r.Requests {
		said := "refused: " + q.Reason
		if q.Allowed {
			said = "allowed as a " + map[bool]string{false: "read", true: "write"}[q.Write]
			if q.Approve {
				said += ", with an approval"
			}
			said += fmt.Sprintf(" (http rule %s)", strings.Trim(fmt.Sprint(q.Rules), "[]"))
			if len(q.Credentials) > 0 {
				said += "; credentials: " + strings.Join(q.Credentials, ", ")
			}
		}
		fmt.Fprintf(&b, "%s: %s\n", text.Line(q.Request), text.Line(said))
	}
	if len(r.Requests) == 0 {
		fmt.Fprintf(&b, "Under %s a script can compute, and this besides:\n", r.Policy.Path)
		for _, s := range r.Could {
			fmt.Fprintf(&b, "  %s\n", text.Line(s))
		}
	}
	for _, s := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", text.Line(s))
	}
	return fault.Only(io.WriteString(w, b.String()))
}

// A Schema is the JSON Schema of policy files.
type Schema struct{ text []byte }

// A SchemaInput asks for the schema of policy files.
type SchemaInput struct{}

// PolicySchema returns the schema of policy files.
func (f *Feature) PolicySchema(context.Context, SchemaInput) (*Schema, error) {
	return &Schema{lua.PolicySchema()}, nil
}

// MarshalJSON returns the schema itself.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.text, nil }

func (s *Schema) WriteText(w io.Writer, _ bool) error {
	return fault.Only(fmt.Fprintf(w, "%s\n", s.text))
}
