package check

import (
	"fmt"
	"io"
	"time"

	"github.com/assay-dev/assay/internal/base/render"
)

// WriteHTML writes the report as a page that needs no other file. name is the suite's, at when it began.
func (r *Report) WriteHTML(w io.Writer, name string, at time.Time) error {
	p := render.New(name+": "+verdict(r.Passed), fmt.Sprintf("%d of %d checks passed · %s s · %s", len(r.Checks)-r.Failed()-r.Skipped(), len(r.Checks), millis(r.DurationMS), at.UTC().Format("2006-01-02 15:04:05 UTC")))
	end := p.Section("checks", "Checks", "Checks", len(r.Checks), "There are no checks.")
	load := len(r.Checks) > 0 && r.Checks[0].Load != nil
	header := []string{"Result", "Check", "ms", "Message"}
	if load {
		header = []string{"Result", "Check", "Count", "Failed", "per s", "p50 ms", "p95 ms", "p99 ms", "max ms", "Message"}
	}
	var rows [][]any
	for i := range r.Checks {
		c := &r.Checks[i]
		row := []any{render.Verdict{Passed: c.Passed, Text: c.verdict()}, c.title()}
		switch l := c.Load; {
		case load && l != nil:
			for _, v := range []float64{float64(l.Count), float64(l.Failed), l.Rate, l.P50, l.P95, l.P99, l.Max} {
				row = append(row, render.Number(number(v)))
			}
		case load:
			for range len(header) - len(row) - 1 {
				row = append(row, render.Number(""))
			}
		default:
			row = append(row, render.Number(fmt.Sprint(c.DurationMS)))
		}
		message := render.Code("")
		if c.Message != nil {
			message = render.Code(*c.Message)
		}
		rows = append(rows, append(row, message))
	}
	p.Table(header, rows)
	end()
	_, err := io.WriteString(w, p.String())
	return err
}

func (o *Outcome) verdict() string {
	if o.Skipped {
		return "SKIP"
	}
	return verdict(o.Passed)
}
