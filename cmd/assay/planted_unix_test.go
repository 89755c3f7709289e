//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/testaid"
)

var updateOpened = flag.Bool("update-opened", false, "list again what each command opens, with strace, in testdata/opened.tsv")

var everyCommand = flag.Bool("every-command", false, "try each plant with each of the commands in testdata/opened.tsv")

const openedFile = "testdata/opened.tsv"

// asked are the commands whose files are tried. Each is run in the project of a world;
// what follows "<" is its input, "~" is a blank in an argument, and "WORLD" the folder of the
// world.
var asked = []string{
	"search alpha beta", "search --regex Alpha", "search --hybrid alpha --budget 500 --intent why --rationale so --expect code", "similar main.go:5",
	"index", "index --check", "status", "inventory", "functions", "callers Alpha", "impact main.go", "imports main.go",
	"docs preview .", "docs preview pages", "docs ingest pages --id /o/pages --version 2", "docs list", "docs query /o/lib routing", "docs resolve lib", "docs remove /o/lib", "docs export /o/lib out.db", "docs import exported.db",
	"memory search database", "memory store --title New < we chose a queue", "memory list", "memory get decisions/db.md", "memory import", "memory import exported.jsonl", "memory sync file://WORLD/remote", "memory rebuild", "memory audit", "memory doctor", "memory forget decisions/db.md",
	"audit cite README.md", "audit fix --yes", "audit drift --html", "audit ghosts", "audit shadows", "audit check README.md", "preflight", "trajectory show", "trajectory prune --days 1", "notes", "notes add main.go:6~returns~beta",
	"config show", "doctor", "modules", "modules lint modules/own.lua", "context own things", "run script.lua", "run check.yaml", "exec -e print(1)",
	"setup claude --project", "setup loa --project", "setup cursor --project", "ck --clean .", "ck alpha .", "serve < ",
}

// A world is a project, a home and a vault that everything was used in once, and a
// folder outside them that nothing may touch.
type world struct{ dir string }

func (w world) at(rel string) string { return filepath.Join(w.dir, filepath.FromSlash(rel)) }

