package doctor_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/install/doctor"
)

// A clinic is operations, each of which repairs the part of its name.
type clinic struct {
	ill  map[string]bool
	runs []string
}

func (c *clinic) Command(fix fault.Fix) string { return "assay " + fix.Op }

func (c *clinic) Run(_ context.Context, fix fault.Fix, preview bool) (string, error) {
	switch {
	case fix.Op == "refuse":
		return "", fault.New(fault.Usage, "it is not ours\x1b[2J").Or("correct it")
	case preview:
		return "+ " + fix.Op + "\n", nil
	case fix.Op == "fail":
		return "", errors.New("the disk is full")
	}
	c.runs = append(c.runs, fix.Op)
	delete(c.ill, fix.Op)
	return "did " + fix.Op + "\n", nil
}

// part is wrong while the clinic has it as ill, and repaired by the operation of its name.
func (c *clinic) part(name string, x doctor.Finding) doctor.Part {
	return doctor.Part{Name: name, Look: func(context.Context) []doctor.Finding {
		if !c.ill[name] {
			return []doctor.Finding{{State: doctor.Fine, Says: "sound"}}
		}
		return []doctor.Finding{x}
	}}
}

func TestDiagnose(t *testing.T) {
	repaired := func(op, writes string) doctor.Finding {
		return doctor.Finding{State: doctor.Wrong, Says: "ill\x1b[2J", Repair: &fault.Fix{Op: op}, Writes: writes}
	}
	byHand := doctor.Finding{State: doctor.Wrong, Says: "broken", Fix: "correct the file"}
	absent := doctor.Finding{State: doctor.Absent, Says: "none", Fix: "or: ", Repair: &fault.Fix{Op: "absent"}}
	tests := []struct {
		name   string
		ill    map[string]doctor.Finding
		in     doctor.Input
		answer string // of the person: yes, no, stop; empty: there is no terminal
		runs   string
		text   string
		err    string // the verdict, with its remedy
	}{
		{"nothing is wrong", nil, doctor.Input{Fix: true}, "", "", "assay v1\n✓ a: sound\n✓ b: sound\n", ""},
		{"found", map[string]doctor.Finding{"a": repaired("a", "")}, doctor.Input{}, "yes", "",
			"assay v1\n✗ a: ill<U+001B>[2J\n    assay a\n✓ b: sound\n", "1 problem found; doctor fix=true; each line with ✗ says what to do"},
		{"by hand alone", map[string]doctor.Finding{"a": byHand}, doctor.Input{Fix: true, Yes: true}, "", "",
			"assay v1\n✗ a: broken\n    correct the file\n✓ b: sound\n", "1 problem left; each line with ✗ says what to do"},
		{"absent is not repaired", map[string]doctor.Finding{"a": absent}, doctor.Input{Fix: true, Yes: true}, "", "",
			"assay v1\n○ a: none (optional)\n    or: assay absent\n✓ b: sound\n", ""},
		{"confirmed", map[string]doctor.Finding{"a": repaired("a", "")}, doctor.Input{Fix: true}, "yes", "a",
			"a: ill<U+001B>[2J\nran: assay a\ndid a\n\nassay v1\n✓ a: sound\n✓ b: sound\n", ""},
		{"without asking", map[string]doctor.Finding{"a": repaired("a", "a.db")}, doctor.Input{Fix: true, Yes: true}, "no", "a",
			"a: ill<U+001B>[2J\nran: assay a\nwrites a.db\ndid a\n\nassay v1\n✓ a: sound\n✓ b: sound\n", ""},
		{"declined", map[string]doctor.Finding{"a": repaired("a", "")}, doctor.Input{Fix: true}, "no", "",
			"a: ill<U+001B>[2J\nnot run: assay a\n\nassay v1\n✗ a: ill<U+001B>[2J\n    assay a\n✓ b: sound\n", "1 problem left; each line with ✗ says what to do"},
		{"without a terminal", map[string]doctor.Finding{"a": repaired("a", "")}, doctor.Input{Fix: true}, "", "",
			"a: ill<U+001B>[2J\nwould run: assay a\n+ a\n\nassay v1\n✗ a: ill<U+001B>[2J\n    assay a\n✓ b: sound\n", "1 problem left; nothing was changed: add --yes to make these repairs"},
		{"two findings of one repair", map[string]doctor.Finding{"a": repaired("a", ""), "b": repaired("a", "")}, doctor.Input{Fix: true, Yes: true}, "", "a",
			"a: ill<U+001B>[2J\nran: assay a\ndid a\n\nassay v1\n✓ a: sound\n✗ b: ill<U+001B>[2J\n    assay a\n", "1 problem left; each line with ✗ says what to do"},
		{"a preview that is refused", map[string]doctor.Finding{"a": repaired("refuse", ""), "b": repaired("b", "")}, doctor.Input{Fix: true, Yes: true}, "", "b",
			"a: ill<U+001B>[2J\nfailed: assay refuse\nit is not ours<U+001B>[2J; correct it\n\nb: ill<U+001B>[2J\nran: assay b\ndid b\n\nassay v1\n✗ a: ill<U+001B>[2J\n    assay refuse\n✓ b: sound\n",
			"1 problem left; each line with ✗ says what to do"},
		{"a repair that fails", map[string]doctor.Finding{"a": repaired("fail", "")}, doctor.Input{Fix: true, Yes: true}, "", "",
			"a: ill<U+001B>[2J\nfailed: assay fail\nthe disk is full\n\nassay v1\n✗ a: ill<U+001B>[2J\n    assay fail\n✓ b: sound\n", "1 problem left; each line with ✗ says what to do"},
		{"the question is interrupted", map[string]doctor.Finding{"a": repaired("a", "")}, doctor.Input{Fix: true}, "stop", "", "", "interrupted"},
		{"yes without fix", nil, doctor.Input{Yes: true}, "", "", "", "doctor: --yes means nothing without --fix; doctor fix=true yes=true"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &clinic{ill: map[string]bool{}}
			for name := range tt.ill {
				c.ill[name] = true
			}
			cfg := doctor.Config{Version: "v1", Parts: []doctor.Part{c.part("a", tt.ill["a"]), c.part("b", tt.ill["b"])}}
			if tt.answer != "" {
				cfg.Confirm = func(_ context.Context, text, question string) (bool, error) {
					if !strings.HasPrefix(text, "a: ill<U+001B>[2J\nassay a\n") || question != "Run it?" {
						t.Errorf("asked %q %q", text, question)
					}
					if tt.answer == "stop" {
						return false, errors.New("interrupted")
					}
					return tt.answer == "yes", nil
				}
			}
			d, err := doctor.New(cfg).Diagnose(t.Context(), tt.in, c)
			var text bytes.Buffer
			if err == nil {
				if err := d.WriteText(&text, false); err != nil {
					t.Fatal(err)
				}
				err = d.Verdict()
			}
			if text.String() != tt.text {
				t.Errorf("the text is\n%q, want\n%q", &text, tt.text)
			}
			if got := said(err); got != tt.err {
				t.Errorf("the verdict is %q, want %q", got, tt.err)
			}
			if got := strings.Join(c.runs, " "); got != tt.runs {
				t.Errorf("it ran %q, want %q", got, tt.runs)
			}
		})
	}
}

