// Command ui looks at the page of assay ui in a browser, as people do.
//
//	go build ./cmd/assay
//	go run ./eval/ui -assay ./assay -tree DIR [-out SHOTS] [-axe axe.min.js]
//	go run ./eval/ui -report drift-report.html [-out SHOTS] [-axe axe.min.js]
//	go run ./eval/ui -hostile -assay ./assay [-out SHOTS] [-axe axe.min.js]
//	go run ./eval/ui -tasks -assay ./assay [-out SHOTS]
//	go run ./eval/ui -times 10 -assay ./assay -tree DIR
//
// With -report it looks at a page that the program wrote, filters, sorts and prints it. With -hostile it plants texts
// that would act wherever a page shows something of somebody else, does all that a page can do, and looks at every page that
// the program writes. With -tasks it does in a small project what people come for, by the names that they read, on a screen and on a
// phone: each without a reload and with at most six clicks. With -times it measures.
//
// It needs a Chromium. It opens each view in both themes at two widths, works it by keys, and ends
// with status 1 if the page wrote an error to its console, asked any server but its own, showed a hostile
// name as markup, was wider than its window, or, with the file of axe-core, breaks a rule of accessibility
// that it calls serious. It prints how long the first paint took, and a keystroke until its hits.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

func main() {
	assay := flag.String("assay", "./assay", "the program")
	tree := flag.String("tree", ".", "the project to look at")
	out := flag.String("out", "", "a folder for screenshots")
	axe := flag.String("axe", "", "axe.min.js of the package axe-core")
	report := flag.String("report", "", "a page that the program wrote, instead of assay ui")
	evil := flag.Bool("hostile", false, "look at a project of its own, full of hostile names and texts, and at all pages that the program writes of it")
	learn := flag.Bool("tasks", false, "do what people come for, in a project of its own")
	times := flag.Int("times", 0, "only measure: the first paint, a keystroke to its hits, the map; so many times")
	flag.Parse()
	if err := chosen(*assay, *tree, *out, *axe, *report, *evil, *learn, *times); err != nil {
		fmt.Fprintln(os.Stderr, "ui:", err)
		os.Exit(1)
	}
}

func chosen(assay, tree, out, axe, report string, evil, learn bool, times int) error {
	switch {
	case report != "":
		return looked(report, out, axe)
	case evil:
		return owned(assay, out, axe)
	case learn:
		return taught(assay, out)
	case times > 0:
		return measure(assay, tree, times)
	}
	return look(assay, tree, out, axe)
}

// views are what is looked at: the address, what is typed first, and what must appear then.
var views = []struct{ at, field, typed, wait string }{
	{"start", "", "", ".card"},
	{"brief?t=open+a+file", "", "", ".card .declaration"},
	{"search", "main input", "open", ".card .match"},
	{"files", "", "", ".entries a"},
	{"structure", "main input", "main\r", ".card .place, [role=alert]"},
	{"map", "", "", "canvas"},
	{"truth", "", "", "main select"},
	{"memory", "", "", "main tbody td:not(:empty), main p"},
	{"library", "", "", "main tbody td:not(:empty), main p, [role=alert]"},
	{"modules", "main input", "silence an alert", ".card tbody td:not(:empty)"},
	{"now", "", "", ".card tbody td:not(:empty)"},
}

func look(assay, tree, out, axe string) error {
	ctx, stop := context.WithTimeout(context.Background(), 25*time.Minute)
	defer stop()
	s, err := serve(ctx, assay, tree)
	if err != nil {
		return err
	}
	defer s.close()
	if text, err := s.command(ctx, "memory", "store", "--title", hostile, "We chose "+hostile); err != nil {
		return fmt.Errorf("store a note: %v\n%s", err, text)
	}
	if err := s.link(ctx, hostile); err != nil {
		return err
	}
	return drive(ctx, s.url, out, axe)
}

// A served project has a page, an agent that asked something, and a home of its own.
type served struct {
	assay, tree, url string
	pid              int // of the server of the page
	env              []string
	ends             []func()
}

