package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/testaid"
)

// pipeline is a project with a ghost at FEATURES.md:6, and a drifted and an orphaned function.
func pipeline() map[string]string {
	files := maps.Clone(mail)
	files["FEATURES.md"] = "# Mail\n\n## Features\n\n- `Send` delivers a message over SMTP\n- `DeliverMesage` sends to penguins\n"
	files["fly/f.go"] = "package fly\n\n// DeliverMessage flies.\nfunc DeliverMessage() {}\n"
	files["store/s.go"] = strings.Replace(mail["store/s.go"], "// Keep writes a message to the disk.\n", "", 1)
	return files
}

func runCI(t *testing.T, f *Feature, in CIInput) (*CI, string) {
	t.Helper()
	got, err := f.CI(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := got.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	return got, b.String()
}

// A fact is one thing that must hold of an answer.
type fact struct {
	name string
	is   bool
}

// mustAll names every fact that does not hold, and shows the answer once.
func mustAll(t *testing.T, answer string, facts []fact) {
	t.Helper()
	shown := false
	for _, f := range facts {
		if f.is {
			continue
		}
		t.Errorf("not so: %s", f.name)
		if !shown {
			t.Log(answer)
		}
		shown = true
	}
}

func TestCI(t *testing.T) {
	root, f := project(t, pipeline())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, text := runCI(t, f, CIInput{})
	mustAll(t, text, []fact{
		{"the run fails", !got.Passed && fault.KindOf(got.Verdict()) == fault.Negative},
		{"for one finding", got.Failing == 1},
		{"which says what was meant", strings.Contains(text, "FEATURES.md:6: error (ghost): no code has DeliverMesage; probably DeliverMessage (fly/f.go:4)\n")},
		{"and no export is listed", !strings.Contains(text, "shadow (")},
	})
	if _, text := runCI(t, f, CIInput{FailOn: "shadow:high"}); !strings.Contains(text, "store/s.go:3: error (shadow): no document names the exported function Keep\n") {
		t.Errorf("exports that are asked for: %s", text)
	}
	total := len(got.Findings)
	for failOn, failing := range map[string]int{"none": 0, "ghost:high": 1, "shadow:high": 1, "ghost, shadow:high": 2, "drift": 0, "shadow:high,shadow:high": 1, "ghost:high,drift:high,ghost:low": 1} {
		if got, _ := runCI(t, f, CIInput{FailOn: failOn}); got.Failing != failing || got.Passed != (failing == 0) {
			t.Errorf("--fail-on %s: %d fail, passed %v", failOn, got.Failing, got.Passed)
		}
	}
	if got, err := parseFailOn("shadow:low,shadow:high"); err != nil || got[claims.ShadowRule] != 0 {
		t.Errorf("a rule given twice: %v, %v: it fails from the lesser severity on", got, err)
	}
	for _, bad := range []string{"ghosts", "ghost:fatal", "ghost,"} {
		if _, err := f.CI(t.Context(), CIInput{FailOn: bad}); fault.KindOf(err) != fault.Usage {
			t.Errorf("--fail-on %s: %v", bad, err)
		}
	}

	// What is accepted by a baseline is known, wherever it moves; what is new is reported.
	if _, err := f.CI(t.Context(), CIInput{Baseline: "base.json"}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a baseline that is not there: %v", err)
	}
	if _, err := f.CI(t.Context(), CIInput{Update: true}); fault.KindOf(err) != fault.Usage {
		t.Errorf("no file for a baseline: %v", err)
	}
	if got, text := runCI(t, f, CIInput{Baseline: "base.json", Update: true}); !got.Passed || got.Known != total || !strings.Contains(text, "written to base.json") {
		t.Errorf("%+v\n%s", got, text)
	}
	write("FEATURES.md", "\n\n"+pipeline()["FEATURES.md"]+"- `DeliverMessgae` of eels\n")
	if got, text := runCI(t, f, CIInput{Baseline: "base.json"}); got.Known != total || len(got.Findings) != 1 || got.Passed || !strings.Contains(text, "FEATURES.md:9: error (ghost)") {
		t.Errorf("%+v\n%s", got, text)
	}
	write("other.json", "{}")
	if _, err := f.CI(t.Context(), CIInput{Baseline: "other.json", Update: true}); fault.KindOf(err) != fault.Usage {
		t.Errorf("another file is written over: %v", err)
	}

	// Marks and lines with a reason are for what they stand above or match; others for nothing.
	write("FEATURES.md", strings.Replace(pipeline()["FEATURES.md"], "- `DeliverMesage`", "\n<!-- assay-ignore ghost: accepted by all -->\n- `DeliverMesage`", 1)+"\n<!-- assay-ignore -->\n- `DeliverMessgae` of eels\n")
	write(claims.IgnoreFile, "# accepted\nshadow store/** # internal\nshadow cmd/**\n")
	got, text = runCI(t, f, CIInput{FailOn: "ghost:high,shadow:high"})
	if len(got.Ignored) != 2 {
		t.Fatalf("%d ignored\n%+v", len(got.Ignored), got)
	}
	mustAll(t, text, []fact{
		{"the mark gives the reason", got.Ignored[0].Reason == "accepted by all"},
		{"and its place", got.Ignored[0].By == claims.Place{Path: "FEATURES.md", Line: 7}},
		{"the line of the file gives the other", got.Ignored[1].Reason == "internal"},
		{"a finding without either fails the run", got.Failing == 1 && strings.Contains(text, "DeliverMessgae")},
	})
	bad := (&claims.Tree{Docs: []claims.Source{{Path: "a.md", Text: []byte("<!-- assay-ignore -->\n")}}}).Ignores("shadow cmd/**\n").Bad
	if len(bad) != 2 {
		t.Errorf("without a reason: %v", bad)
	}
}

// A line of the ignore file that no finding is of is named with its place, in text and in JSON; a file of too many is
// refused, and whoever stops a run does not wait for their end.
func TestIdleIgnores(t *testing.T) {
	root, f := project(t, pipeline())
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, claims.IgnoreFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("shadow store/** Keep # used\n\nshadow ** [Keep] # the brackets are the name's\n" + strings.Repeat("ghost x # x\n", 30))
	got, said := runCI(t, f, CIInput{FailOn: "shadow:high"})
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	mustAll(t, fmt.Sprintf("%d ignored, %d idle\n%s\n%s", len(got.Ignored), len(got.Idle), said, raw), []fact{
		{"one line ignores findings", len(got.Ignored) > 0},
		{"the others none", len(got.Idle) == 31},
		{"the text names the first", strings.Contains(said, "\nno finding is ignored by "+claims.IgnoreFile+":3, "+claims.IgnoreFile+":4, ")},
		{"and counts the rest", strings.Contains(said, ", and 11 more\n")},
		{"JSON has them all", strings.Contains(string(raw), `"ignore_nothing":[{"path":"`+claims.IgnoreFile+`","line":3}`)},
	})
	write(strings.Repeat("shadow **/*a*/**/*a*/**/*a*N x # x\n", claims.MostIgnores+1))
	if _, err := f.CI(t.Context(), CIInput{FailOn: "shadow:high"}); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "10001 lines") || fault.HintOf(err) == "" {
		t.Errorf("too many lines: %v", err)
	}
}

