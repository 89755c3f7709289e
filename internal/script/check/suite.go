// Package check runs the checks of a YAML file: requests and scripts that pass or fail.
//
// A report has one outcome for each check, in the order of the file, whatever fails,
// hangs or is cut off by the time limit, and however many run at once.
package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A Suite is a file of checks.
type Suite struct {
	Timeout  time.Duration // of all checks together
	Retries  int           // further attempts of a check that fails
	Backoff  time.Duration // before the second attempt, and doubled before each further one
	Parallel bool          // the checks run at the same time
	Checks   []Check

	Vars    map[string]string   // for ${NAME}
	Secrets map[string]string   // the same, each in a file of its own, and shown nowhere
	Data    string              // a file of rows
	Rows    []map[string]string // where they are in the file itself
	Repeat  int                 // how often the checks run for each row; 0 is once

	VUs      int           // users that run the checks at once; 0: there is no load
	Duration time.Duration // of the load; 0: rows and repetitions end it

	// Unknown are the keys that mean nothing, each with its line.
	Unknown []string
	// Incomplete are the checks that lack what they need to run, each with its line. They fail.
	Incomplete []string

	captured map[string]string // the name of the check that captures a name
}

// The kinds of checks.
const (
	HTTP       = "http"
	Prometheus = "prometheus"
	Script     = "script"
	GraphQL    = "graphql"
)

// A Check is one entry of a file. What it lacks is told when it runs.
type Check struct {
	Name   string
	Type   string
	URL    string            // of http and prometheus
	Query  string            // of prometheus, in PromQL
	File   string            // of script
	Env    map[string]string // of script: what env.get sees before the environment
	Expect *Expect

	Method          string            // of http; "" is GET
	Headers         map[string]string // of http and prometheus
	Body            string            // of http
	JSON            bool              // Body was written as a map or a list and is sent as JSON
	FollowRedirects bool              // of http
	CA              string            // of http and prometheus: a file of certificates that are trusted too
	Cert, Key       string            // of the same: files of the certificate that the client shows, and of its key
	Insecure        bool              // of http and prometheus: any certificate will do
	Timeout         time.Duration     // of an attempt; 0: as long as there is
	Retries         *int              // instead of the file's
	Backoff         *time.Duration    // instead of the file's
	Capture         map[string]string // of http and graphql: names for parts of the answer
	thresholds      thresholds
	Line            int // in the file
}

// An Expect is what a check's answer must be.
type Expect struct {
	Status *int
	Body   []string // are in the body
	JSON   []string // ".path == value", or the same with a JSONPath
	Min    *float64
	Max    *float64

	Headers map[string]string // is in the header's value
	Cookies map[string]Cookie // that are set
	Latency time.Duration     // at most, until the answer is read; 0: any

	Matches    []string // regular expressions that match in the body
	XPath      []string // are true of the body
	Schema     string   // JSON Schema, as JSON, of the body
	SchemaFile string   // the same in a file
	Errors     bool     // of graphql: there must be some; else there must be none
}

const (
	defaultTimeout = 120 * time.Second
	defaultRetries = 3
	defaultBackoff = 5 * time.Second
)

type rawSuite struct {
	Timeout  *string     `yaml:"timeout"`
	Retries  *uint32     `yaml:"retries"`
	Backoff  *string     `yaml:"backoff"`
	Parallel bool        `yaml:"parallel"`
	Strict   bool        `yaml:"strict"`
	Checks   *[]rawCheck `yaml:"checks"`

	Vars       map[string]string `yaml:"vars"`
	Secrets    map[string]string `yaml:"secrets"`
	Data       table             `yaml:"data"`
	Thresholds map[string]string `yaml:"thresholds"`
	TLS        tlsFiles          `yaml:",inline"`
}

// tlsFiles are what the requests of a suite or a check prove with certificates.
type tlsFiles struct {
	CA   string `yaml:"ca"`
	Cert string `yaml:"cert"`
	Key  string `yaml:"key"`
}

type rawCheck struct {
	Name            *string           `yaml:"name"`
	Type            *string           `yaml:"type"`
	URL             string            `yaml:"url"`
	Query           string            `yaml:"query"`
	File            string            `yaml:"file"`
	Env             map[string]string `yaml:"env"`
	Expect          *rawExpect        `yaml:"expect"`
	Method          string            `yaml:"method"`
	Headers         map[string]string `yaml:"headers"`
	Body            yaml.Node         `yaml:"body"`
	FollowRedirects *bool             `yaml:"follow_redirects"`
	TLS             tlsFiles          `yaml:",inline"`
	Insecure        bool              `yaml:"insecure_skip_verify"`
	Timeout         *string           `yaml:"timeout"`
	Retries         *uint32           `yaml:"retries"`
	Backoff         *string           `yaml:"backoff"`
	Capture         map[string]string `yaml:"capture"`
	Variables       yaml.Node         `yaml:"variables"`
	Operation       string            `yaml:"operation"`
	Thresholds      map[string]string `yaml:"thresholds"`
}

