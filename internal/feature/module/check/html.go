package check

import (
	"fmt"
	"html"
	"io"
	"strings"
	"time"
)

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>%[1]s: %[2]s</title>
<style>
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.3rem}
table{border-collapse:collapse;width:100%%}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #8884}
td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.pass{color:#1a7f37}.fail{color:#cf222e}
.pass,.fail{font-weight:600}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}
</style></head><body>
<h1>%[1]s: <span class="%[3]s">%[2]s</span></h1>
<p>%[4]s · %[5]s s · %[6]s</p>
<table><thead><tr><th>Result</th><th>Check</th>%[7]s<th>Message</th></tr></thead><tbody>
`

// WriteHTML writes the report as a page that needs no other file. name is the suite's, at
// when it began.
func (r *Report) WriteHTML(w io.Writer, name string, at time.Time) error {
	load := len(r.Checks) > 0 && r.Checks[0].Load != nil
	columns := `<th class="n">ms</th>`
	if load {
		columns = ""
		for _, c := range []string{"Count", "Failed", "per s", "p50 ms", "p95 ms", "p99 ms", "max ms"} {
			columns += `<th class="n">` + c + "</th>"
		}
	}
	summary := fmt.Sprintf("%d of %d checks passed", len(r.Checks)-r.Failed(), len(r.Checks))
	var b strings.Builder
	fmt.Fprintf(&b, page, html.EscapeString(name), verdict(r.Passed), class(r.Passed), summary, millis(r.DurationMS), at.UTC().Format("2006-01-02 15:04:05 UTC"), columns)
	for _, c := range r.Checks {
		fmt.Fprintf(&b, `<tr><td class="%s">%s</td><td>%s</td>`, class(c.Passed), verdict(c.Passed), html.EscapeString(c.title()))
		if l := c.Load; load && l != nil {
			for _, v := range []float64{float64(l.Count), float64(l.Failed), l.Rate, l.P50, l.P95, l.P99, l.Max} {
				fmt.Fprintf(&b, `<td class="n">%s</td>`, number(v))
			}
		} else {
			fmt.Fprintf(&b, `<td class="n">%d</td>`, c.DurationMS)
		}
		message := ""
		if c.Message != nil {
			message = "<pre>" + html.EscapeString(*c.Message) + "</pre>"
		}
		fmt.Fprintf(&b, "<td>%s</td></tr>\n", message)
	}
	b.WriteString("</tbody></table></body></html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func class(passed bool) string { return strings.ToLower(verdict(passed)) }