func (s *served) close() {
	for _, end := range slices.Backward(s.ends) {
		end()
	}
}

// link stores a note that is linked with the first one.
func (s *served) link(ctx context.Context, title string) error {
	list, err := s.command(ctx, "memory", "list", "--json")
	var r struct{ Items []struct{ Path string } }
	if err != nil || json.Unmarshal(list, &r) != nil || len(r.Items) == 0 {
		return fmt.Errorf("list the notes: %v\n%s", err, list)
	}
	text, err := s.command(ctx, "memory", "store", "--title", title+" again", fmt.Sprintf("It follows from [[%s]].", strings.TrimSuffix(r.Items[0].Path, ".md")))
	if err != nil {
		return fmt.Errorf("store a note: %v\n%s", err, text)
	}
	return nil
}

// command runs the program in the project.
// command returns what the program prints, or what it complains of.
func (s *served) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, s.assay, args...)
	cmd.Dir, cmd.Env = s.tree, s.env
	out, err := cmd.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		return failed.Stderr, err
	}
	return out, err
}

// serve starts the page of a project.
func serve(ctx context.Context, assay, tree string) (s *served, err error) {
	home, err := os.MkdirTemp("", "ui")
	if err != nil {
		return nil, err
	}
	s = &served{tree: tree, ends: []func(){func() { _ = os.RemoveAll(home) }}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.assay, err = filepath.Abs(assay); err != nil {
		return nil, err
	}
	s.env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "ASSAY_INDEX_DIR="+filepath.Join(home, "index"), "ASSAY_MEMORY_VAULT="+filepath.Join(home, "vault"))
	if err := os.Mkdir(filepath.Join(home, "vault"), 0o700); err != nil {
		return nil, err
	}
	// An agent that is connected while the page is looked at.
	agent := exec.CommandContext(ctx, s.assay, "serve")
	agent.Dir, agent.Env = tree, s.env
	talk, err := agent.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := agent.Start(); err != nil {
		return nil, err
	}
	s.ends = append(s.ends, func() { _ = talk.Close(); _ = agent.Wait() })
	if _, err := fmt.Fprintf(talk, conversation, hostile); err != nil {
		return nil, err
	}
	server := exec.CommandContext(ctx, s.assay, "ui", "--no-open")
	server.Dir, server.Env, server.Stderr = tree, s.env, os.Stderr
	pipe, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	s.ends = append(s.ends, func() { _ = server.Process.Kill(); _ = server.Wait() })
	lines := bufio.NewScanner(pipe)
	if !lines.Scan() {
		return nil, fmt.Errorf("assay ui printed no address")
	}
	s.url, s.pid = lines.Text(), server.Process.Pid
	return s, nil
}

// patience is how long anything may take to appear on a loaded machine.
const patience = 30 * time.Second

// hostile is markup that must be shown as text.
const hostile = `<img src=x onerror="document.title='owned'">`

// A watcher keeps what a page must not do.
type watcher struct {
	mu    sync.Mutex
	base  string
	wrong []string
}

func (w *watcher) see(ev any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := ev.(type) {
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, w.base) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "about:") {
			w.wrong = append(w.wrong, "it asked "+u)
		}
	case *runtime.EventExceptionThrown:
		w.wrong = append(w.wrong, "exception: "+e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			w.wrong = append(w.wrong, fmt.Sprintf("console: %s", e.Args[0].Value))
		}
	}
}

func drive(ctx context.Context, url, out, axe string) error {
	ctx, stop := browser(ctx)
	defer stop()
	base, _, _ := strings.Cut(url, "#")
	w := &watcher{base: base}
	chromedp.ListenTarget(ctx, w.see)
	var paint float64
	if err := chromedp.Run(ctx, network.Enable(), chromedp.Navigate(url), chromedp.WaitVisible("main input"),
		chromedp.Evaluate(`performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`, &paint)); err != nil {
		return err
	}
	fmt.Printf("first paint %.0f ms\n", paint)
	if err := rendered(ctx, base); err != nil {
		return err
	}
	for _, theme := range []string{"light", "dark"} {
		for _, wide := range []int64{390, 1400, 2560} {
			for _, v := range views {
				if err := visit(ctx, w, base, v.at, v.field, v.typed, v.wait, theme, wide, out, axe); err != nil {
					return fmt.Errorf("%s, %s, %d: %w", v.at, theme, wide, err)
				}
			}
		}
	}
	if err := keys(ctx, base); err != nil {
		return err
	}
	if err := works(ctx, base, out); err != nil {
		return err
	}
	return w.verdict()
}

