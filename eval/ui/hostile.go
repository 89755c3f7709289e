package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/assay-dev/assay/internal/base/render/pagetest"
)

// hostileMarkdown is what Markdown can do that a page must not.
const hostileMarkdown = `
[act](javascript:globalThis.owned=1) [case](JaVaScRiPt:globalThis.owned=1) [entity](&#106;avascript:globalThis.owned=1) [data](data:text/html,<script>globalThis.owned=1</script>)
[file](file:///etc/passwd) [up](../../../../etc/passwd) [host](//evil.example/x) [ref][r] ![load](https://evil.example/x.png) <javascript:globalThis.owned=1>

<img src="https://evil.example/y.png" onerror="globalThis.owned=1"> <script>globalThis.owned=1</script> <a href="javascript:globalThis.owned=1">a</a>
<svg onload="globalThis.owned=1"> <iframe src="https://evil.example"></iframe> <style>body { display: none }</style> <p style="position:fixed">p</p>

| a <script> | b |
|---|---|
| <img src=x onerror=globalThis.owned=1> | [x](vbscript:1) |

[r]: javascript:globalThis.owned=1
`

// planted writes a project whose names of files, symbols, comments, documents, modules, checks and settings are hostile.
func planted(dir string) error {
	var code, doc, checks, pages, header, cites, settings strings.Builder
	doc.WriteString("# Features\n\n")
	checks.WriteString("retries: 0\nchecks:\n")
	for i, evil := range pagetest.Payloads() {
		flat := strings.Join(strings.Fields(evil), " ")
		fmt.Fprintf(&doc, "- `FrobnicateOrder%d` frobnicates %s for the walrus.\n", i, flat)
		fmt.Fprintf(&code, "// Shown%d is %s\nfunc Shown%d(s string) int { return base.Least() }\n\n", i, flat, i)
		fmt.Fprintf(&checks, "  - {name: %q, type: http, url: \"http://127.0.0.1:1/%d\"}\n", evil, i)
		fmt.Fprintf(&pages, "# %s\n\nHow a walrus is shown: %s.\n\n", flat, flat)
		fmt.Fprintf(&cites, "- Walrus %d is %s: `func Least() int { return 2 }` [${PROJECT_ROOT}/base/base.go:1]\n", i, flat)
		fmt.Fprintf(&settings, "%q: %q\n", flat, evil)
		fmt.Fprintf(&header, "--- @quickref evil.f%d(%s) -> %s | %s\n", i, "s", flat, flat)
	}
	doc.WriteString(hostileMarkdown)
	files := map[string]string{
		"go.mod": "module example.org/evil\n", "base/base.go": "package base\n\n// Least is a number.\nfunc Least() int { return 1 }\n",
		"code.go": "package evil\n\nimport \"example.org/evil/base\"\n\n" + code.String(), "README.md": doc.String(), "checks.yaml": checks.String(), "pages/page.md": pages.String(),
		"cites.md": cites.String(), ".assay.yaml": settings.String() + fmt.Sprintf("search.top_k: %q\ncolor: %q\n", hostile, hostile),
		"modules/evil.lua": "--- @module evil\n--- @description " + pagetest.Payloads()[0] + "\n" + header.String() + "local M = {}\nreturn M\n",
	}
	for i, name := range pagetest.Names() {
		files["in "+name+"/README.md"] = "# A part\n\nSee [the guide](gone.md).\n"
		files["in "+name+"/"+name+".go"] = fmt.Sprintf("package p%d\n\nimport \"example.org/evil/base\"\n\n// Named%d is one walrus.\nfunc Named%d() int { return base.Least() }\n", i, i, i)
	}
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=" + hostile, "-c", "user.email=a@b.c", "commit", "-qm", hostile}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git: %v\n%s", err, said)
		}
	}
	return os.WriteFile(filepath.Join(dir, "base/base.go"), []byte("package base\n\n// Least is a number.\nfunc Least() int { return 2 }\n"), 0o644)
}