type rawExpect struct {
	Status *int     `yaml:"status"`
	Body   several  `yaml:"body"`
	JSON   several  `yaml:"json"`
	Min    *float64 `yaml:"min"`
	Max    *float64 `yaml:"max"`

	Headers map[string]string `yaml:"headers"`
	Cookies map[string]Cookie `yaml:"cookies"`
	Latency *string           `yaml:"latency"`
	Matches several           `yaml:"matches"`
	XPath   several           `yaml:"xpath"`
	Schema  yaml.Node         `yaml:"schema"`
	Errors  bool              `yaml:"errors"`
}

// several is a text, or a list of texts.
type several []string

func (t *several) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*t = several{n.Value}
		return nil
	}
	if err := full(n, "the list"); err != nil {
		return err
	}
	return n.Decode((*[]string)(t))
}

// mostRetries bounds retries that would never end.
const mostRetries = 1000

// Parse reads a file of checks. strict makes an error of a key that means nothing and of a
// check that lacks what it needs, as "strict: true" in the file does.
func Parse(text []byte, strict bool) (*Suite, error) {
	doc, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	var raw rawSuite
	if err := decoded(doc, &raw); err != nil {
		return nil, err
	}
	root := doc.Content[0]
	list := child(root, "checks")
	if err := errors.Join(full(list, "checks"), full(child(root, "data"), "data")); err != nil {
		return nil, err
	}
	s := &Suite{Timeout: defaultTimeout, Retries: defaultRetries, Backoff: defaultBackoff, Parallel: raw.Parallel, Unknown: unknown(text)}
	if raw.Checks == nil {
		return nil, errors.New("missing field `checks`")
	}
	if err := s.limits(&raw, root); err != nil {
		return nil, err
	}
	s.Vars, s.Secrets, s.Data, s.Rows = raw.Vars, raw.Secrets, raw.Data.file, raw.Data.rows
	over, err := limits(raw.Thresholds, nil)
	if err != nil {
		return nil, at(child(root, "thresholds"), err)
	}
	for i, rc := range *raw.Checks {
		rc.TLS.inherit(raw.TLS)
		c, err := rc.check(over)
		if c.Line = root.Line; list != nil && i < len(list.Content) { // else they come from a merged map
			c.Line = resolved(list.Content[i]).Line
		}
		if err == nil && c.incomplete() != nil {
			s.Incomplete = append(s.Incomplete, fmt.Sprintf("line %d: checks[%d]: %v", c.Line, i, c.incomplete()))
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: checks[%d]: %w", c.Line, i, err)
		}
		s.Checks = append(s.Checks, c)
	}
	if wrong := slices.Concat(s.Unknown, s.Incomplete); (strict || raw.Strict) && len(wrong) > 0 {
		return nil, errors.New(strings.Join(wrong, "; "))
	}
	return s, s.capture()
}

func (s *Suite) limits(raw *rawSuite, root *yaml.Node) error {
	retries, err := retries(raw.Retries)
	if err != nil {
		return at(child(root, "retries"), err)
	}
	if retries != nil {
		s.Retries = *retries
	}
	for _, d := range []struct {
		key  string
		text *string
		to   *time.Duration
	}{{"timeout", raw.Timeout, &s.Timeout}, {"backoff", raw.Backoff, &s.Backoff}} {
		if d.text == nil {
			continue
		}
		if *d.to, err = Duration(*d.text); err != nil {
			return at(child(root, d.key), err)
		}
	}
	return nil
}

func retries(n *uint32) (*int, error) {
	if n == nil {
		return nil, nil
	}
	if *n > mostRetries {
		return nil, fmt.Errorf("retries: %d, at most %d", *n, mostRetries)
	}
	v := int(*n)
	return &v, nil
}

// Duration reads an integer and ms, s or m.
func Duration(s string) (time.Duration, error) {
	text := strings.TrimSpace(s)
	for _, unit := range []struct {
		end string
		d   time.Duration
	}{{"ms", time.Millisecond}, {"s", time.Second}, {"m", time.Minute}} {
		number, ok := strings.CutSuffix(text, unit.end)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 64)
		if err != nil || n > uint64((1<<63-1)/unit.d) {
			break
		}
		return time.Duration(n) * unit.d, nil
	}
	return 0, fmt.Errorf("unsupported duration format: %q (use e.g. '120s', '5m', '500ms')", s)
}

// inherit takes what a check does not say from its suite. A certificate comes with its key.
func (t *tlsFiles) inherit(suite tlsFiles) {
	if t.CA = cmp.Or(t.CA, suite.CA); t.Cert == "" && t.Key == "" {
		t.Cert, t.Key = suite.Cert, suite.Key
	}
}