// Where there is no code, or no document, an audit says that nothing was compared: that is no finding that passes.
func TestNothingToCompare(t *testing.T) {
	said := func(f *Feature, what any, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := what.(interface {
			WriteText(io.Writer, bool) error
		}).WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(what)
		if err != nil {
			t.Fatal(err)
		}
		return b.String() + string(raw)
	}
	for lacks, files := range map[string]map[string]string{"code": {"README.md": "# Mail\n\n## Features\n\n- Single sign-on with SAML\n"}, "documents": {"go.mod": "module mail\n", "mail.go": "package mail\n\nfunc Send() {}\n"}} {
		_, f := project(t, files)
		for what, got := range map[string]func() string{
			"ci":      func() string { x, err := f.CI(t.Context(), CIInput{FailOn: "none"}); return said(f, x, err) },
			"ghosts":  func() string { x, err := f.Ghosts(t.Context(), GhostsInput{}); return said(f, x, err) },
			"shadows": func() string { x, err := f.Shadows(t.Context(), ShadowsInput{}); return said(f, x, err) },
			"ghost":   func() string { x, err := f.Ghost(t.Context(), GhostInput{Feature: "SSO"}); return said(f, x, err) },
		} {
			text := got()
			if !strings.Contains(text, "no "+lacks+" found: nothing was compared with what is not there\n") || !strings.Contains(text, `"lacks":["`+lacks+`"]`) {
				t.Errorf("audit %s without %s says\n%s", what, lacks, text)
			}
			if lacks == "code" && strings.Contains(text, string(claims.Confirmed)+":") {
				t.Errorf("audit %s confirms a ghost without code:\n%s", what, text)
			}
		}
		for failOn, is := range map[string]string{"ghost": "", "shadow": "code", "drift": "documents"} {
			if _, err := f.CI(t.Context(), CIInput{FailOn: failOn}); (fault.KindOf(err) == fault.NotFound) != (is == "" || is == lacks) {
				t.Errorf("--fail-on %s without %s: %v", failOn, lacks, err)
			}
		}
	}
}

