package setup

import (
	"bytes"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// loa is the framework whose protocols this program carries out.
const loa = "loa"

// packed is the folder files: the pack as it is in integrations/loa.
// TestPacked holds it to them, and with -update writes it.
//
//go:embed files.pack
var packed string

var packedFiles = lazy.Files(packed)

// packMark is in the first line of every file of the pack.
const packMark = "assay setup loa: written by assay"

// packFiles returns the files of the pack and where they lie in a project.
func (f *Feature) packFiles() ([]target, error) {
	var out []target
	err := fs.WalkDir(packedFiles(), loa, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(packedFiles(), name)
		if err != nil {
			return err
		}
		t := target{perm: 0o644, lent: true, part: packFile{text: text}}
		var at string
		switch base := filepath.Base(filepath.FromSlash(name)); base {
		case "gitignore":
			at, t.what, t.part, t.lent = ".gitignore", "ignored", ignored{text}, false
		case "mcp-registry.yaml":
			at, t.what = ".claude/"+base, "registry"
		case "INSTALLATION.md":
			at, t.what = ".claude/assay/"+base, "notes"
		case "context-retrieval.md":
			at, t.what = ".claude/skills/implementing-tasks/"+base, "skill"
		case "impact-analysis.md":
			at, t.what = ".claude/skills/reviewing-code/"+base, "skill"
		default:
			at, t.what = ".claude/protocols/"+base, "protocol"
		}
		t.path = filepath.Join(f.cfg.WorkDir, filepath.FromSlash(at))
		out = append(out, t)
		return nil
	})
	return out, err
}

// A packFile is a file of the pack.
type packFile struct {
	wholeFile
	text []byte
}

func (p packFile) put([]byte, []string) ([]byte, error) { return p.text, nil }

func (packFile) look(text []byte) (found, error) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case len(text) == 0:
		return found{}, nil
	case !bytes.Contains(first, []byte(packMark)):
		return found{state: foreign}, nil
	}
	return found{state: ours}, nil
}

func (p packFile) private(text []byte) ([]span, error) { return foreignAll(p, text) }

// The lines around ours in a .gitignore.
const (
	ignoreBegin = "# assay setup loa: begin\n"
	ignoreEnd   = "# assay setup loa: end\n"
)

// ignored is our lines of a .gitignore.
type ignored struct{ text []byte }

// block returns the place of our lines; ok is false if there are none. If the end marker is missing, the block ends before
// the first line that is not ours.
func (g ignored) block(text []byte) (at span, ok bool) {
	// git may have changed the line ends since.
	is := func(line []byte, ours string) bool {
		return string(bytes.TrimRight(line, "\r\n")) == strings.TrimRight(ours, "\n")
	}
	for line := range bytes.Lines(text) {
		switch {
		case !ok:
			if ok = is(line, ignoreBegin); !ok {
				at.start += len(line)
				continue
			}
			at.end = at.start
		case is(line, ignoreEnd):
			at.end += len(line)
			return at, true
		case !slices.ContainsFunc(lines(g.text), func(l string) bool { return is(line, l) }):
			return at, true
		}
		at.end += len(line)
	}
	return at, ok
}

func (g ignored) look(text []byte) (found, error) {
	if at, ok := g.block(text); ok {
		return found{state: ours, at: at.start}, nil
	}
	return found{}, nil
}

func (g ignored) put(text []byte, _ []string) ([]byte, error) {
	mine := slices.Concat([]byte(ignoreBegin), g.text, []byte(ignoreEnd))
	if at, ok := g.block(text); ok {
		return apply(text, edit{at, string(mine)}), nil
	}
	out := slices.Clone(text)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return append(out, mine...), nil
}

func (g ignored) cut(text []byte) ([]byte, error) {
	at, ok := g.block(text)
	if !ok {
		return text, nil
	}
	return apply(text, edit{at, ""}), nil
}

func (g ignored) private(text []byte) ([]span, error) {
	at, ok := g.block(text)
	if !ok {
		at = span{len(text), len(text)}
	}
	var out []span
	for _, s := range []span{{0, at.start}, {at.end, len(text)}} {
		if s.start < s.end {
			out = append(out, s)
		}
	}
	return out, nil
}

func (ignored) bare(text []byte) bool { return len(text) == 0 }

// find returns the path of a program that PATH finds.
func (f *Feature) find(name string) (string, bool) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	list, _ := f.cfg.Lookup("PATH")
	for _, dir := range filepath.SplitList(list) {
		at := filepath.Join(dir, name)
		info, err := os.Stat(at)
		if !filepath.IsAbs(dir) || err != nil || info.IsDir() {
			continue
		}
		if runtime.GOOS == "windows" || info.Mode()&0o111 != 0 {
			return at, true
		}
	}
	return "", false
}

// linkCommand is the command that gives this program the name ck.
func (f *Feature) linkCommand() string {
	if runtime.GOOS == "windows" {
		return fmt.Sprintf(`mklink "%s" "%s"`, filepath.Join(filepath.Dir(f.cfg.Exe), "ck.exe"), f.cfg.Exe)
	}
	return fmt.Sprintf("ln -s %s ~/.local/bin/ck", shellWord(f.cfg.Exe))
}

// enhancements returns the status of the framework's optional programs, and the message that its setup ends with.
func (f *Feature) enhancements(j job) (status []string, message string) {
	if j.Uninstall {
		return nil, ""
	}
	at, ck := f.find("ck")
	if ck {
		self, err := os.Stat(f.cfg.Exe)
		if info, e := os.Stat(at); err == nil && e == nil && os.SameFile(info, self) {
			at += " (assay)"
		}
		status = append(status, "✓ ck installed: "+at)
	} else {
		status = append(status, "○ ck not installed (optional): "+f.linkCommand())
	}
	beads := false
	for _, name := range []string{"br", "bd"} {
		if at, ok := f.find(name); ok {
			status, beads = append(status, "✓ "+name+" installed: "+at), true
			break
		}
	}
	if !beads {
		status = append(status, "○ br and bd not installed (optional)")
	}
	if j.DryRun {
		return status, ""
	}
	switch {
	case ck && beads:
		message = "Setup complete with full enhancement suite"
	case ck:
		message = "Setup complete with semantic search"
	case beads:
		message = "Setup complete with task tracking"
	default:
		message = "Setup complete. For enhanced capabilities, see INSTALLATION.md"
	}
	return status, message
}

func (f *Feature) nextLoa(j job) []string {
	if j.Uninstall {
		return []string{}
	}
	return []string{"assay setup claude --project serves the search tools to Claude Code; .claude/assay/INSTALLATION.md describes further integrations"}
}