func (raw *rawCheck) check(over thresholds) (c Check, err error) {
	switch {
	case raw.Name == nil:
		return c, errors.New("missing field `name`")
	case raw.Type == nil:
		return c, errors.New("missing field `type`")
	}
	c = Check{Name: *raw.Name, Type: *raw.Type, URL: raw.URL, Query: raw.Query, File: raw.File, Env: raw.Env,
		Method: strings.ToUpper(raw.Method), Headers: raw.Headers, Capture: raw.Capture, FollowRedirects: raw.FollowRedirects == nil || *raw.FollowRedirects,
		CA: raw.TLS.CA, Cert: raw.TLS.Cert, Key: cmp.Or(raw.TLS.Key, raw.TLS.Cert), Insecure: raw.Insecure}
	if c.Key != "" && c.Cert == "" {
		return c, errors.New("a key needs a certificate: cert")
	}
	if !slices.Contains([]string{HTTP, Prometheus, Script, GraphQL}, c.Type) {
		return c, fmt.Errorf("unknown check type: %q", c.Type)
	}
	if c.Expect, err = raw.Expect.expect(); err != nil {
		return c, err
	}
	if c.thresholds, err = limits(raw.Thresholds, over); err != nil {
		return c, err
	}
	if c.Retries, err = retries(raw.Retries); err != nil {
		return c, err
	}
	if raw.Timeout != nil {
		if c.Timeout, err = Duration(*raw.Timeout); err != nil {
			return c, err
		}
	}
	if raw.Backoff != nil {
		d, err := Duration(*raw.Backoff)
		if err != nil {
			return c, err
		}
		c.Backoff = &d
	}
	if c.Type == GraphQL {
		c.Body, err = raw.request()
		c.Method, c.JSON = http.MethodPost, true
		return c, err
	}
	c.Body, c.JSON, err = body(&raw.Body)
	return c, err
}

// request returns the body that asks a GraphQL server, "" without a query.
func (raw *rawCheck) request() (string, error) {
	if raw.Query == "" {
		return "", nil
	}
	request := map[string]any{"query": raw.Query}
	if raw.Operation != "" {
		request["operationName"] = raw.Operation
	}
	if n := resolved(&raw.Variables); n.Kind != 0 {
		var v map[string]any
		if err := n.Decode(&v); err != nil {
			return "", fmt.Errorf("variables: %w", err)
		}
		request["variables"] = v
	}
	return encode(request)
}

func (e *rawExpect) expect() (*Expect, error) {
	if e == nil {
		return nil, nil //nolint:nilnil // nothing is expected
	}
	out := &Expect{Status: e.Status, Body: e.Body, JSON: e.JSON, Min: e.Min, Max: e.Max, Headers: e.Headers, Cookies: e.Cookies, Matches: e.Matches, XPath: e.XPath, Errors: e.Errors}
	var err error
	if e.Latency != nil {
		if out.Latency, err = Duration(*e.Latency); err != nil {
			return nil, err
		}
	}
	for _, pattern := range e.Matches {
		if _, err := regexp.Compile(pattern); err != nil {
			return nil, fmt.Errorf("matches: %w", err)
		}
	}
	for _, expr := range e.XPath {
		if err := checkXPath(expr); err != nil {
			return nil, err
		}
	}
	for _, expr := range e.JSON {
		if err := checkJSON(expr); err != nil {
			return nil, err
		}
	}
	switch n := resolved(&e.Schema); n.Kind {
	case 0:
	case yaml.ScalarNode:
		out.SchemaFile = n.Value
	default:
		if out.Schema, _, err = body(n); err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
	}
	return out, nil
}

// body returns the text of a request's body: a scalar is sent as it is written, a map or a list as JSON.
func body(n *yaml.Node) (text string, asJSON bool, err error) {
	switch n = resolved(n); {
	case n.Kind == 0 || n.Tag == "!!null":
		return "", false, nil
	case n.Kind == yaml.ScalarNode:
		return n.Value, false, nil
	}
	var v any
	if err = n.Decode(&v); err == nil {
		text, err = encode(v)
	}
	if err != nil {
		return "", false, fmt.Errorf("body: %w", err)
	}
	return text, true, nil
}

// unknownField is how the reader of YAML says that a key means nothing.
var unknownField = lazy.Regexp(`^line (\d+): field (.+) not found in type check\.(\w+)$`)

// unknown returns the keys of a document that mean nothing.
func unknown(text []byte) (out []string) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	types, ok := errors.AsType[*yaml.TypeError](dec.Decode(&rawSuite{}))
	if !ok {
		return nil
	}
	where := map[string]string{"rawCheck": " in a check", "rawExpect": " in expect"}
	for _, e := range types.Errors {
		if m := unknownField.Get().FindStringSubmatch(e); m != nil {
			out = append(out, fmt.Sprintf("line %s: unknown field `%s`%s", m[1], m[2], where[m[3]]))
		}
	}
	return out
}

// resolved returns what an alias stands for.
func resolved(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}