// Of what a caller asks for no more is repeated than tells it from others.
func TestLongQuestion(t *testing.T) {
	_, f := project(t, pipeline())
	got, err := f.Ghost(t.Context(), GhostInput{Feature: strings.Repeat("telepathic penguins of the north ", 1000) + strings.Repeat("x", 1000), Synonym: strings.Repeat("mind reading ", 1000)})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(got)
	if err != nil || len(raw) > 8000 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
}

// What is accepted with a reason is known from then on, by its place or its fingerprint; the reason is
// kept when the baseline is written again, and no evidence of what it names.
func TestAccept(t *testing.T) {
	root, f := project(t, pipeline())
	before, _ := runCI(t, f, CIInput{})
	ghost := before.Findings[slices.IndexFunc(before.Findings, func(x claims.Finding) bool { return x.Rule == claims.GhostRule })]
	got, err := f.Accept(t.Context(), AcceptInput{Findings: []string{ghost.Place.String(), ghost.Fingerprint}, Reason: "  " + ghost.Name + "\ncomes later"})
	if err != nil || len(got.Accepted) != 1 || got.Reason != ghost.Name+" comes later" || got.Baseline != filepath.Join(root, usualBaseline) {
		t.Fatalf("%+v, %v", got, err)
	}
	if again, _ := runCI(t, f, CIInput{}); len(again.Findings) != len(before.Findings) {
		t.Errorf("without the baseline there were %d findings, and now %d", len(before.Findings), len(again.Findings))
	}
	after, _ := runCI(t, f, CIInput{Accepted: true})
	if len(after.Accepted) != 1 || after.Accepted[0].Reason != got.Reason {
		t.Errorf("accepted: %+v", after.Accepted)
	}
	if after.Known != 1 || len(after.Findings) != len(before.Findings)-1 || slices.ContainsFunc(after.Findings, func(x claims.Finding) bool { return x.Fingerprint == ghost.Fingerprint }) {
		t.Errorf("%+v", after)
	}
	if _, text := runCI(t, f, CIInput{Baseline: got.Baseline, Update: true}); !strings.Contains(text, "written to") {
		t.Error(text)
	}
	raw, err := os.ReadFile(got.Baseline)
	if err != nil || !strings.Contains(string(raw), `"`+ghost.Fingerprint+`": "`+ghost.Name+` comes later"`) {
		t.Errorf("%s, %v", raw, err)
	}
	for what, in := range map[string]AcceptInput{
		"no reason":         {Findings: []string{ghost.Fingerprint}, Reason: " \n"},
		"no finding":        {Reason: "x"},
		"what is not found": {Findings: []string{ghost.Fingerprint, "FEATURES.md:999"}, Reason: "x", Baseline: "new.json"},
		"another file":      {Findings: []string{ghost.Fingerprint}, Reason: "x", Baseline: "FEATURES.md"},
	} {
		if _, err := f.Accept(t.Context(), in); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "new.json")); err == nil {
		t.Error("a file was written for what is not found")
	}
}

