package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// mostClicks is how many clicks a task may take; a choice from a list is two.
const mostClicks = 6

// A move is one thing that a person does, or waits to see.
type move struct{ do, what string }

// tasks are done from the first page, without a reload, by somebody who has not seen it before. What is clicked is named by the text
// or the label that it shows; it has to be in sight, and nothing may lie over it.
var tasks = []struct {
	name  string
	moves []move
}{
	{"find where", []move{{"type", "how often is a failed letter sent again\r"}, {"see", "mostAttempts"}, {"click", "queue/retry.go"}, {"see", "const mostAttempts = 5"}}},
	{"who calls", []move{{"click", "Structure"}, {"type", "Push\r"}, {"see", "Called by"}, {"see", "letters.Push(text)"}}},
	{"what breaks", []move{{"click", "Structure"}, {"type", "attempts\r"}, {"see", "A change may break"}, {"see", "main.go"}, {"see", "queue/queue_test.go"}}},
	{"read a page", []move{{"click", "Files"}, {"click", "docs"}, {"click", "operations.md"}, {"see", "Letters that cannot be sent wait for a day."}}},
	{"ask a library", []move{{"click", "Docs"}, {"type", "how long do stamps stay valid\r"}, {"see", "Stamps stay valid for ninety days"}, {"click", "stamps.md"}, {"see", "A stamp has a colour."}}},
	{"find a decision", []move{{"click", "Notes"}, {"type", "why are letters kept in memory\r"}, {"see", "A disk would be slower than the post"}}},
	{"judge a finding", []move{{"click", "1 finding"}, {"see", "queue/retri.go"}, {"click", "Accept"}, {"type", "written before the rename"}, {"click", "Accept"}, {"see", "0 failures"}, {"see", "1 accepted"}}},
	{"brief an agent", []move{{"type", "send a failed letter again after an hour"}, {"click", "Brief for this task"}, {"see", "queue/retry.go"}, {"click", "Copy for my agent"}, {"see", "copied"}}},
	{"look at a branch", []move{{"click", "Brief"}, {"choose", "slower-post, since it left main"}, {"see", "Changed"}, {"see", "mostAttempts"}}},
}

// letters is a project that has an answer for each task.
var letters = map[string]string{
	"go.mod":              "module example.org/letters\n\nrequire github.com/post/stamps v1.0.0\n",
	"README.md":           "# Letters\n\nLetters are sent through a queue; `queue/retri.go` says how often one is tried again. See [operations](docs/operations.md).\n",
	"main.go":             "package main\n\nimport \"example.org/letters/queue\"\n\nfunc main() { post(\"hello\") }\n\nfunc post(text string) {\n\tvar letters queue.Queue\n\tletters.Push(text)\n}\n",
	"queue/queue.go":      "package queue\n\n// A Queue keeps letters in memory until they are sent.\ntype Queue struct{ waiting []string }\n\n// Push puts a letter into the queue and tries to send it.\nfunc (q *Queue) Push(text string) {\n\tq.waiting = append(q.waiting, text)\n\tattempts(func() bool { return len(text) > 0 })\n}\n",
	"queue/retry.go":      "package queue\n\n// mostAttempts is how often a failed letter is sent again.\nconst mostAttempts = 5\n\n// attempts sends until it succeeds.\nfunc attempts(send func() bool) bool {\n\tfor range mostAttempts {\n\t\tif send() {\n\t\t\treturn true\n\t\t}\n\t}\n\treturn false\n}\n",
	"queue/queue_test.go": "package queue\n\nimport \"testing\"\n\nfunc TestPush(t *testing.T) {\n\tvar q Queue\n\tq.Push(\"hello\")\n}\n",
	"docs/operations.md":  "# Operations\n\n## Undelivered letters\n\nLetters that cannot be sent wait for a day.\n",
}

const stamps = "# Stamps\n\nA stamp has a colour.\n\n## Validity\n\nStamps stay valid for ninety days after they are printed.\n"

// posted writes the project with its branch into a folder, and the documentation of a library beside it.
func posted(dir string) error {
	for name, text := range letters {
		at := filepath.Join(dir, "letters", name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "stamps"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "stamps", "stamps.md"), []byte(stamps), 0o644); err != nil {
		return err
	}
	script := `git init -q -b main
		git add -A
		git commit -qm "send letters"
		git checkout -q -b slower-post
		sed -i.bak s/"mostAttempts = 5"/"mostAttempts = 9"/ queue/retry.go
		rm queue/retry.go.bak
		git commit -qam "try more often"
		git checkout -q main`
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env = filepath.Join(dir, "letters"), append(os.Environ(), "GIT_CONFIG_GLOBAL=", "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=a@b.example", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=a@b.example")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git: %v\n%s", err, said)
	}
	return nil
}

// taught does the tasks on a screen and on a phone.
func taught(assay, out string) error {
	dir, err := os.MkdirTemp("", "tasks")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithTimeout(context.Background(), 8*time.Minute)
	defer stop()
	for _, wide := range []int64{1280, 390} {
		at := filepath.Join(dir, fmt.Sprint(wide)) // one task writes to the project
		if err := posted(at); err != nil {
			return err
		}
		if err := onScreen(ctx, assay, at, out, wide); err != nil {
			return err
		}
	}
	return nil
}

