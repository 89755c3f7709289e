package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// looked opens a report in both themes at two widths, with all its sections open too,
// works it, and prints it.
func looked(file, out, axe string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	ctx, end := browser(ctx)
	defer end()
	w := &watcher{base: "file://" + file}
	chromedp.ListenTarget(ctx, w.see)
	if err := chromedp.Run(ctx, network.Enable()); err != nil {
		return err
	}
	root, name := "main", filepath.Base(file)
	if strings.HasSuffix(file, ".svg") {
		root = "svg"
	}
	for _, theme := range []string{"light", "dark"} {
		for _, wide := range []int64{390, 1400, 2560} {
			if err := chromedp.Run(ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}),
				emulation.SetDeviceMetricsOverride(wide, 900, 1, wide < 600), chromedp.Navigate(w.base), chromedp.WaitReady(root)); err != nil {
				return err
			}
			if err := w.hold(ctx, name, theme, wide, out, axe); err != nil {
				return err
			}
			if err := chromedp.Run(ctx, chromedp.Evaluate(`document.querySelectorAll("details").forEach(d => d.open = true)`, nil)); err != nil {
				return err
			}
			if err := w.hold(ctx, "report-open", theme, wide, "", ""); err != nil {
				return err
			}
		}
	}
	if root == "svg" {
		return w.verdict() // nothing in a picture is worked
	}
	if err := worked(ctx, w); err != nil {
		return err
	}
	return w.verdict()
}

// worked filters the rows by the first name of a table, sorts that table, points at a box
// and prints.
func worked(ctx context.Context, w *watcher) error {
	var rows, shown, back, boxes, lit float64
	var sorted, name string
	var paper []byte
	count := `[...document.querySelectorAll("tbody tr")].filter(r => !r.hidden).length`
	err := chromedp.Run(ctx, emulation.SetFocusEmulationEnabled(true), chromedp.Navigate(w.base), chromedp.WaitReady("main"),
		chromedp.Evaluate(count, &rows), chromedp.Evaluate(`[...document.querySelectorAll("tbody tr:first-child td")].map(c => c.textContent).sort((a, b) => b.length - a.length)[0] ?? ""`, &name))
	if err != nil {
		return err
	}
	err = chromedp.Run(ctx, chromedp.Evaluate(fmt.Sprintf(`(() => { const f = document.getElementById("filter"); f.value = %q.toUpperCase(); f.oninput(); return 0 })()`, name), nil), chromedp.Evaluate(count, &shown),
		chromedp.Evaluate(`(() => { const f = document.getElementById("filter"); f.value = ""; f.oninput(); return 0 })()`, nil), chromedp.Evaluate(count, &back),
		chromedp.Evaluate(`(() => { const t = document.querySelector("table"); if (!t) return "sorted"; const b = t.querySelector("th button"); b.click(); b.click();
			const got = [...t.tBodies[0].rows].map(r => r.cells[0].textContent), by = new Intl.Collator("en", {numeric: true});
			return got.join("\0") === [...got].sort((a, b) => by.compare(b, a)).join("\0") ? "sorted" : got.join("|") })()`, &sorted),
		chromedp.Evaluate(`document.querySelectorAll(".box").length`, &boxes),
		chromedp.Evaluate(`(() => { const e = document.querySelector(".edge"); if (!e) return 1; document.querySelector('[data-box="' + e.dataset.from + '"]').focus(); return document.querySelectorAll(".edge.on").length })()`, &lit),
		chromedp.ActionFunc(func(ctx context.Context) (err error) {
			paper, _, err = page.PrintToPDF().Do(ctx)
			return err
		}))
	switch {
	case err != nil:
		return fmt.Errorf("work the page: %w", err)
	case rows > 1 && (shown == 0 || shown == rows) || back != rows:
		return fmt.Errorf("the filter %q left %.0f of %.0f rows, and without it there were %.0f", name, shown, rows, back)
	case sorted != "sorted":
		return fmt.Errorf("a table that was sorted is %s", sorted)
	case lit == 0:
		return fmt.Errorf("a box of %.0f that was pointed at shows no arrow", boxes)
	}
	fmt.Printf("%.0f rows, %.0f of them with %q; %.0f boxes; %d bytes on paper\n", rows, shown, name, boxes, len(paper))
	return nil
}
