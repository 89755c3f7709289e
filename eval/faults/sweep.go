package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

const underArg = "under"

// What became of a run: the command failed and all is as before or as after; it was
// acknowledged and all is as after; a loss was reported; SQLite was told that a page is
// stored that is not, and has no checksum to see it by; or something else is so.
var outcomes = []string{"before", "after", "acknowledged", "reported", "undetected", "wrong"}

// ofSQLite are files that hold pages. Those of the index of code have checksums of their
// own: there a loss is always seen.
var ofSQLite = regexp.MustCompile(`/(docs|memory)\.db(-wal)?$|^proj/\.assay-tmp-.*/`)

// patience is no measure of speed: what has not ended by then hangs.
const patience = 2 * time.Minute

// A sweep is a command in a world that was prepared for it, with the answers before and
// after it.
type sweep struct {
	command
	binary        string
	world, saved  string
	ops           []op
	acknowledged  string // what the command prints
	before, after []string
	empty         []string       // as good as before
	files         map[string]int // by steady name: how many there are at most when nothing goes wrong
	runs          int
	counts        map[struct{ kind, mode string }]map[string]int
}

func newSweep(binary string, c command) (*sweep, error) {
	dir, err := os.MkdirTemp("", "assay-faults-")
	if err != nil {
		return nil, err
	}
	s := &sweep{command: c, binary: binary, world: filepath.Join(dir, "world"), saved: filepath.Join(dir, "saved"),
		files: map[string]int{}, counts: map[struct{ kind, mode string }]map[string]int{}}
	if err := s.prepare(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *sweep) close() { os.RemoveAll(filepath.Dir(s.world)) }

func (s *sweep) prepare() error {
	if err := put(s.world, worldFiles); err != nil {
		return err
	}
	for _, line := range s.first {
		if _, status, errs := s.run(line, ""); status > 1 {
			return fmt.Errorf("%s: status %d: %s", line, status, errs)
		}
	}
	if err := put(s.world, s.edit); err != nil {
		return err
	}
	if err := os.CopyFS(s.saved, os.DirFS(s.world)); err != nil {
		return err
	}
	if err := s.restore(); err != nil {
		return err
	}
	s.before = s.ask()
	s.note()
	if err := s.restore(); err != nil {
		return err
	}
	s.empty = s.before
	if s.nothing != nil {
		for _, line := range s.nothing {
			s.run(line, "")
		}
		s.empty = s.ask()
		s.note()
		if err := s.restore(); err != nil {
			return err
		}
	}
	r, err := s.trace(plan{})
	if err != nil || r.status != 0 {
		return fmt.Errorf("without a fault: status %d, %v: %s", r.status, err, r.stderr)
	}
	s.ops, s.acknowledged = r.ops, s.said(r.stdout)
	s.note()
	s.after = s.ask()
	s.note()
	return nil
}

func (s *sweep) trace(p plan) (result, error) {
	return trace(p, s.world, s.input, s.env(), append([]string{s.binary}, s.words(s.name)...)...)
}

func put(dir string, files map[string]string) error {
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// restore brings back the world as it was saved. The index's folder is another one then,
// and is marked again.
func (s *sweep) restore() error {
	if err := os.RemoveAll(s.world); err != nil {
		return err
	}
	if out, err := exec.Command("cp", "-a", s.saved, s.world).CombinedOutput(); err != nil {
		return fmt.Errorf("copy: %v: %s", err, out)
	}
	r, err := safe.OpenRoot(filepath.Join(s.world, "proj/.assay/index"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	id, err := safe.OpenIdentity(filepath.Join(s.world, "home/config/assay"))
	if err != nil {
		return err
	}
	return id.Adopt(r)
}

func (s *sweep) env() []string {
	home := filepath.Join(s.world, "home")
	return []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_CACHE_HOME=" + home + "/cache", "XDG_DATA_HOME=" + home + "/data",
		"XDG_STATE_HOME=" + home + "/state", "PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + filepath.Join(s.world, "tmp"), "ASSAY_MEMORY_VAULT=" + filepath.Join(s.world, "vault"), "TERM=dumb"}
}

// words splits a line; a "~" is a blank in a word.
func (s *sweep) words(line string) []string {
	list := strings.Fields(line)
	for i := range list {
		list[i] = strings.NewReplacer("~", " ", "WORLD", s.world).Replace(list[i])
	}
	return list
}

// run runs a command without a fault. "cat" and "git" are the programs of these names.
func (s *sweep) run(line, input string) (out string, status int, errs string) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	args := s.words(line)
	name := s.binary
	if args[0] == "cat" || args[0] == "git" {
		name, args = args[0], args[1:]
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = filepath.Join(s.world, "proj"), s.env(), strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		status = -1
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			status = exit.ExitCode()
		}
	}
	return stdout.String(), status, stderr.String()
}

// ask returns what is known then.
func (s *sweep) ask() []string {
	var out []string
	for _, line := range s.asked {
		text, status, errs := s.run(line, "")
		text = s.steady(text)
		if status > 1 { // what went wrong is the answer
			text += s.steady(errs)
		}
		out = append(out, fmt.Sprintf("status %d\n%s", status, text))
	}
	return out
}

// unsteady is what differs between two runs of one command.
var unsteady = regexp.MustCompile(`\d{8}[T-]\d{6}Z?|\d{4}-\d\d-\d\d[T ]?[\d:.]*Z?|\b\d+(\.\d+)? ?(ms|s|seconds|bytes|kB|MB)\b|"(seconds|index_bytes|index_epoch|bytes|took|modified|age)":[^,}]*|epoch \d+|\b[0-9a-f]{12,}\b|\b[0-9A-Z]{26}\b`)

func (s *sweep) steady(text string) string {
	return unsteady.ReplaceAllString(strings.ReplaceAll(text, s.world, "WORLD"), "#")
}

// said is what a command prints, less what it remarks on: a degraded answer says so.
func (s *sweep) said(text string) string { return s.steady(remark.ReplaceAllString(text, "")) }

var remark = regexp.MustCompile(`(?m)^# .*\n+`)

// names are the files and folders of the world by their steady names.
func (s *sweep) names() map[string][]string {
	out := map[string][]string{}
	_ = filepath.WalkDir(s.world, func(path string, _ fs.DirEntry, err error) error {
		if rel, e := filepath.Rel(s.world, path); err == nil && e == nil {
			out[s.steady(rel)] = append(out[s.steady(rel)], rel)
		}
		return nil
	})
	return out
}

func (s *sweep) note() {
	for name, list := range s.names() {
		s.files[name] = max(s.files[name], len(list))
	}
}

// litter are the files that are there and would not be, or not as many and a few more,
// had nothing gone wrong. What SQLite and locks keep beside their files is theirs to
// remove, and what cannot be written in its place is written below the cache. What git keeps
// has names of what and when it is. What was seen of the tree is kept only if no file of it is
// as new as the clock is coarse, so on a busy machine it comes and goes.
func (s *sweep) litter(more int) []string {
	var out []string
	for name, list := range s.names() {
		theirs := strings.Contains(name, "/objects/") || slices.ContainsFunc([]string{"-wal", "-shm", "-journal", ".lock", "/index/sight"}, func(end string) bool { return strings.HasSuffix(name, end) })
		if s.files[name] > 0 && len(list) <= s.files[name]+more || theirs || strings.HasPrefix(name, "home/cache") && !strings.Contains(name, "/.") {
			continue
		}
		out = append(out, list...)
	}
	return out
}

// try lets one call go wrong and returns what is wrong then.
func (s *sweep) try(p plan) (wrong []string) {
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if err := s.restore(); err != nil {
		return []string{err.Error()}
	}
	r, err := s.trace(p)
	if err != nil {
		return []string{err.Error()}
	}
	o := s.ops[p.n-1]
	fired := len(r.ops) >= p.n
	if fired {
		o = r.ops[p.n-1]
	}
	s.runs++
	lost := p.mode == "lose"
	// What was done cannot be undone by one who is dead, or has no room.
	parts := s.parts && (lost || p.mode == "kill" || p.mode == "full")
	switch {
	case p.mode == "kill" && fired && r.status != -1:
		add("status %d though it was killed", r.status)
	case p.mode == "kill" && fired:
	case r.status < 0 || r.status > 5, strings.Contains(r.stderr, "goroutine "):
		add("status %d: %s", r.status, r.stderr)
	case r.status > 0 && strings.TrimSpace(r.stderr) == "":
		add("status %d without a message", r.status)
	case r.status == 0 && !lost && s.said(r.stdout) != s.acknowledged:
		add("it printed %s\nwant %s\n%s", r.stdout, s.acknowledged, r.stderr)
	}
	outcome := "wrong"
	if len(wrong) == 0 {
		outcome = s.judge(r, lost, parts, add)
	}
	if stay := s.cleanUp(); len(stay) > 0 && !lost {
		add("left %s", strings.Join(stay, " "))
	}
	if lost && o.kind == "write" && ofSQLite.MatchString(o.path) && len(wrong) > 0 {
		outcome, wrong = "undetected", nil
	}
	if len(wrong) > 0 {
		outcome = "wrong"
		wrong[0] += fmt.Sprintf("\n      [status %d: %s]", r.status, strings.TrimSpace(r.stderr))
	}
	key := struct{ kind, mode string }{o.kind, p.mode}
	if s.counts[key] == nil {
		s.counts[key] = map[string]int{}
	}
	s.counts[key][outcome]++
	return wrong
}

// judge compares the answers with those before and after.
func (s *sweep) judge(r result, lost, parts bool, add func(string, ...any)) string {
	before, after, reported := true, true, false
	for i, got := range s.ask() {
		was, is := got == s.before[i] || got == s.empty[i], got == s.after[i]
		if lost && !was && !is && reports(got) {
			reported = true
			continue
		}
		if !was && !is && s.asked[i] == s.log && s.recorded(got, s.after[i]) {
			continue
		}
		if !was && !is {
			add("%s answers %s\n    before %s\n    after %s", s.asked[i], got, s.before[i], s.after[i])
			continue
		}
		if s.asked[i] != s.log {
			before, after = before && was, after && is
		}
	}
	switch {
	case reported:
		return "reported"
	case !before && !after && !parts:
		add("some answers are as before and some as after")
	case r.status == 0 && !after && !lost:
		add("it was acknowledged and is not there")
	case r.status == 0:
		return "acknowledged"
	case after && !before:
		return "after"
	}
	return "before"
}

// recorded says whether each record of a log is one of another.
func (s *sweep) recorded(got, after string) bool {
	for line := range strings.Lines(got) {
		if !strings.HasSuffix(line, " in WORLD/proj/.assay/trajectory\n") && !strings.Contains(after, line) {
			return false
		}
	}
	return true
}

// reports says whether an answer is that it cannot be given.
func reports(answer string) bool {
	return regexp.MustCompile(`^status [1-5]\n`).MatchString(answer)
}

// cleanUp returns what stays of files that were in the making, once they are old and the
// command was run again.
func (s *sweep) cleanUp() []string {
	litter := s.litter(0)
	if len(litter) == 0 {
		return nil
	}
	old := time.Now().Add(-48 * time.Hour)
	for _, name := range litter {
		_ = os.Chtimes(filepath.Join(s.world, name), old, old)
	}
	_ = put(s.world, s.again)
	_, _, _ = s.run(s.name, s.input)
	s.ask()
	return slices.DeleteFunc(s.litter(1), func(name string) bool { return !slices.Contains(litter, name) })
}