// onScreen does the tasks on a screen that is some pixels wide.
func onScreen(ctx context.Context, assay, dir, out string, wide int64) error {
	s, err := serve(ctx, assay, filepath.Join(dir, "letters"))
	if err != nil {
		return err
	}
	defer s.close()
	for _, args := range [][]string{
		{"memory", "store", "--title", "Letters stay in memory", "We keep letters in memory. A disk would be slower than the post, and a letter that is lost is written again."},
		{"docs", "ingest", filepath.Join(dir, "stamps"), "--id", "/post/stamps"},
	} {
		if said, err := s.command(ctx, args...); err != nil {
			return fmt.Errorf("%s: %v\n%s", strings.Join(args[:2], " "), err, said)
		}
	}
	ctx, end := browser(ctx)
	defer end()
	base, _, _ := strings.Cut(s.url, "#")
	w := &watcher{base: base}
	chromedp.ListenTarget(ctx, w.see)
	allow := cdpbrowser.SetPermission(&cdpbrowser.PermissionDescriptor{Name: "clipboard-write"}, cdpbrowser.PermissionSettingGranted)
	if err := chromedp.Run(ctx, network.Enable(), allow, emulation.SetDeviceMetricsOverride(wide, 844, 1, wide < 600), chromedp.Navigate(s.url), chromedp.WaitVisible("main input"), chromedp.Evaluate(`globalThis.loaded = 1; document.getElementById("status").textContent`, nil)); err != nil {
		return err
	}
	for _, task := range tasks {
		clicks := 0
		if err := chromedp.Run(ctx, chromedp.Evaluate(`location.hash = "#/start"`, nil), chromedp.WaitVisible("main input")); err != nil {
			return err
		}
		for _, m := range task.moves {
			n, err := m.run(ctx)
			if clicks += n; err != nil {
				var shown string
				_ = keep(ctx, out, task.name+"-failed", wide)
				_ = chromedp.Run(ctx, chromedp.Text("body", &shown))
				return fmt.Errorf("%s, %d: %s %q: %w; there is:\n%.2000s", task.name, wide, m.do, m.what, err, shown)
			}
		}
		var loaded int
		if err := chromedp.Run(ctx, chromedp.Evaluate(`globalThis.loaded ?? 0`, &loaded)); err != nil || loaded == 0 {
			return fmt.Errorf("%s, %d: the page was loaded again (%v)", task.name, wide, err)
		}
		if clicks > mostClicks {
			return fmt.Errorf("%s, %d: %d clicks, at most %d", task.name, wide, clicks, mostClicks)
		}
		if err := keep(ctx, out, task.name, wide); err != nil {
			return err
		}
		fmt.Printf("%d: %s with %d clicks\n", wide, task.name, clicks)
	}
	return w.verdict()
}

// keep writes what the page looks like to a folder.
func keep(ctx context.Context, out, name string, wide int64) error {
	if out == "" {
		return nil
	}
	var shot []byte
	if err := chromedp.Run(ctx, chromedp.CaptureScreenshot(&shot)); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, fmt.Sprintf("task-%s-%d.png", strings.ReplaceAll(name, " ", "-"), wide)), shot, 0o644)
}

// find is a script that returns where the element is that shows a text, and brings it into sight; null while there is none, or
// while another element lies over it.
const find = `((text) => {
	const root = document.querySelector("dialog[open]") ?? document.body;
	const named = (e) => e.textContent.trim() === text || e.getAttribute("aria-label") === text;
	const e = [...root.querySelectorAll("a, button, summary, code, label")].filter(named).find((e) => e.checkVisibility({ contentVisibilityAuto: true }));
	if (!e) return null;
	e.scrollIntoView({ block: "nearest", inline: "nearest" });
	const r = e.getBoundingClientRect(), [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
	const top = document.elementFromPoint(x, y);
	return e.contains(top) ? [x, y] : null;
})(%q)`

// choose is a script that takes the option with a text, wherever it is offered.
const choose = `((text) => {
	const o = [...document.querySelectorAll("main option")].find((o) => o.textContent === text && o.parentElement.getClientRects().length);
	if (!o) return null;
	o.parentElement.value = o.value;
	o.parentElement.dispatchEvent(new Event("change", { bubbles: true }));
	return [0, 0];
})(%q)`

// see is a script that returns whether a text is shown.
const see = `((text) => { const root = document.querySelector("dialog[open]") ?? document.body; return root.innerText.replace(/\s+/g, " ").includes(text) ? [0, 0] : null; })(%q)`

// run does what a person does, and returns how many clicks that took.
func (m move) run(ctx context.Context) (int, error) {
	soon, stop := context.WithTimeout(ctx, patience)
	defer stop()
	var at []float64
	script := map[string]string{"click": find, "choose": choose, "see": see}[m.do]
	if m.do == "type" {
		return 0, chromedp.Run(soon, chromedp.Sleep(300*time.Millisecond), input.InsertText(strings.TrimSuffix(m.what, "\r")), chromedp.ActionFunc(func(ctx context.Context) error {
			if strings.HasSuffix(m.what, "\r") {
				return chromedp.KeyEvent(kb.Enter).Do(ctx)
			}
			return nil
		}))
	}
	if err := chromedp.Run(soon, chromedp.Poll(fmt.Sprintf(script, m.what), &at, chromedp.WithPollingInterval(50*time.Millisecond))); err != nil {
		return 0, err
	}
	switch m.do {
	case "click":
		return 1, chromedp.Run(soon, chromedp.MouseClickXY(at[0], at[1]))
	case "choose":
		return 2, nil
	}
	return 0, nil
}