func (w world) command(ctx context.Context, binary, line string) *exec.Cmd {
	line, input, _ := strings.Cut(line, " < ")
	args := strings.Fields(strings.TrimSuffix(line, " <"))
	for i := range args {
		args[i] = strings.NewReplacer("~", " ", "WORLD", w.dir).Replace(args[i])
	}
	name := binary
	if args[0] == "ck" {
		name, args = filepath.Join(filepath.Dir(binary), "ck"), args[1:]
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = w.at("proj")
	cmd.Stdin = strings.NewReader(input)
	home := w.at("home")
	cmd.Env = []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_CACHE_HOME=" + home + "/cache", "XDG_DATA_HOME=" + home + "/data",
		"PATH=" + os.Getenv("PATH"), "TMPDIR=" + w.at("tmp"), "ASSAY_MEMORY_VAULT=" + w.at("vault"), "TERM=dumb"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

var worldFiles = map[string]string{
	"proj/main.go":                        "package main\n\nimport \"fmt\"\n\n// Alpha is beta.\nfunc Alpha() int { return Beta() }\n\n// Beta is one.\nfunc Beta() int { return 1 }\n\nfunc main() { fmt.Println(Alpha()) }\n",
	"proj/sub/sub.go":                     "package sub\n\n// Gamma calls nothing, alpha or beta.\nfunc Gamma() {}\n",
	"proj/README.md":                      "# Project\n\n## Features\n\n- Alpha returns one.\n\n`func Beta() int { return 1 }` [${PROJECT_ROOT}/main.go:9]\n",
	"proj/NOTES.md":                       "# Notes\n",
	"proj/.gitignore":                     "*.tmp\n",
	"proj/.assayignore":                   "ignored/\n",
	"proj/.ckignore":                      "ignored2/\n",
	"proj/.assay.yaml":                    "search:\n  top_k: 5\n",
	"proj/.loa.config.yaml":               "grounding: {}\n",
	"proj/context7.json":                  "{\"folders\": [\"pages\"]}\n",
	"proj/pages/index.md":                 "# Routing\n\nHow to do routing:\n\n```go\nroute(\"/\")\n```\n",
	"proj/pages/context7.json":            "{}\n",
	"proj/exported.jsonl":                 "{\"id\": \"1\", \"memory\": \"The queue of the mails is a table.\", \"created_at\": \"2025-03-04T05:06:07Z\"}\n",
	"proj/modules/own.lua":                "--- own things\n-- @module own\nlocal M = {}\nreturn M\n",
	"proj/script.lua":                     "print('hello')\n",
	"proj/check.yaml":                     "checks:\n  - name: lua\n    lua: return true\n",
	"proj/go.mod":                         "module example.com/proj\n\ngo 1.26\n",
	"proj/.claude/settings.json":          "{}\n",
	"proj/.mcp.json":                      "{}\n",
	"proj/grimoires/loa/NOTES.md":         "# Notes\n",
	"vault/decisions/db.md":               "---\ntitle: Database\n---\nWe chose a database with partial indexes.\n",
	"vault/.assay-forgotten":              "# Sessions that are not to be indexed again.\n",
	"home/config/assay/config.yaml":       "search:\n  top_k: 7\n",
	"home/.claude/projects/x/s.jsonl":     "{}\n",
	"outside/file":                        "outside\n",
	"outside/0123456789abcdef01234567.bm": "outside\n",
	"outside/.assay-tmp-OUTSIDE":          "outside\n",
}

// newWorld makes a world and uses it.
func newWorld(t *testing.T, binary string) world {
	t.Helper()
	w := world{t.TempDir()}
	for name, text := range worldFiles {
		if err := os.MkdirAll(filepath.Dir(w.at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(w.at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(w.at("tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"init -q", "add -A", "-c user.name=a -c user.email=a@example.com commit -qm one", "init -q --bare ../remote"} {
		git := w.command(t.Context(), "git", line)
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", line, err, out)
		}
	}
	for _, line := range []string{"docs ingest pages --id /o/lib", "docs export /o/lib exported.db", "memory rebuild", "memory sync file://WORLD/remote", "index",
		"search alpha --intent why --rationale so --expect code", "audit drift --html", "modules", "context own"} {
		if out, err := w.command(t.Context(), binary, line).CombinedOutput(); err != nil && w.status(err) != 1 {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	old := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{"outside/file", "outside/0123456789abcdef01234567.bm", "outside/.assay-tmp-OUTSIDE"} {
		if err := os.Chtimes(w.at(name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w world) status(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// copyOf is a world like w whose indexes are its own.
func (w world) copyOf(t *testing.T) world {
	t.Helper()
	to := world{t.TempDir()}
	if out, err := exec.Command("cp", "-a", w.dir+"/.", to.dir).CombinedOutput(); err != nil {
		t.Fatalf("copy: %v\n%s", err, out)
	}
	id, err := safe.OpenIdentity(to.at("home/config/assay"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := safe.OpenRoot(to.at("proj/.assay/index"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := id.Adopt(r); err != nil {
		t.Fatal(err)
	}
	return to
}

// A kind of plant, and how it is put where nothing lies.
type plant struct {
	name string
	put  func(w world, at string) error
}

func plants() []plant {
	out := []plant{
		{"link to a file", func(w world, at string) error { return os.Symlink(w.at("outside/file"), at) }},
		{"link to a folder", func(w world, at string) error { return os.Symlink(w.at("outside"), at) }},
		{"hard link", func(w world, at string) error { return os.Link(w.at("outside/file"), at) }},
		{"dangling link", func(w world, at string) error { return os.Symlink(w.at("outside/new"), at) }},
		{"pipe", func(_ world, at string) error { return syscall.Mkfifo(at, 0o644) }},
		{"socket", func(_ world, at string) error { return socket(at) }},
		{"folder", func(_ world, at string) error { return os.Mkdir(at, 0o755) }},
		{"unreadable", func(_ world, at string) error { return os.WriteFile(at, []byte("x"), 0) }},
	}
	if os.Geteuid() == 0 { // only then can there be one
		out = append(out, plant{"device", func(_ world, at string) error { return syscall.Mknod(at, syscall.S_IFCHR|0o666, 5<<8) }})
	}
	return out
}

// socket makes one by a short name: that of a socket has little room.
func socket(at string) error {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	short := filepath.Join(dir, "s")
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: short}); err != nil {
		return err
	}
	return os.Rename(short, at)
}

// state describes all that lies below a folder.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[rel] = info.Mode().String()
		if info.Mode().IsRegular() && info.Mode().Perm() != 0 {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out[rel] += fmt.Sprintf(" %q", b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPlantedEverywhere puts a link, a pipe, a socket, a device, a folder or a file
// without permission in the place of everything that a command opens, and runs it: it
// must end, by itself, with a status that is documented; write and delete nothing outside;
// delete nothing of the user's; and not answer other than it does without the plant unless
// it says why.
func TestPlantedEverywhere(t *testing.T) {
	binary := os.Getenv(plantedBinary)
	if binary == "" {
		binary = shipped(t)
	}
	if os.Geteuid() == 0 && !testing.Short() {
		t.Run("as nobody", func(t *testing.T) { againAsNobody(t, binary) })
	}
	w := newWorld(t, binary)
	if *updateOpened {
		listOpened(t, binary, w)
	}
	seed, only := plantSeed(t), ""
	if os.Getenv(plantedBinary) != "" {
		only = "unreadable"
	}
	baseline := baselines{t: t, binary: binary, w: w, of: map[string]func() answer{}}
	work := make(chan trial)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for c := range work {
				tryPlant(t, binary, w, c.path, c.line, c.plant, &baseline)
			}
		})
	}
	for _, c := range trials(readOpened(t), only, seed) {
		work <- c
	}
	close(work)
	wg.Wait()
}

type answer struct {
	status         int
	stdout, stderr string
	hung           bool
}

// patience is no measure of speed: what waits for a pipe waits for ever.
const patience = time.Minute

func (w world) run(t *testing.T, binary, line string) answer {
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := w.command(ctx, binary, line)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	clean := strings.NewReplacer(w.dir, "WORLD")
	return answer{w.status(err), unsteady.ReplaceAllString(clean.Replace(out.String()), "#"), clean.Replace(errs.String()), ctx.Err() != nil}
}

// unsteady is what differs between two runs of one command.
var unsteady = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]?[\d:.]*Z?|\b\d+(\.\d+)? ?(ms|s|seconds|bytes|kB|MB)\b|"(seconds|index_bytes|index_epoch|bytes|took|modified|age)":[^,}]*|epoch \d+|[0-9a-f]{12,}`)

// remarks are what an answer says of itself in its text, and is a word why it is another one.
func remarks(a answer) string { return strings.Join(remark.FindAllString(a.stdout, -1), "") }

var remark = regexp.MustCompile(`(?m)^# .*`)

// noted is what an answer says of itself: with it or without, the answer is the same.
var noted = regexp.MustCompile(`(?m)^# .*\n?|,"notes":\[[^]]*\]|"notes":\[[^]]*\],`)

func tryPlant(t *testing.T, binary string, from world, path, line string, p plant, baseline *baselines) {
	w := from.copyOf(t)
	defer os.RemoveAll(w.dir)
	rel := path
	if strings.HasSuffix(path, "/*") { // one of the segments, whose names are random
		list, err := os.ReadDir(w.at(strings.TrimSuffix(path, "/*")))
		if err != nil || len(list) == 0 {
			return
		}
		rel = strings.TrimSuffix(path, "*") + list[0].Name()
	}
	at := w.at(rel)
	if err := os.RemoveAll(at); err != nil {
		t.Error(err)
		return
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Error(err)
		return
	}
	if err := p.put(w, at); err != nil {
		t.Errorf("%s as a %s: %v", rel, p.name, err)
		return
	}
	before, user := state(t, w.at("outside")), w.users(t, rel)
	got := w.run(t, binary, line)
	say := func(format string, args ...any) {
		t.Errorf("%s as a %s: %s: %s\n%s", path, p.name, line, fmt.Sprintf(format, args...), got.stderr)
	}
	switch {
	case got.hung:
		say("it hung")
	case got.status < 0 || got.status > 5:
		say("status %d", got.status)
	case got.status == 0 && got.stderr == "" && !content(rel) && !strings.HasPrefix(line, "status") && !strings.HasPrefix(line, "doctor"):
		if want := baseline.get(line); silentlyOther(got, want) {
			say("another answer, and not a word why:\n%s\nwant\n%s", got.stdout, want.stdout)
		}
	}
	after := state(t, w.at("outside"))
	if strings.HasPrefix(rel, "home/") { // whose folders the user may have put elsewhere; what is there is not ours all the same
		maps.DeleteFunc(after, func(name, _ string) bool { _, ok := before[name]; return !ok })
	}
	if !maps.Equal(before, after) {
		say("outside it left %v", after)
	}
	for name, text := range user {
		now, err := os.ReadFile(w.at(name))
		if errors.Is(err, fs.ErrNotExist) && mayGo(name, line) {
			continue
		}
		if err != nil || string(now) != text && !rewritten(name) {
			say("%s is changed or gone: %v", name, err)
		}
	}
	if _, err := os.Lstat(at); err != nil && !mayGo(rel, line) {
		say("the plant is gone: %v", err)
	}
}

// silentlyOther reports whether an answer is another one than that of a world without the plant,
// and says nothing of itself that the other does not.
func silentlyOther(got, want answer) bool {
	if want.status != 0 || remarks(got) != remarks(want) {
		return false
	}
	return noted.ReplaceAllString(got.stdout, "") != noted.ReplaceAllString(want.stdout, "")
}

// users returns the files of the user's that lie beside the plant.
func (w world) users(t *testing.T, planted string) map[string]string {
	out := map[string]string{}
	for name := range worldFiles {
		if name == planted || strings.HasPrefix(name, planted+"/") {
			continue
		}
		b, err := os.ReadFile(w.at(name))
		if err == nil {
			out[name] = string(b)
		}
	}
	return out
}

// rewritten are the user's files that some command is there to write.
func rewritten(name string) bool {
	for _, own := range []string{"NOTES.md", ".mcp.json", "settings.json", ".assay-forgotten", "decisions/db.md", ".gitignore", "README.md"} {
		if strings.HasSuffix(name, own) {
			return true
		}
	}
	return false
}

// content reports whether a path is of what the user asks about: another content is
// another answer.
func content(rel string) bool {
	return !strings.Contains(rel, ".assay/") && !strings.HasPrefix(rel, "home/cache/")
}

// mayGo reports whether a command is there to replace or remove what lies at a path.
func mayGo(rel, line string) bool {
	if strings.HasSuffix(rel, "-wal") || strings.HasSuffix(rel, "-shm") || strings.HasSuffix(rel, "-journal") {
		return true // SQLite's own, to whoever may write there
	}
	if strings.Contains(rel, "index/seg/") || strings.Contains(rel, "memory.db.mirror/") {
		return true // a name of ours in a folder of ours: what is behind it is looked at apart
	}
	return strings.HasPrefix(line, "ck --clean") || strings.HasPrefix(line, "memory forget") || strings.HasPrefix(line, "docs export") || strings.HasPrefix(line, "trajectory prune")
}

// plantedBinary names the program for a run as another user.
const plantedBinary = "ASSAY_PLANTED_BINARY"

// againAsNobody tries what only somebody can be kept from reading: for root there is no
// file without permission.
func againAsNobody(t *testing.T, binary string) {
	const nobody = 65534
	dir, err := os.MkdirTemp("", "planted-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := "mkdir -p testdata tmp && cp " + self + " test && cp " + binary + " assay && ln -s assay ck && cp \"$1\" testdata/ && chmod 755 . test assay && chown -R 65534 ."
	opened, err := filepath.Abs(openedFile)
	if err != nil {
		t.Fatal(err)
	}
	prepare := exec.Command("sh", "-c", script, "sh", opened)
	prepare.Dir = dir
	if out, err := prepare.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "test"), "-test.run=^TestPlantedEverywhere$", fmt.Sprintf("-every-command=%t", *everyCommand))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), plantedBinary+"="+filepath.Join(dir, "assay"), "TMPDIR="+filepath.Join(dir, "tmp"), "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// shipped returns the program under the names that it is shipped with: the tests, which are the
// program where they are started by one of these. It is a file of its own, because the program
// starts itself again by its path, and by that of the tests it would run those.
func shipped(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "assay")
	testaid.CopyProgram(t, self, binary)
	if err := os.Symlink(binary, filepath.Join(dir, "ck")); err != nil {
		t.Fatal(err)
	}
	return binary
}

// An opened is a path below a world and the commands that open it.
type opened struct {
	path     string
	commands []string
}

// maxCommands is how many of the commands that open a path are tried.
const maxCommands = 2

func readOpened(t *testing.T) []opened {
	t.Helper()
	b, err := os.ReadFile(openedFile)
	if err != nil {
		t.Fatal(err)
	}
	var out []opened
	for line := range strings.Lines(string(b)) {
		parts := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(parts) < 2 || strings.HasPrefix(line, "#") {
			continue
		}
		out = append(out, opened{parts[0], parts[1:]})
	}
	if len(out) < 50 {
		t.Fatalf("%s lists %d paths, which cannot be all", openedFile, len(out))
	}
	return out
}

// random are the paths that another run would not open, or not at the same place; and the names of
// a person's own folders, which a library reads before the program begins.
var (
	fileCall = regexp.MustCompile(`^(?:\d+ +)?(?:open|openat|openat2|unlink|unlinkat|rename|renameat|renameat2|link|linkat|mkdir|mkdirat|readlink|readlinkat|truncate)\((.*)`)
	pathArg  = regexp.MustCompile(`(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"`)
	random   = regexp.MustCompile(`\.assay-tmp-|/tmp/|\.git/objects|\.git/refs|/objects/[0-9a-f]{2}|/objects/(pack|info)/|/index-|/user-dirs\.dirs|/try-|\.export-|-journal$|20\d{6}|20\d\d-\d\d-\d\d|\.lock$.*locks|\.claude/(protocols|skills)/.|/notes-`)
)

// listOpened writes openedFile: each path once, with the commands that open it, those
// first that open few others.
func listOpened(t *testing.T, binary string, from world) {
	t.Helper()
	by := map[string][]string{}
	for _, line := range asked {
		w := from.copyOf(t)
		log := filepath.Join(t.TempDir(), "trace")
		cmd := w.command(t.Context(), binary, line)
		cmd.Args = append([]string{"strace", "-f", "-y", "-s", "4096", "-e", "trace=%file", "-o", log, cmd.Path}, cmd.Args[1:]...)
		path, err := exec.LookPath("strace")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path = path
		if out, err := cmd.CombinedOutput(); w.status(err) < 0 || w.status(err) > 5 {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for _, rel := range pathsIn(string(text), w.dir) {
			if !slices.Contains(by[rel], line) {
				by[rel] = append(by[rel], line)
			}
		}
	}
	var b strings.Builder
	b.WriteString("# What commands open, create, replace or remove in a project, a home and a vault, and some that do.\n# Made by: go test ./cmd/assay -run TestPlantedEverywhere -update-opened (with strace)\n")
	used := map[string]int{}
	for _, rel := range slices.Sorted(maps.Keys(by)) {
		lines := by[rel]
		slices.SortStableFunc(lines, func(a, b string) int { return used[a] - used[b] })
		lines = lines[:min(len(lines), maxCommands)]
		for _, l := range lines {
			used[l]++
		}
		fmt.Fprintf(&b, "%s\t%s\n", rel, strings.Join(lines, "\t"))
	}
	if err := os.WriteFile(openedFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pathsIn returns the paths below dir that a trace names.
func pathsIn(trace, dir string) []string {
	var out []string
	for line := range strings.Lines(trace) {
		m := fileCall.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for _, arg := range pathArg.FindAllStringSubmatch(m[1], 2) {
			path := arg[2]
			if !filepath.IsAbs(path) {
				path = filepath.Join(arg[1], path)
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil || !filepath.IsLocal(rel) || rel == "." || random.MatchString("/"+rel) {
				continue
			}
			if dir, name := filepath.Split(rel); strings.HasSuffix(dir, "index/seg/") && name != "" {
				rel = dir + "*"
			}
			if top := strings.Split(rel, "/"); len(top) == 1 || top[0] == "outside" {
				continue // the roots themselves are the user's to name
			}
			out = append(out, rel)
		}
	}
	return out
}