// owned looks at a hostile project.
func owned(assay, out, axe string) error {
	dir, err := os.MkdirTemp("", "owned")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := planted(dir); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), 8*time.Minute)
	defer stop()
	s, err := serve(ctx, assay, dir)
	if err != nil {
		return err
	}
	defer s.close()
	for i, evil := range pagetest.Payloads() {
		if text, err := s.command(ctx, "memory", "store", "--title", evil, "--project", "none", fmt.Sprintf("Walrus %d is %s, we decided.", i, evil)); err != nil {
			return fmt.Errorf("store a note of %q: %v\n%s", evil, err, text)
		}
	}
	if err := s.link(ctx, hostile); err != nil {
		return err
	}
	if text, err := s.command(ctx, "docs", "ingest", "pages", "--id", "/o/evil", "--title", hostile, "--description", hostile); err != nil {
		return fmt.Errorf("ingest: %v\n%s", err, text)
	}
	if err := acted(ctx, s, out, axe); err != nil {
		return err
	}
	return written(ctx, s, out, axe)
}

// button is a script that clicks the button with a name.
func button(name string) string {
	return fmt.Sprintf(`(b => { if (!b) throw new Error("no button " + %q); b.click() })([...document.querySelectorAll("button")].find(b => b.textContent === %q || b.getAttribute("aria-label") === %q))`, name, name, name)
}

