package graph

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
)

// Drawing reports whether the review is written in a form of its own.
func (r *Review) Drawing() bool {
	return r.format == "markdown" || r.format == "sarif" || r.picture != nil
}

// Verbatim reports whether the answer is data for another program.
func (r *Review) Verbatim(bool) bool { return r.picture != nil }

// WriteText writes the review as it was asked for: for people where no form was named.
func (r *Review) WriteText(w io.Writer, _ bool) error {
	if r.picture != nil {
		_, err := io.WriteString(w, r.picture.SVG())
		return err
	}
	switch r.format {
	case "json":
		return codec.WriteJSON(w, r)
	case "markdown":
		return r.markdown(w)
	case "sarif":
		return codec.WriteJSON(w, r.sarif())
	}
	var t table
	if r.Totals.Files == 0 { // the note says it
		for _, n := range r.Notes {
			t.note("%s", n)
		}
		return t.write(w)
	}
	t.line("%s → %s: %s", r.Base, r.Head, r.counted())
	section := func(head string, shown, total int) {
		t.line("")
		if t.line("%s (%d)", head, total); shown < total {
			t.note("%d of %d shown; a limit of 0 shows all", shown, total)
		}
	}
	if len(r.Remaining) > 0 {
		section("REMAINING USES of what is deleted or renamed", len(r.Remaining), r.Totals.Remaining)
		t.row("PLACE", "IN", "USES", "CONFIDENCE")
		for _, u := range r.Remaining {
			t.row(u.File+":"+itoa(u.Line), u.Function, u.what(), u.Confidence)
		}
		t.flush()
	}
	if len(r.Files) > 0 {
		section("CHANGED", len(r.Files), r.Totals.Files)
		t.row("PLACE", "KIND", "NAME", "STATUS")
		for _, f := range r.Files {
			if len(f.Symbols) == 0 {
				t.row(f.File, "", "", f.moved())
			}
			for _, x := range f.Symbols {
				t.row(f.File+":"+itoa(x.Line), x.Kind, x.Name, x.what())
			}
		}
		t.flush()
	}
	list := func(head string, of []Reached, total int) {
		if len(of) == 0 {
			return
		}
		section(head, len(of), total)
		t.row("FILE", "VIA", ">DEPTH", "FUNCTIONS")
		for _, a := range of {
			depth := ""
			if a.Depth > 0 {
				depth = itoa(a.Depth)
			}
			t.row(a.File, strings.Join(a.Via, ", "), depth, some(a.Functions))
		}
		t.flush()
	}
	list("TESTS TO RUN", r.Tests, r.Totals.Tests)
	list("REACHED", r.Reached, r.Totals.Reached)
	if len(r.Documents) > 0 {
		section("DOCUMENTS that mention it", len(r.Documents), r.Totals.Documents)
		t.row("PLACE", "MENTIONS", "STATUS")
		for _, d := range r.Documents {
			t.row(d.File+":"+itoa(d.Line), strings.Join(d.Names, ", "), d.Status)
		}
		t.flush()
	}
	if len(r.Untested) > 0 {
		t.line("")
		t.note("no test is known to reach %s", some(r.Untested))
	}
	r.sums(&t, "direct calls and uses: %d resolved, %d ambiguous, %d unresolved", r.Summary.Resolved, r.Summary.Ambiguous, r.Summary.Unresolved)
	if r.Totals.Remaining > 0 {
		t.note("%s of what is deleted or renamed, %d of them by name only", count(r.Totals.Remaining, "remaining use"), r.Totals.ByName)
	}
	t.notes(r.Summary.NotCovered, r.Notes, nil, 1)
	return t.write(w)
}

// counted sums a review up in a line.
func (r *Review) counted() string {
	n := map[string]int{}
	for _, f := range r.Files {
		for _, x := range f.Symbols {
			n[x.Status]++
		}
	}
	out, before := count(r.Totals.Files, "file")+" changed", "; declarations: "
	for _, status := range []string{changed, added, deleted, renamed, moved} {
		if n[status] > 0 {
			out += before + itoa(n[status]) + " " + status
			before = ", "
		}
	}
	return out
}

func (u *Remaining) what() string {
	if u.To != "" {
		return u.Symbol + " (now " + u.To + ")"
	}
	return u.Symbol
}

func (x *ChangedSymbol) what() string {
	if x.To != "" {
		return x.Status + " to " + x.To
	}
	return x.Status
}

