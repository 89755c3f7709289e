package main

import (
	"fmt"
	"io"
	"strings"
)

// write prints the table as text.
func (t table) write(w io.Writer) {
	for _, k := range t.Kinds {
		fmt.Fprintf(w, "%-36s %-28s %-28s %s\n", fmt.Sprintf("%s, %d tasks", k.Kind, k.Tasks), "text: mean (least to most)",
			"assay", "assay minus text (95 %)")
		for _, r := range k.Rows {
			name := r.Measure
			if r.Tasks < k.Tasks {
				name = fmt.Sprintf("%s, %d", r.Measure, r.Tasks)
			}
			fmt.Fprintf(w, "  %-34s %-28s %-28s %s\n", name, r.Text.text(r.Measure), r.Assay.text(r.Measure), r.Difference.text(r.Measure))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%-14s %-11s %s\n", "task", "", "text / assay: files named, files right, calls, bytes, ms in the tools")
	for _, r := range t.Tasks {
		fmt.Fprintf(w, "%-14s %-11s", r.ID, r.Kind)
		for _, m := range []string{filesFound, filesRight, callCount, byteCount, milliCount} {
			fmt.Fprintf(w, " %15s", formatValue(m, r.Text[m])+" / "+formatValue(m, r.Assay[m]))
		}
		fmt.Fprintln(w)
	}
	for _, list := range []struct {
		title string
		ids   []string
	}{{"assay needed more calls", t.MoreCalls}, {"assay showed more bytes", t.MoreBytes}, {"not done in both arms", t.Missing}} {
		if len(list.ids) > 0 {
			fmt.Fprintf(w, "%s: %d tasks: %s\n", list.title, len(list.ids), strings.Join(list.ids, ", "))
		}
	}
}

func (s spread) text(measure string) string {
	f := func(x float64) string { return formatValue(measure, x) }
	return fmt.Sprintf("%s (%s to %s)", f(s.Mean), f(s.Least), f(s.Most))
}

func (i interval) text(measure string) string {
	f := func(x float64) string { return formatValue(measure, x) }
	if i.Low == nil {
		return f(i.Mean)
	}
	return fmt.Sprintf("%s (%s to %s)", f(i.Mean), f(*i.Low), f(*i.High))
}

// formatValue prints a value with as many digits as its measure deserves.
func formatValue(measure string, x float64) string {
	switch measure {
	case callCount, agentSeconds:
		return fmt.Sprintf("%.1f", x)
	case byteCount, milliCount, agentTokens:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