// acted does what the page can do with what is hostile, and agrees to every question.
func acted(ctx context.Context, s *served, out, axe string) error {
	ctx, stop := browser(ctx)
	defer stop()
	base, _, _ := strings.Cut(s.url, "#")
	w := &watcher{base: base}
	chromedp.ListenTarget(ctx, w.see)
	chromedp.ListenTarget(ctx, func(ev any) {
		e, ok := ev.(*page.EventJavascriptDialogOpening)
		if !ok {
			return
		}
		if e.Type != page.DialogTypeConfirm {
			w.mu.Lock()
			w.wrong = append(w.wrong, "a dialog: "+e.Message)
			w.mu.Unlock()
		}
		go func() { _ = chromedp.Run(ctx, page.HandleJavaScriptDialog(true)) }()
	})
	if err := chromedp.Run(ctx, network.Enable(), page.Enable(), chromedp.Navigate(s.url), chromedp.WaitVisible("main input")); err != nil {
		return err
	}
	const first = `document.querySelector("main td button").click()`
	for _, step := range []struct{ name, at, ready, do, wait string }{
		{"start", "start", "main .markdown", "0", "main .markdown"},
		{"brief", "brief?t=walrus+frobnicates", "main .declaration", button("See the text"), "dialog[open] pre"},
		{"change", "brief?b=HEAD", "main .declaration", "0", ".panel .card + .card"},
		{"folder", "files", ".entries a", "0", ".tree a"},
		{"hostile folder", "files?p=" + url.QueryEscape("in "+pagetest.Names()[0]), ".entries a", "0", ".tree a"},
		{"hostile file", "files?p=" + url.QueryEscape("in "+pagetest.Names()[0]+"/"+pagetest.Names()[0]+".go"), ".source .id, [role=alert]", "0", ".tree a"},
		{"source", "files?p=code.go", ".source .id", `[...document.querySelectorAll(".source .id")].find(e => e.textContent === "Least").click()`, ".panel .card"},
		{"blame", "files?p=code.go", ".source .id", button("Who wrote it"), ".source .beside"},
		{"history", "files?p=README.md", "main .markdown", button("History"), "main td"},
		{"document", "files?p=pages/page.md", "main .markdown", "0", ".outline a"},
		{"palette", "start", "#go", `document.getElementById("go").click(); setTimeout(() => { const f = document.querySelector("#palette input"); f.value = "named"; f.dispatchEvent(new Event("input")) }, 600)`, ".palette a .quiet"},
		{"search", "search?q=walrus", ".card .match", "0", ".card .match"},
		{"pattern", "search?q=walrus&mode=regex", ".card .match", "0", ".card .match"},
		{"markup", "search?q=%3Cscript%3E", ".card .match", "0", ".card .match"},
		{"similar", "search?q=walrus", ".card .match", `[...document.querySelectorAll(".card a")].find(a => a.textContent === "similar").click()`, "main p[role=status]"},
		{"structure", "structure?s=Least", ".card .place", "0", ".card .place"},
		{"map", "map", "select[aria-label=Colour]", drill, ".pair .card"},
		{"changes", "map", "select[aria-label=Colour]", reach, ".pair .card"},
		{"symbol", "map?s=Least", ".pair .card", "0", ".pair .card"},
		{"signatures", "map?f=Least", "main .card pre", "0", "main .card pre"},
		{"findings", "truth", "#rows .finding button", "0", "#rows .finding .place"},
		{"filter", "truth?w=all&f=frobnicateorder3", "#rows td button", "0", "#rows td button"},
		{"accept", "truth?w=all&f=frobnicateorder1", "#rows td button", `document.querySelector("#rows td button").click(); document.querySelector("dialog[open] input").value = "<img src=x onerror=alert(1)>"; document.querySelector("dialog[open] form").requestSubmit()`, "#rows"},
		{"accepted", "truth?w=accepted", "#rows td", "0", "#rows td"},
		{"ghosts", "truth?w=audit+ghosts", "#rows td", "0", "#rows td"},
		{"shadows", "truth?w=audit+shadows", "#rows td", "0", "#rows td"},
		{"citations", "truth?w=audit+cite&f=cites.md", ".change", "0", ".change ins"},
		{"correct", "truth?w=audit+cite&f=cites.md", ".change", button("Correct"), "main p"},
		{"timeline", "memory", "main td button", "0", "main td button"},
		{"note", "memory", "main td button", first, "dialog[open] .markdown"},
		{"pin", "memory", "main td button", first + `; setTimeout(() => ` + button("Pin") + `, 1500)`, "main td button"},
		{"conflicts", "memory", "main td button", button("Conflicts"), "main .card, main p"},
		{"links", "memory?view=links", ".web .note", `document.querySelector(".web .note").dispatchEvent(new MouseEvent("click"))`, "dialog[open] .markdown"},
		{"recall", "memory?q=walrus", "main .card .markdown", "0", "main .card .markdown"},
		{"library", "library", "main td button", "0", "main td button"},
		{"left out", "library", "main td button", button("what was left out /o/evil latest"), "main .card"},
		{"ask", "library?id=.&q=walrus", "main .card .markdown, [role=alert]", "0", "main .card .markdown, [role=alert]"},
		{"modules", "modules", "main details", "0", "main details"},
		{"try", "modules", "main details", `document.querySelectorAll("main details").forEach(d => d.open = true); document.querySelector("[data-try=silence]").click()`, "main details td"},
		{"task", "modules?q=walrus+shown", "main", "0", "main"},
		{"settings", "now", ".card td .bad", "0", ".card td .bad"},
		{"calls", "now", ".card td .good", "0", ".card td .good"},
	} {
		soon, stop := context.WithTimeout(ctx, patience)
		err := chromedp.Run(soon, chromedp.Navigate(base+"#/search"), chromedp.Navigate(base+"#/"+step.at), chromedp.WaitVisible(step.ready), chromedp.Sleep(150*time.Millisecond), chromedp.Evaluate(step.do, nil), chromedp.WaitVisible(step.wait))
		stop()
		if err != nil {
			var shown string
			_ = chromedp.Run(ctx, chromedp.Text("body", &shown)) // what there is says more than the error
			return fmt.Errorf("%s: %w; there is:\n%.2000s", step.name, err, shown)
		}
		if step.name == "pin" {
			if err := chromedp.Run(ctx, chromedp.Sleep(3*time.Second)); err != nil {
				return err
			}
		}
		if err := w.hold(ctx, "hostile-"+strings.ReplaceAll(step.name, " ", "-"), "light", 1400, out, axe); err != nil {
			return err
		}
		if err := w.alien(ctx, step.name); err != nil {
			return err
		}
		// A dialog belongs to the step that opened it.
		if err := chromedp.Run(ctx, chromedp.Evaluate(`document.querySelectorAll("dialog[open]").forEach(d => d.close())`, nil)); err != nil {
			return err
		}
	}
	kept, err := os.ReadFile(filepath.Join(s.tree, ".assay-baseline.json"))
	if err != nil || !strings.Contains(string(kept), "onerror=alert") {
		return fmt.Errorf("nothing was accepted: %s, %v", kept, err)
	}
	corrected, err := os.ReadFile(filepath.Join(s.tree, "cites.md"))
	if err != nil || !strings.Contains(string(corrected), "base.go:4]") {
		return fmt.Errorf("nothing was corrected: %.500s, %v", corrected, err)
	}
	list, err := s.command(ctx, "memory", "list", "--json")
	if err != nil || !strings.Contains(string(list), `"pinned":true`) && !strings.Contains(string(list), `"pinned": true`) {
		return fmt.Errorf("nothing was pinned: %v\n%.500s", err, list)
	}
	fmt.Printf("%d hostile texts in names, code, documents, notes, modules and calls\n", len(pagetest.Payloads()))
	return w.verdict()
}

