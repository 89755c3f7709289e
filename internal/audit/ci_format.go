package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/text"
)

// WriteText writes the findings in the format that was asked for.
func (r *CI) WriteText(w io.Writer, _ bool) error {
	switch r.format {
	case "json":
		return codec.WriteJSON(w, r)
	case "sarif":
		return r.sarif(w)
	}
	var b strings.Builder
	switch r.format {
	case "github":
		r.github(&b)
	case "markdown":
		r.markdown(&b)
	case "html":
		b.WriteString(r.html())
	default:
		for i := range r.Findings {
			f := &r.Findings[i]
			writeLine(&b, "%s: %s (%s): %s", f.Place, levelOf[f.Severity], f.Rule, f.Message)
		}
		for i := range r.Skipped {
			s := &r.Skipped[i]
			writeLine(&b, "%s: not judged: %s %s (%s)", s.Place, s.Kind, s.Name, s.Why)
		}
		fmt.Fprintf(&b, "%s\n", r.summary())
		for _, said := range r.notes() {
			b.WriteString(render.Wrap(text.Log(text.Line(said)), render.Columns(w), "  ") + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeLine writes one line, whatever the names in it, and no command of the workflow that shows it: one with
// a line break could begin the next as that.
func writeLine(b *strings.Builder, format string, args ...any) {
	b.WriteString(text.Log(text.Line(fmt.Sprintf(format, args...))))
	b.WriteByte('\n')
}

// mostIdle is how many lines of the ignore file are named that ignore nothing.
const mostIdle = 20

// notes says in sentences what the findings do not.
func (r *CI) notes() []string {
	out := r.covering.notes()
	if r.Low > 0 && r.Low != r.Names.Unsure {
		out = append(out, fmt.Sprintf("%s of low severity not shown: assay audit ci --all lists them", text.Count(r.Low, "finding", "findings")))
	}
	if n := len(r.Idle); n > 0 {
		at := slice.Map(r.Idle[:min(n, mostIdle)], func(p claims.Place) string { return p.String() })
		if n > mostIdle {
			at = append(at, fmt.Sprintf("and %d more", n-mostIdle))
		}
		out = append(out, "no finding is ignored by "+strings.Join(at, ", "))
	}
	return out
}

// WriteLines writes a finding a line.
func (r *CI) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Findings) }

func (r *CI) summary() string {
	n := map[claims.Rule]int{}
	for i := range r.Findings {
		n[r.Findings[i].Rule]++
	}
	s := fmt.Sprintf("%s: %s, %s, %d drifted; %d fail the run; %d known, %d ignored",
		text.Count(len(r.Findings), "finding", "findings"), text.Count(n[claims.GhostRule], "ghost", "ghosts"),
		text.Count(n[claims.ShadowRule], "shadow", "shadows"),
		n[claims.DriftRule], r.Failing, r.Known, len(r.Ignored))
	if r.Since != "" {
		s += fmt.Sprintf(", %d outside of the changes", r.Outside)
	}
	if r.Baseline != "" {
		s += "; written to " + r.Baseline
	}
	return s
}

// The characters that would end a command of a workflow, or a property of one.
var (
	workflowText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	workflowProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// levelOf is how a person and a workflow call a severity.
var levelOf = map[string]string{"high": "error", "medium": "warning", "low": "notice"}

// github writes the commands by which a workflow annotates lines of its checkout.
func (r *CI) github(b *strings.Builder) {
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(b, "::%s file=%s,line=%d,title=%s::%s\n", levelOf[f.Severity], workflowProperty.Replace(path.Join(r.below, f.Path)), f.Line,
			"assay "+string(f.Rule), workflowText.Replace(f.Message))
	}
	for _, said := range append([]string{r.summary()}, r.notes()...) {
		fmt.Fprintf(b, "%s\n", workflowText.Replace(said))
	}
}

// markdown writes a table; what a file or a document says is text in it, and no mark.
func (r *CI) markdown(b *strings.Builder) {
	b.WriteString("## Audit\n")
	for _, said := range append([]string{r.summary()}, r.notes()...) {
		fmt.Fprintf(b, "\n%s\n", escapeMarkdown(said))
	}
	if len(r.Findings) == 0 {
		return
	}
	b.WriteString("\n| Rule | Severity | Place | Finding |\n|---|---|---|---|\n")
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", f.Rule, f.Severity, escapeMarkdown(f.Place.String()), escapeMarkdown(f.Message))
	}
}

func escapeMarkdown(s string) string {
	var b strings.Builder
	for _, c := range strings.Join(strings.Fields(s), " ") {
		if strings.ContainsRune("\\`*_{}[]<>()#|!~&@", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// html writes one page.
func (r *CI) html() string {
	p := render.New("Audit", strings.Join(append([]string{r.summary()}, r.notes()...), "; "))
	p.Root = r.root
	p.Card(r.Failing, "fail the run", "findings")
	p.Card(len(r.Findings), "findings", "findings")
	p.Card(r.Known, "in the baseline", "findings")
	p.Card(len(r.Ignored), "ignored", "ignored")
	end := p.Section("findings", "Findings", "Findings", len(r.Findings), "Nothing is found that is not accepted.")
	var rows [][]any
	for i := range r.Findings {
		f := &r.Findings[i]
		rows = append(rows, []any{f.Rule, f.Severity, render.Place(f.Place.String()), f.Message})
	}
	p.Table([]string{"Rule", "Severity", "Place", "Finding"}, rows)
	end()
	end = p.Section("ignored", "Ignored", "Ignored or accepted, with a reason", len(r.Ignored)+len(r.Accepted), "Nothing is ignored.")
	rows = nil
	for i := range r.Ignored {
		x := &r.Ignored[i]
		rows = append(rows, []any{x.Rule, render.Place(x.Place.String()), x.Message, x.Reason, render.Place(x.By.String())})
	}
	for i := range r.Accepted {
		x := &r.Accepted[i]
		rows = append(rows, []any{x.Rule, render.Place(x.Place.String()), x.Message, x.Reason, x.By.Path})
	}
	p.Table([]string{"Rule", "Place", "Finding", "Reason", "By"}, rows)
	end()
	return p.String()
}

// sarif writes the format of static analysis results, version 2.1.0 (OASIS).
func (r *CI) sarif(w io.Writer) error {
	type message struct {
		Text string `json:"text"`
	}
	type rule struct {
		ID   string  `json:"id"`
		Desc message `json:"shortDescription"`
	}
	type region struct {
		Line int `json:"startLine"`
	}
	type artifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId"`
	}
	type physical struct {
		Artifact artifact `json:"artifactLocation"`
		Region   region   `json:"region"`
	}
	type location struct {
		Physical physical `json:"physicalLocation"`
	}
	type suppression struct {
		Kind   string `json:"kind"`
		Reason string `json:"justification"`
	}
	type result struct {
		Rule         string            `json:"ruleId"`
		Level        string            `json:"level"`
		Message      message           `json:"message"`
		Locations    []location        `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Suppressions []suppression     `json:"suppressions,omitempty"`
	}
	level := map[string]string{"high": "error", "medium": "warning", "low": "note"}
	of := func(f *claims.Finding) result {
		at := url.URL{Path: path.Join(r.below, f.Path)}
		return result{Rule: string(f.Rule), Level: level[f.Severity], Message: message{f.Message},
			Locations: []location{{physical{artifact{at.String(), "%SRCROOT%"}, region{max(1, f.Line)}}}}, Fingerprints: map[string]string{"assay/v1": f.Fingerprint}}
	}
	results := []result{}
	for i := range r.Findings {
		results = append(results, of(&r.Findings[i]))
	}
	for i := range r.Ignored {
		x := of(&r.Ignored[i].Finding)
		kind := "inSource"
		if r.Ignored[i].By.Path == claims.IgnoreFile {
			kind = "external"
		}
		x.Suppressions = []suppression{{kind, r.Ignored[i].Reason}}
		results = append(results, x)
	}
	notes := []any{}
	for _, said := range r.notes() {
		notes = append(notes, map[string]any{"level": "note", "message": message{said}})
	}
	doc := map[string]any{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []any{map[string]any{
		"tool": map[string]any{"driver": map[string]any{"name": "assay", "version": r.version, "rules": []rule{
			{"ghost", message{"documented, and in no code"}}, {"shadow", message{"exported, and in no document"}}, {"drift", message{"documented otherwise than the code has it"}},
		}}},
		"results": results, "invocations": []any{map[string]any{"executionSuccessful": true, "toolExecutionNotifications": notes}},
	}}}
	raw, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}
