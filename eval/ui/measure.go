package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
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
	if err := chromedp.Run(ctx, network.Enable(), performance.Enable().WithTimeDomain("threadTicks"), chromedp.Navigate(s.url), chromedp.WaitVisible("main input")); err != nil {
		return err
	}
	var paints, keys, server, maps []float64
	var cpu [3][2][]float64 // of the page's thread and of the server: the first paint, a key, the map
	files := 0.
	// spent returns the milliseconds of a processor that the page and the server have used so far. On a machine with other
	// work they say what the wall clock does not.
	spent := func() (out [2]float64, err error) {
		err = chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) error {
			all, err := performance.GetMetrics().Do(ctx)
			for _, m := range all {
				if m.Name == "TaskDuration" {
					out[0] = 1000 * m.Value
				}
			}
			return err
		}))
		out[1] = used(s.pid)
		return out, err
	}
	// timed runs actions and keeps what each of n steps of them cost.
	timed := func(what, n int, do ...chromedp.Action) error {
		before, err := spent()
		if err != nil {
			return err
		}
		if err := chromedp.Run(ctx, do...); err != nil {
			return err
		}
		after, err := spent()
		for k := range after {
			cpu[what][k] = append(cpu[what][k], max(0, after[k]-before[k])/float64(n))
		}
		return err
	}
	for i := range times {
		var paint float64
		var each [][2]float64
		var drawn [2]float64
		asked := questions[i%len(questions)]
		if err := chromedp.Run(ctx, chromedp.Navigate("about:blank")); err != nil {
			return err
		}
		err := timed(0, 1, chromedp.Navigate(base), chromedp.WaitVisible("main input"), chromedp.Sleep(300*time.Millisecond), chromedp.Evaluate(`performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`, &paint))
		if err == nil {
			err = chromedp.Run(ctx, chromedp.Evaluate(`location.hash = "#/search"`, nil), chromedp.WaitVisible("select[aria-label=How]"))
		}
		if err == nil {
			err = timed(1, len(asked)-2, chromedp.Evaluate(typed+fmt.Sprintf("(%q)", asked), &each, awaited))
		}
		if err == nil {
			err = timed(2, 1, chromedp.Evaluate(mapped, &drawn, awaited))
		}
		if err != nil {
			return err
		}
		paints, maps, files = append(paints, paint), append(maps, drawn[0]), drawn[1]
		if i > 0 { // the first opens the index
			for _, e := range each {
				keys, server = append(keys, e[0]), append(server, e[1])
			}
		}
	}
	type figure struct {
		what string
		all  []float64
	}
	list := []figure{{"first paint", paints}, {"a key to its hits", keys}, {"of which the question to the server", server}, {fmt.Sprintf("the map of %.0f files", files), maps}}
	for what, name := range []string{"processor time, first paint: ", "processor time, a key: ", "processor time, the map: "} {
		list = append(list, figure{name + "page", cpu[what][0]}, figure{name + "server", cpu[what][1]})
	}
	for _, f := range list {
		slices.Sort(f.all)
		n := len(f.all)
		if n == 0 {
			continue
		}
		fmt.Printf("%-38s median %.0f ms, 95th of 100 %.0f, %.0f to %.0f, %d times\n", f.what, f.all[n/2], f.all[min(n-1, n*95/100)], f.all[0], f.all[n-1], n)
	}
	return w.verdict()
}

// used returns the milliseconds of a processor that a process has used, 0 where the system does not say.
func used(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return 10 * (user + system) // ticks of a hundredth of a second
}

// questions are typed one after another.
var questions = []string{"open a file", "retry request", "parse time", "http handler", "close connection"}