func TestCIFormats(t *testing.T) {
	// What documents and file names say is text in every format.
	ghost := claims.Finding{Rule: claims.GhostRule, Severity: "high", Place: claims.Place{Path: "docs/a%b,c|<d>.md", Line: 5}, Name: "x", Message: "no code has what is documented: 100% | of <b>walruses</b>", Fingerprint: "f0"}
	below := ""
	format := func(name string) string {
		t.Helper()
		r := &CI{FailOn: "ghost", Findings: []claims.Finding{ghost}, Ignored: []Ignored{{Finding: ghost, Reason: "planned"}, {Finding: ghost, Reason: "sold", By: claims.Place{Path: claims.IgnoreFile, Line: 1}}}, format: name, below: below}
		var b bytes.Buffer
		if err := r.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	text := format("sarif")
	var doc struct {
		Version string
		Runs    []struct {
			Results []struct {
				RuleID, Level string
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
				PartialFingerprints map[string]string
				Suppressions        []struct{ Kind, Justification string }
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.Version != "2.1.0" || len(doc.Runs) != 1 {
		t.Fatalf("%v\n%s", err, text)
	}
	results := doc.Runs[0].Results
	if len(results) != 3 || len(results[1].Suppressions) != 1 || len(results[2].Suppressions) != 1 {
		t.Fatalf("results %+v", results)
	}
	mustAll(t, text, []fact{
		{"the first is not suppressed", len(results[0].Suppressions) == 0},
		{"a mark gives its reason", results[1].Suppressions[0].Justification == "planned"},
		{"and stands in the source", results[1].Suppressions[0].Kind == "inSource"},
		{"a line of the ignore file does not", results[2].Suppressions[0].Kind == "external"},
	})
	r, at := results[0], results[0].Locations[0].PhysicalLocation
	mustAll(t, fmt.Sprintf("%+v", r), []fact{
		{"its rule", r.RuleID == "ghost" && r.Level == "error"},
		{"its file, encoded", at.ArtifactLocation.URI == "docs/a%25b,c%7C%3Cd%3E.md"},
		{"its line", at.Region.StartLine == 5},
		{"its fingerprint", r.PartialFingerprints["assay/v1"] == "f0"},
	})
	for name, want := range map[string]string{
		"github":   "::error file=docs/a%25b%2Cc|<d>.md,line=5,title=assay ghost::no code has what is documented: 100%25 | of <b>walruses</b>\n",
		"markdown": `| ghost | high | docs/a%b,c\|\<d\>.md:5 | no code has what is documented: 100% \| of \<b\>walruses\</b\> |`,
		"html":     `docs/a%b,c|&lt;d&gt;.md:5</td><td data-of="Finding">no code has what is documented: 100% | of &lt;b&gt;walruses&lt;/b&gt;</td>`,
		"json":     `"rule":"ghost","severity":"high","path":"docs/a%b,c|<d>.md","line":5,`,
	} {
		if text := format(name); !strings.Contains(text, want) {
			t.Errorf("%s: no %s in\n%s", name, want, text)
		}
	}
	// No name begins a line that a workflow would take for a command of its own.
	ghost.Path, ghost.Message = "docs/a\n::error::b.md", "the link to x leads nowhere: there is no file x\n::error::y"
	if text, want := format("text"), "docs/a<U+000A>::error::b.md:5: error (ghost): the link to x leads nowhere: there is no file x<U+000A>::error::y\n"; !strings.HasPrefix(text, want) {
		t.Errorf("text: no %q in\n%s", want, text)
	}
	// Forges count paths from the top of the repository.
	ghost.Path, below = "docs/a.md", "cmd/x"
	if text := format("github"); !strings.HasPrefix(text, "::error file=cmd/x/docs/a.md,line=5,") {
		t.Errorf("below a folder: %s", text)
	}
	if text := format("sarif"); !strings.Contains(text, `"uri": "cmd/x/docs/a.md"`) {
		t.Errorf("below a folder: %s", text)
	}
}

// Of a change only that counts which it touches, or which it breaks: what the code loses is
// a ghost of the change though no document changed.
func TestCISince(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	files := pipeline()
	files["fly.go"] = "package mail\n\n// Levitate lifts walruses.\nfunc Levitate() {}\n\n// Lowering lowers them.\nfunc Lowering() {}\n"
	files["FEATURES.md"] += "- `Levitate` lifts walruses\n\nThey go down by `Lowering`.\n"
	root, f := project(t, files)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-C", root}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "x")
	if got, text := runCI(t, f, CIInput{Since: "HEAD"}); !got.Passed || len(got.Findings) != 0 || got.Outside == 0 {
		t.Errorf("nothing changed: %+v\n%s", got, text)
	}
	if err := os.Remove(filepath.Join(root, "fly.go")); err != nil {
		t.Fatal(err)
	}
	got, text := runCI(t, f, CIInput{Since: "HEAD"})
	if got.Passed || len(got.Findings) != 2 || !strings.Contains(text, "FEATURES.md:7: error (ghost)") || !strings.Contains(text, "FEATURES.md:9: error (ghost): the changes take Lowering out of the code") {
		t.Errorf("the code is gone: %+v\n%s", got, text)
	}
	// What only the change tells is accepted with the revision, and then passes.
	in := AcceptInput{Findings: []string{"FEATURES.md:9"}, Reason: "comes back"}
	if _, err := f.Accept(t.Context(), in); fault.KindOf(err) != fault.NotFound {
		t.Errorf("accepted without the revision: %v", err)
	}
	in.Since = "HEAD"
	if got, err := f.Accept(t.Context(), in); err != nil || len(got.Accepted) != 1 {
		t.Errorf("accepted with the revision: %+v, %v", got, err)
	}
	if got, _ := runCI(t, f, CIInput{Since: "HEAD", Accepted: true}); len(got.Findings) != 1 || len(got.Accepted) != 1 {
		t.Errorf("after that: %+v", got)
	}
	if _, err := f.CI(t.Context(), CIInput{Since: "none"}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no such revision: %v", err)
	}
}

// The action's script calls the audit as the inputs say, and ends as it does.
func TestAction(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	script, err := filepath.Abs("../../integrations/github/audit.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	assay := filepath.Join(dir, "assay")
	testaid.WriteProgram(t, assay, []byte("#!/bin/sh\necho \"$@\" >> '"+dir+"/log'\necho \"out of $*\"\ncase \"$*\" in *none*) exit 0;; esac\nexit $STATUS\n"))
	testaid.WriteProgram(t, filepath.Join(dir, "git"), []byte("#!/bin/sh\ncase \"$*\" in *HEAD*) exit 0;; esac\nexit 1\n"))
	for _, tc := range []struct {
		status int
		env    []string
		want   string
	}{
		{0, nil, "audit ci --fail-on=ghost:high,drift:high --format=github\n"},
		{1, []string{"INPUT_SINCE=a b", "INPUT_FAIL_ON=shadow:high", "INPUT_BASELINE=-x", "GITHUB_STEP_SUMMARY=" + dir + "/summary", "INPUT_SARIF=" + dir + "/sarif"},
			"audit ci --fail-on=shadow:high --baseline=-x --since=a b --format=github\n" +
				"audit ci --fail-on=shadow:high --baseline=-x --since=a b --format=markdown\n" +
				"audit ci --fail-on=shadow:high --baseline=-x --since=a b --format=sarif\n"},
		{0, []string{"INPUT_BASE=HEAD"}, "audit ci --fail-on=ghost:high,drift:high --since=HEAD --format=github\n"},
		{0, []string{"INPUT_BASE=0123456789"}, "audit ci --fail-on=ghost:high,drift:high --format=github\n"},
		{3, []string{"INPUT_SARIF=" + dir + "/none"}, "audit ci --fail-on=ghost:high,drift:high --format=github\n"},
	} {
		_ = os.Remove(filepath.Join(dir, "log"))
		cmd := exec.Command(sh, script)
		cmd.Env = append([]string{"PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH"), "ASSAY=" + assay, "STATUS=" + string(rune('0'+tc.status))}, tc.env...)
		out, _ := cmd.CombinedOutput()
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		if cmd.ProcessState.ExitCode() != tc.status || string(log) != tc.want {
			t.Errorf("status %d, want %d; calls\n%swant\n%s%s", cmd.ProcessState.ExitCode(), tc.status, log, tc.want, out)
		}
	}
	for name, want := range map[string]string{"summary": "--format=markdown", "sarif": "--format=sarif"} {
		if text, _ := os.ReadFile(filepath.Join(dir, name)); !strings.Contains(string(text), want) {
			t.Errorf("%s has %q", name, text)
		}
	}
}

// A gate does not pass because there was nothing to judge.
func TestCIWithoutDocuments(t *testing.T) {
	_, f := project(t, map[string]string{"go.mod": "module x\n", "a.go": "package x\n\nfunc Kept() {}\n"})
	if _, err := f.CI(t.Context(), CIInput{}); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "no document was found") {
		t.Errorf("%v", err)
	}
	for _, failOn := range []string{"none", "shadow"} {
		if got, err := f.CI(t.Context(), CIInput{FailOn: failOn}); err != nil || got.Passed != (failOn == "none") {
			t.Errorf("--fail-on %s: %+v, %v", failOn, got, err)
		}
	}
}
