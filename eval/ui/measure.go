package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser starts one.
func browser(ctx context.Context) (context.Context, func()) {
	ctx, end := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox)...)
	ctx, stop := chromedp.NewContext(ctx)
	return ctx, func() { stop(); end() }
}

// typed types a query a key at a time, each as soon as the one before is answered, and returns how long each key took
// until the hits of it were shown; of which how long the server took.
const typed = `(async (words) => {
	const field = document.querySelector("main input"), out = [];
	const shown = () => new Promise(done => {
		const o = new MutationObserver(() => { if (/ ms$/.test(document.getElementById("status").textContent)) { o.disconnect(); requestAnimationFrame(() => done()); } });
		o.observe(document.getElementById("status"), { childList: true, characterData: true, subtree: true });
	});
	for (let i = 3; i <= words.length; i++) {
		field.value = words.slice(0, i);
		performance.clearResourceTimings();
		const began = performance.now(), answer = shown();
		field.dispatchEvent(new Event("input", { bubbles: true }));
		await answer;
		out.push([performance.now() - began, performance.getEntriesByType("resource").filter(e => e.name.endsWith("/api/run")).reduce((n, e) => n + e.duration, 0)]);
	}
	return out;
})`

// mapped opens the map and returns how long that took until all files were drawn and could be asked about.
const mapped = `(async () => {
	const began = performance.now();
	location.hash = "#/map";
	while (!document.querySelector("select[aria-label=Colour]")) await new Promise(done => setTimeout(done, 5));
	await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
	return [performance.now() - began, Number(document.querySelector("canvas").getAttribute("aria-label").match(/\d+/)[0])];
})()`

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// measure prints the medians, the least and the most of what people wait for.
func measure(assay, tree string, times int) error {
	ctx, stop := context.WithTimeout(context.Background(), 9*time.Minute)
	defer stop()
	s, err := serve(ctx, assay, tree)
	if err != nil {
		return err
	}
	defer s.close()
	if text, err := s.command(ctx, "index"); err != nil {
		return fmt.Errorf("index: %v\n%s", err, text)
	}
	ctx, end := browser(ctx)
	defer end()
	base, _, _ := strings.Cut(s.url, "#")
	w := &watcher{base: base}
	chromedp.ListenTarget(ctx, w.see)
	if err := chromedp.Run(ctx, network.Enable(), chromedp.Navigate(s.url), chromedp.WaitVisible("main input")); err != nil {
		return err
	}
	var paints, keys, server, maps []float64
	files := 0.
	for i := range times {
		var paint float64
		var each [][2]float64
		var drawn [2]float64
		if err := chromedp.Run(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(base), chromedp.WaitVisible("main input"), chromedp.Sleep(300*time.Millisecond),
			chromedp.Evaluate(`performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`, &paint),
			chromedp.Evaluate(typed+fmt.Sprintf("(%q)", questions[i%len(questions)]), &each, awaited), chromedp.Evaluate(mapped, &drawn, awaited)); err != nil {
			return err
		}
		paints, maps, files = append(paints, paint), append(maps, drawn[0]), drawn[1]
		if i > 0 { // the first opens the index
			for _, e := range each {
				keys, server = append(keys, e[0]), append(server, e[1])
			}
		}
	}
	for _, f := range []struct {
		what string
		all  []float64
	}{{"first paint", paints}, {"a key to its hits", keys}, {"of which the question to the server", server}, {fmt.Sprintf("the map of %.0f files", files), maps}} {
		slices.Sort(f.all)
		n := len(f.all)
		if n == 0 {
			continue
		}
		fmt.Printf("%-36s median %.0f ms, 95th of 100 %.0f, %.0f to %.0f, %d times\n", f.what, f.all[n/2], f.all[min(n-1, n*95/100)], f.all[0], f.all[n-1], n)
	}
	return w.verdict()
}

// questions are typed one after another.
var questions = []string{"open a file", "retry request", "parse time", "http handler", "close connection"}
