package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// An answer is what came of a request.
type answer struct {
	status int
	header http.Header
	body   string
}

// A Cookie is what one that a response sets must have, by the names of cookieParts.
type Cookie map[string]string

// cookie returns the cookie of a name that a response sets, the last one if there are several, or nil.
func (a *answer) cookie(name string) (out *http.Cookie) {
	for _, c := range (&http.Response{Header: a.header}).Cookies() {
		if c.Name == name {
			out = c
		}
	}
	return out
}

// failed returns what of an answer is not as it should be, or "".
func (r *Runner) failed(e *Expect, a *answer, took time.Duration) (string, error) {
	switch {
	case e == nil && (a.status < 200 || a.status > 299):
		return fmt.Sprintf("expected 2xx, got %d", a.status), nil
	case e == nil:
		return "", nil
	case e.Status != nil && a.status != *e.Status:
		return fmt.Sprintf("expected status %d, got %d", *e.Status, a.status), nil
	}
	for _, test := range []func(*Runner, *Expect, *answer) (string, error){(*Runner).text, (*Runner).json, xpaths, (*Runner).schema, headers, cookies} {
		if failed, err := test(r, e, a); failed != "" || err != nil {
			return failed, err
		}
	}
	if e.Latency > 0 && took > e.Latency {
		return fmt.Sprintf("expected an answer within %v, got it after %v", e.Latency, took.Round(time.Millisecond)), nil
	}
	return "", nil
}

// text compares the body as it is.
func (r *Runner) text(e *Expect, a *answer) (string, error) {
	for _, want := range e.Body {
		want, err := r.expand(want, plain)
		if err != nil {
			return "", err
		}
		if !strings.Contains(a.body, want) {
			return fmt.Sprintf("body does not contain %q", want), nil
		}
	}
	for _, pattern := range e.Matches {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return "", err // Parse has compiled it
		}
		if !re.MatchString(a.body) {
			return fmt.Sprintf("body does not match %s", pattern), nil
		}
	}
	return "", nil
}

func (r *Runner) json(e *Expect, a *answer) (string, error) {
	for _, written := range e.JSON {
		expr, err := r.expand(written, inExpression)
		if err != nil {
			return "", err
		}
		got, ok, err := holds(expr, a.body)
		switch {
		case err != nil && !errors.Is(err, errNotJSON) && r.hidden.in(expr):
			// What is wrong with it would quote a part of a secret, which nothing finds there.
			return "", fmt.Errorf("JSON expression %s: it is not valid, or does not fit the response, with the values of its variables", written)
		case err != nil:
			return "", err
		case !ok && got != "":
			return fmt.Sprintf("JSON expression failed: %s: it is %s", expr, r.hidden.short(got, 200)), nil
		case !ok:
			return "JSON expression failed: " + expr, nil
		}
	}
	return "", nil
}

func xpaths(_ *Runner, e *Expect, a *answer) (string, error) {
	if len(e.XPath) == 0 {
		return "", nil
	}
	doc, err := readMarkup(a)
	if err != nil {
		return "", err
	}
	for _, expr := range e.XPath {
		got, ok, err := doc.holds(expr)
		if err != nil {
			return "", err
		}
		if !ok {
			return fmt.Sprintf("XPath expression failed: %s: it is %s", expr, got), nil
		}
	}
	return "", nil
}

func headers(_ *Runner, e *Expect, a *answer) (string, error) {
	for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
		switch got := strings.Join(a.header.Values(name), ", "); {
		case got == "":
			return fmt.Sprintf("header %s is missing", name), nil
		case !strings.Contains(got, e.Headers[name]):
			return fmt.Sprintf("header %s does not contain %q", name, e.Headers[name]), nil
		}
	}
	return "", nil
}

// graphQL returns what an answer of GraphQL says went wrong: an error comes with status 200.
func graphQL(e *Expect, a *answer) (string, error) {
	var reply struct {
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if err := json.Unmarshal([]byte(a.body), &reply); err != nil {
		return "", fmt.Errorf("the answer is not GraphQL (status %d): %w", a.status, err)
	}
	wanted := e != nil && e.Errors
	switch n := len(reply.Errors); {
	case n > 0 && !wanted:
		return fmt.Sprintf("%d GraphQL errors: %s", n, reply.Errors[0].Message), nil
	case n == 0 && wanted:
		return "expected GraphQL errors, got none", nil
	}
	return "", nil
}