// said is an error with its remedies.
func said(err error) string {
	if err == nil {
		return ""
	}
	s := err.Error()
	if fix := fault.FixOf(err); fix != nil {
		s += "; " + fix.Op
		for _, a := range fix.Args {
			s += fmt.Sprintf(" %s=%v", a.Name, a.Value)
		}
	}
	if hint := fault.HintOf(err); hint != "" {
		s += "; " + hint
	}
	return s
}

// TestCallerCommand holds that a repair is named as the caller runs it, and as a command where the caller cannot.
func TestCallerCommand(t *testing.T) {
	c := &clinic{ill: map[string]bool{"index": true, "setup": true}}
	x := func(name string) doctor.Part {
		return c.part(name, doctor.Finding{State: doctor.Wrong, Repair: &fault.Fix{Op: name}})
	}
	ctx := work.With(t.Context(), work.Report{Command: func(fix fault.Fix) string {
		if fix.Op == "index" {
			return `call index {}`
		}
		return ""
	}})
	d, err := doctor.New(doctor.Config{Parts: []doctor.Part{x("index"), x("setup")}}).Diagnose(ctx, doctor.Input{}, c)
	if err != nil || d.Findings[0].Fix != "call index {}" || d.Findings[1].Fix != "assay setup" {
		t.Errorf("%+v, %v", d, err)
	}
}