// verdict is an error that says what the page did, or nil.
func (w *watcher) verdict() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.wrong)
	if wrong := slices.Compact(w.wrong); len(wrong) > 0 {
		return fmt.Errorf("the page did what it must not:\n%s", strings.Join(wrong, "\n"))
	}
	fmt.Println("no console error, no request to another server, nothing wider than its window")
	return nil
}

// visit opens a view, uses it, and holds what it looks like.
func visit(ctx context.Context, w *watcher, base, at, field, typed, wait, theme string, wide int64, out, axe string) error {
	steps := chromedp.Tasks{
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}),
		emulation.SetDeviceMetricsOverride(wide, 900, 1, wide < 600),
		chromedp.Navigate(base + "#/now"), chromedp.Navigate(base + "#/" + at), chromedp.WaitReady("main h1"),
	}
	if field != "" {
		steps = append(steps, chromedp.WaitVisible(field), chromedp.SendKeys(field, typed))
	}
	began := time.Now()
	soon, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if err := chromedp.Run(soon, append(steps, chromedp.WaitVisible(wait))...); err != nil {
		var shown string
		_ = chromedp.Run(ctx, chromedp.Text("main", &shown)) // what there is says more than the error
		return fmt.Errorf("%s does not appear: %w; there is:\n%.2000s", wait, err, shown)
	}
	if at == "search" {
		fmt.Printf("%s, %d: %d ms from the last key to its hits, the wait for more keys included\n", theme, wide, time.Since(began).Milliseconds())
	}
	return w.hold(ctx, at, theme, wide, out, axe)
}

// hold notes what the page that is open must not be, and keeps what it looks like.
func (w *watcher) hold(ctx context.Context, at, theme string, wide int64, out, axe string) error {
	var over float64
	var title string
	if err := chromedp.Run(ctx, chromedp.Sleep(200*time.Millisecond), chromedp.Evaluate(`document.documentElement.scrollWidth - innerWidth`, &over), chromedp.Title(&title)); err != nil {
		return err
	}
	w.mu.Lock()
	if over > 1 {
		w.wrong = append(w.wrong, fmt.Sprintf("%s is %.0f pixels wider than %d", at, over, wide))
	}
	if title == "owned" {
		w.wrong = append(w.wrong, at+" ran the markup of a name")
	}
	w.mu.Unlock()
	if axe != "" {
		if err := accessible(ctx, w, at+", "+theme, axe); err != nil {
			return err
		}
	}
	if out == "" {
		return nil
	}
	var shot []byte
	if err := chromedp.Run(ctx, chromedp.FullScreenshot(&shot, 100)); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, fmt.Sprintf("%s-%s-%d.png", strings.NewReplacer("?", "-", "/", "-").Replace(at), theme, wide)), shot, 0o644)
}

