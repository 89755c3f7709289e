package check

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
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

// WriteJUnit writes the report as the XML that continuous integration reads. name is the suite's, at when it began. It is written
// without encoding/xml's Encoder, which brings 60 kB of code into the smallest program.
func (r *Report) WriteJUnit(w io.Writer, name string, at time.Time) error {
	tests, failed, time := strconv.Itoa(len(r.Checks)), strconv.Itoa(r.Failed()), millis(r.DurationMS)
	var x junit
	x.open("testsuites", "tests", tests, "failures", failed, "time", time)
	x.open("testsuite", "name", name, "tests", tests, "failures", failed, "errors", "0", "skipped", strconv.Itoa(r.Skipped()), "time", time, "timestamp", at.UTC().Format("2006-01-02T15:04:05"))
	for i := range r.Checks {
		c := &r.Checks[i]
		said := "" // what a passed check reports is its output
		if c.Message != nil {
			said = *c.Message
		}
		of := []string{"name", c.title(), "classname", name + "." + c.kind, "time", millis(c.DurationMS)}
		if c.Passed && !c.Skipped && said == "" {
			x.leaf("testcase", "", of...)
			continue
		}
		x.open("testcase", of...)
		switch {
		case c.Skipped:
			x.leaf("skipped", "", "message", first(c.Message))
		case !c.Passed:
			x.leaf("failure", said, "message", first(c.Message))
		default:
			x.leaf("system-out", said)
		}
		x.close()
	}
	x.close()
	x.close()
	_, err := io.WriteString(w, xml.Header+x.String())
	return err
}

// junit is a report that is being written, an element a line.
type junit struct {
	strings.Builder
	within []string // elements that are open
}

// start writes the tag of an element with its attributes, names and values in turn.
func (x *junit) start(name string, attributes []string) {
	x.WriteString(strings.Repeat("  ", len(x.within)) + "<" + name)
	for pair := range slices.Chunk(attributes, 2) {
		x.WriteString(" " + pair[0] + `="` + xmlText(pair[1]) + `"`)
	}
	x.WriteString(">")
}

// open starts an element of elements.
func (x *junit) open(name string, attributes ...string) {
	x.start(name, attributes)
	x.WriteString("\n")
	x.within = append(x.within, name)
}

// close ends the element that was opened last.
func (x *junit) close() {
	last := len(x.within) - 1
	x.WriteString(strings.Repeat("  ", last) + "</" + x.within[last] + ">\n")
	x.within = x.within[:last]
}

// leaf writes an element of text.
func (x *junit) leaf(name, text string, attributes ...string) {
	x.start(name, attributes)
	x.WriteString(xmlText(text) + "</" + name + ">\n")
}

func millis(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }

// xmlText escapes a text, and omits what XML has no way to say.
func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder refuses nothing
	return b.String()
}
