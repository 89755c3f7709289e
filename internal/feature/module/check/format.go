package check

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// WriteJSON writes the report as JSON, two blanks a level.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// Failed returns how many checks failed; those that were skipped are not among them.
func (r *Report) Failed() (n int) {
	return r.count(func(o *Outcome) bool { return !o.Passed && !o.Skipped })
}

// Skipped returns how many checks never ran.
func (r *Report) Skipped() (n int) { return r.count(func(o *Outcome) bool { return o.Skipped }) }

func (r *Report) count(which func(*Outcome) bool) (n int) {
	for i := range r.Checks {
		if which(&r.Checks[i]) {
			n++
		}
	}
	return n
}

// WriteTAP writes the report in the Test Anything Protocol, version 14.
func (r *Report) WriteTAP(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 14\n1..%d\n", len(r.Checks))
	for i, c := range r.Checks {
		if !c.Passed && !c.Skipped {
			b.WriteString("not ")
		}
		fmt.Fprintf(&b, "ok %d - %s", i+1, tapName(c.title()))
		if c.Skipped {
			b.WriteString(" # SKIP interrupted")
		}
		b.WriteByte('\n')
		fmt.Fprintf(&b, "  ---\n  duration_ms: %d\n", c.DurationMS)
		if c.Message != nil {
			quoted, err := encode(*c.Message)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "  message: %s\n", quoted)
		}
		b.WriteString("  ...\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tapName writes a name so that it is neither a directive nor a line more.
func tapName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(s)
}

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Time     string     `xml:"time,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Cases     []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *junitSkipped `xml:"skipped"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// WriteJUnit writes the report as the XML that continuous integration reads. name is
// the suite's, at when it began.
func (r *Report) WriteJUnit(w io.Writer, name string, at time.Time) error {
	s := junitSuite{Name: xmlText(name), Tests: len(r.Checks), Failures: r.Failed(), Skipped: r.Skipped(), Time: millis(r.DurationMS), Timestamp: at.UTC().Format("2006-01-02T15:04:05")}
	for _, c := range r.Checks {
		k := junitCase{Name: xmlText(c.title()), Class: xmlText(name) + "." + c.kind, Time: millis(c.DurationMS)}
		switch {
		case c.Skipped:
			k.Skipped = &junitSkipped{Message: xmlText(first(c.Message))}
		case !c.Passed:
			k.Failure = &junitFailure{Message: xmlText(first(c.Message))}
			if c.Message != nil {
				k.Failure.Text = xmlText(*c.Message)
			}
		case c.Message != nil:
			k.Out = xmlText(*c.Message)
		}
		s.Cases = append(s.Cases, k)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Tests: s.Tests, Failures: s.Failures, Time: s.Time, Suite: s}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func millis(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }

// xmlText omits what XML has no way to say.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