// accessible runs the rules of axe-core over the page as it is.
func accessible(ctx context.Context, w *watcher, what, axe string) error {
	script, err := os.ReadFile(axe)
	if err != nil {
		return err
	}
	var result string
	err = chromedp.Run(ctx, chromedp.Evaluate(string(script)+";0", nil), chromedp.Evaluate(`axe.run().then(r => JSON.stringify(r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 120)])))`, &result,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	if err != nil {
		return err
	}
	var found [][]any
	if err := json.Unmarshal([]byte(result), &found); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range found {
		w.wrong = append(w.wrong, fmt.Sprintf("accessibility: %s: %v", what, f))
	}
	return nil
}

// conversation is what an agent says to its server; its question is markup.
const conversation = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"agent","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hybrid_search","arguments":{"query":%q}}}
`

// drill opens folders of the map until a file is chosen; reach asks what the changes reach.
const (
	drill = `(function go(n) { const c = document.querySelector("canvas"), r = c?.getBoundingClientRect(); if (!n || !r || document.querySelector(".pair .card")) return; c.dispatchEvent(new MouseEvent("click", { clientX: r.left + r.width / 2, clientY: r.top + r.height / 2 })); setTimeout(() => go(n - 1), 400) })(12)`
	reach = `(s => { s.value = "HEAD"; s.dispatchEvent(new Event("change")) })(document.querySelector("select[aria-label=Change]"))`
)

// works does on the map, with notes and in the feed of calls what people do there.
func works(ctx context.Context, base, out string) error {
	for _, step := range []struct{ name, at, do, wait string }{
		{"churn", "map", `(s => { s.value = "churn"; s.dispatchEvent(new Event("change")) })(document.querySelector("select[aria-label=Colour]"))`, "canvas"},
		{"owners", "map", `(s => { s.value = "owners"; s.dispatchEvent(new Event("change")) })(document.querySelector("select[aria-label=Colour]"))`, ".legend .swatch"},
		{"file", "map", drill, ".pair .card"},
		{"reach", "map", reach, ".pair .card, [role=alert]"},
		{"cycles", "map", `[...document.querySelectorAll("button")].find(b => b.textContent === "Import cycles").click()`, "main .card"},
		{"conflicts", "memory", `[...document.querySelectorAll("button")].find(b => b.textContent === "Conflicts").click()`, "main .card, main p"},
		{"links", "memory", `[...document.querySelectorAll("button")].find(b => b.textContent === "Links").click(); const open = setInterval(() => { const n = document.querySelector(".web .note"); if (n) { clearInterval(open); n.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" })) } }, 50)`, "dialog[open] .markdown"},
		{"web", "memory?view=links", "0", ".web .note circle"},
		{"calls", "now", "0", ".card td .good"},
	} {
		soon, stop := context.WithTimeout(ctx, patience)
		ready := "main button, main canvas"
		if step.at == "map" {
			ready = "select[aria-label=Colour]"
		}
		err := chromedp.Run(soon, chromedp.Navigate(base+"#/search"), chromedp.Navigate(base+"#/"+step.at), chromedp.WaitVisible(ready), chromedp.Evaluate(step.do, nil), chromedp.WaitVisible(step.wait))
		stop()
		if err != nil {
			var shown string
			_ = chromedp.Run(ctx, chromedp.Text("main", &shown)) // what there is says more than the error
			return fmt.Errorf("%s on %s: %w; there is:\n%.2000s", step.name, step.at, err, shown)
		}
		if out != "" {
			var shot []byte
			if err := chromedp.Run(ctx, chromedp.Sleep(300*time.Millisecond), chromedp.CaptureScreenshot(&shot)); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(out, "does-"+step.name+".png"), shot, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// keys holds that the page is used without a mouse.
func keys(ctx context.Context, base string) error {
	var chosen int
	var focused, hash string
	err := chromedp.Run(ctx, chromedp.Navigate(base+"#/search?q=open"), chromedp.WaitVisible(".card .match"), chromedp.Evaluate(`document.activeElement.blur()`, nil),
		chromedp.KeyEvent("j"), chromedp.KeyEvent("j"),
		chromedp.Evaluate(`[...document.querySelectorAll(".card")].findIndex(c => c.getAttribute("aria-selected"))`, &chosen),
		chromedp.KeyEvent("/"), chromedp.Evaluate(`document.activeElement.getAttribute("aria-label")`, &focused),
		chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent("6"), chromedp.WaitVisible("canvas"), chromedp.Evaluate(`location.hash`, &hash))
	if err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	if chosen != 1 || focused != "Query" || !strings.HasPrefix(hash, "#/map") {
		return fmt.Errorf("keys: j j chose hit %d, / went to %q, 6 to %q", chosen, focused, hash)
	}
	return nil
}