// alien notes elements and attributes that our page is not made of, and text that hides.
func (w *watcher) alien(ctx context.Context, at string) error {
	var found []string
	err := chromedp.Run(ctx, chromedp.Evaluate(`[
		...[...document.body.querySelectorAll("script, style, iframe, object, embed, base, meta, link, svg:not(.web), math, img, video, audio, template, body *:is(marquee, blink)")].map(e => "an element " + e.outerHTML.slice(0, 80)),
		...[...document.querySelectorAll("*")].flatMap(e => [...e.attributes].filter(a => {
			const styled = !e.matches("canvas, span, .source > *, .place > code"); // the widths and indents that the page itself sets
			const leads = !/^(#|https?:|mailto:|vscode:\/\/file|style\.css|icon\.svg)/.test(a.value);
			if (/^on/i.test(a.name) || a.name === "srcdoc") return true;
			return a.name === "style" ? styled : a.name === "href" && leads;
		}).map(a => "an attribute " + a.name + "=" + a.value.slice(0, 80))),
		...(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/u.test(document.body.innerText) ? ["hidden characters"] : []),
		...(globalThis.owned ? ["a global"] : [])]`, &found))
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range found {
		w.wrong = append(w.wrong, at+": "+f)
	}
	return err
}

// written has the program write all of its pages and pictures about the project, and looks at each.
func written(ctx context.Context, s *served, out, axe string) error {
	for name, args := range map[string][]string{
		"ci.html": {"audit", "ci", "--all", "--format", "html"}, "libraries.html": {"docs", "list", "--html"}, "map.svg": {"map", "--svg", "--tokens", "8000"},
		"impact.svg": {"impact", "--diff", "--svg"}, "callers.svg": {"callers", "Least", "--svg"},
		"report/drift-report.html": {"audit", "drift", "--html", "--out", "report"}, "checks.html": {"run", "checks.yaml", "--html", "checks.html"},
	} {
		cmd := exec.CommandContext(ctx, s.assay, args...)
		cmd.Dir, cmd.Env = s.tree, s.env
		said, err := cmd.Output()
		if _, failed := err.(*exec.ExitError); err != nil && !failed {
			return err
		}
		at := filepath.Join(s.tree, name)
		if _, err := os.Stat(at); err != nil {
			if err := os.WriteFile(at, said, 0o644); err != nil {
				return err
			}
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		if err := pagetest.Inert(string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if name != "libraries.html" && !pagetest.Shown(string(text), hostile[:5]) {
			return fmt.Errorf("%s shows nothing hostile", name)
		}
		if err := looked(at, out, axe); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