func (f *ChangedFile) moved() string {
	if f.Was != "" {
		return "renamed from " + f.Was
	}
	return changed
}

// some writes the first of some names, and how many more there are.
func some(names []string) string {
	const most = 5
	out := strings.Join(names[:min(len(names), most)], ", ")
	if n := len(names) - most; n > 0 {
		out += " and " + itoa(n) + " more"
	}
	return out
}

// markdown writes the review as a comment on a change.
func (r *Review) markdown(w io.Writer) error {
	b := render.Answer{To: w}
	code := func(s string) string { return "`" + strings.ReplaceAll(text.Line(s), "`", "'") + "`" }
	fmt.Fprintf(&b, "## What this change reaches\n\n%s → %s: %s.\n", code(r.Base), code(r.Head), r.counted())
	item := func(format string, args ...any) { fmt.Fprintf(&b, "- "+format+"\n", args...) }
	head := func(title string, shown, total int) {
		fmt.Fprintf(&b, "\n### %s\n\n", title)
		if shown < total {
			fmt.Fprintf(&b, "The first %d of %d.\n\n", shown, total)
		}
	}
	if len(r.Remaining) > 0 {
		head("Remaining uses of what is deleted or renamed", len(r.Remaining), r.Totals.Remaining)
		for _, u := range r.Remaining {
			item("%s uses %s in %s (%s)", code(u.File+":"+itoa(u.Line)), code(u.what()), code(u.Function), u.Confidence)
		}
	}
	for _, part := range []struct {
		title string
		of    []Reached
		total int
	}{{"Tests to run", r.Tests, r.Totals.Tests}, {"Reached", r.Reached, r.Totals.Reached}} {
		if len(part.of) == 0 {
			continue
		}
		head(part.title, len(part.of), part.total)
		for _, a := range part.of {
			line := code(a.File) + " by " + strings.Join(a.Via, ", ")
			if len(a.Functions) > 0 {
				line += ": " + code(some(a.Functions))
			}
			item("%s", line)
		}
	}
	if len(r.Documents) > 0 {
		head("Documents that mention it", len(r.Documents), r.Totals.Documents)
		for _, d := range r.Documents {
			item("%s mentions %s (%s)", code(d.File+":"+itoa(d.Line)), code(strings.Join(d.Names, ", ")), d.Status)
		}
	}
	if len(r.Untested) > 0 {
		head("No test is known to reach", len(r.Untested), len(r.Untested))
		for _, n := range r.Untested {
			item("%s", code(n))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\n_%s_\n", text.Line(n))
	}
	return b.End()
}

// The parts of SARIF 2.1.0 that a review has.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID   string    `json:"id"`
		Text sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule    string       `json:"ruleId"`
		Level   string       `json:"level"`
		Message sarifText    `json:"message"`
		Places  []sarifPlace `json:"locations"`
	}
	sarifPlace struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

func (r *Review) sarif() sarifLog {
	run := sarifRun{Tool: sarifTool{sarifDriver{"assay", []sarifRule{
		{"remaining", sarifText{"A use of what the change deletes or renames"}},
		{"untested", sarifText{"A changed function that no test is known to reach"}},
		{"documents", sarifText{"A document that mentions what the change touches"}},
	}}}, Results: []sarifResult{}}
	add := func(rule, level, message, file string, line int) {
		place := sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: file}).EscapedPath()}}
		if line > 0 {
			place.Region = &sarifRegion{line}
		}
		run.Results = append(run.Results, sarifResult{rule, level, sarifText{message}, []sarifPlace{{place}}})
	}
	for _, u := range r.Remaining {
		level := "error"
		if u.Confidence == "name-only" {
			level = "warning"
		}
		add("remaining", level, "uses "+u.what()+", which the change takes away", u.File, u.Line)
	}
	for _, n := range r.Untested {
		file, name, _ := strings.Cut(n, ":")
		line := 0
		for _, f := range r.Files {
			for _, x := range f.Symbols {
				if f.File == file && x.Name == name {
					line = x.Line
				}
			}
		}
		add("untested", "note", "no test is known to reach "+name, file, line)
	}
	for _, d := range r.Documents {
		add("documents", "note", "mentions "+strings.Join(d.Names, ", ")+" ("+d.Status+")", d.File, d.Line)
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}
