package vault

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
)

// Lines are lines of a note or of a session.
type Lines struct {
	Path      string `json:"path"`
	StartLine int    `json:"start_line"` // the number of its first line, from 1
	EndLine   int    `json:"end_line"`
	Total     int    `json:"total_lines"` // lines that there are
	Text      string `json:"text"`
}

// Get returns the lines first to last of a note, or of a session by its path
// session:AGENT/ID; first 0 is the beginning, last 0 the end. A path that leads out
// of the vault is refused, by whatever way.
func (m *Memory) Get(ctx context.Context, where string, first, last int) (t Lines, err error) {
	if first < 0 || last < 0 || last > 0 && first > last {
		return t, fault.New(fault.Usage, "there are no lines %d to %d", first, last).Or("count lines from 1")
	}
	var clean []byte
	if strings.HasPrefix(where, sessionPrefix) {
		t.Path = where
		clean, err = m.session(ctx, strings.TrimPrefix(where, sessionPrefix))
	} else {
		t.Path, clean, err = m.note(where)
	}
	if err != nil {
		return t, err
	}
	lines := strings.Split(strings.TrimSuffix(string(clean), "\n"), "\n")
	t.Total = len(lines)
	t.StartLine, t.EndLine = max(first, 1), last
	if last == 0 || last > t.Total {
		t.EndLine = t.Total
	}
	if t.StartLine > t.Total {
		return t, fault.New(fault.NotFound, "%s has %d lines", t.Path, t.Total).Try("memory get", fault.Arg{Name: "path", Value: t.Path})
	}
	t.Text = strings.Join(lines[t.StartLine-1:t.EndLine], "\n")
	return t, nil
}

func (m *Memory) note(where string) (rel string, clean []byte, err error) {
	root, err := m.root()
	if err != nil {
		return "", nil, err
	}
	defer root.Close()
	if rel, err = m.existing(root, where); err != nil {
		return "", nil, err
	}
	raw, err := readNamed(root, rel)
	if err != nil {
		return "", nil, err
	}
	clean, _ = Clean(noteText(rel, raw))
	return rel, clean, nil
}

func (m *Memory) session(ctx context.Context, name string) ([]byte, error) {
	agent, id, _ := strings.Cut(name, "/")
	forgot, err := m.forgotten(ctx)
	if err != nil {
		return nil, err
	}
	s, err := m.read(ctx, agent, id)
	if fault.KindOf(err) == fault.NotFound || errors.Is(err, errNoTranscript) || forgot[name] {
		return nil, fault.New(fault.NotFound, "there is no session %s", sessionPrefix+name).Or("memory search finds the existing ones")
	}
	if err != nil {
		return nil, err
	}
	clean, _ := Clean([]byte(s.Text()))
	return clean, nil
}

// existing returns the path below the vault of a note that somebody named: by that
// path, or by one that leads to it from the root of the file system.
func (m *Memory) existing(root *safe.Root, where string) (string, error) {
	outside := fault.New(fault.Usage, "%s is not in the vault", where).Or("name a note by its path below %s, as memory search shows it", m.cfg.Vault)
	rel := where
	if filepath.IsAbs(where) {
		real, err := filepath.EvalSymlinks(where)
		if err != nil {
			real = where
		}
		if rel, err = filepath.Rel(m.cfg.Vault, real); err != nil {
			return "", outside
		}
	}
	rel = path.Clean(filepath.ToSlash(rel))
	if !filepath.IsLocal(filepath.FromSlash(rel)) || rel == "." {
		return "", outside
	}
	st, err := root.Lstat(rel)
	if errors.Is(err, fs.ErrNotExist) && path.Ext(rel) == "" { // as links name a note
		if at, e := root.Lstat(rel + ".md"); e == nil {
			st, err, rel = at, nil, rel+".md"
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		if same := otherForm(m.cfg.Vault, rel, m.cfg.Now()); same != "" {
			if at, e := root.Lstat(same); e == nil {
				st, err, rel = at, nil, same
			}
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fault.New(fault.NotFound, "there is no note %s in %s", rel, m.cfg.Vault).Try("memory list")
	case err != nil: // a link that leads out, a folder that is none
		return "", outside
	case !st.Mode().IsRegular() || !isNote(rel) || hiddenPath(rel):
		return "", fault.New(fault.Usage, "%s is not a note", rel).Or("notes are Markdown files and canvases that are not hidden")
	}
	return rel, nil
}

func hiddenPath(rel string) bool {
	return slices.ContainsFunc(strings.Split(rel, "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}

// codeKey is the front matter that says what a note points at in the code.
const codeKey = "code"

// Code returns what a note points at in the code of its project, as Store was told: paths,
// and lines as PATH:LINE@SUM. What cannot be read points at nothing.
func (m *Memory) Code(rel string) []string {
	root, err := safe.OpenRoot(m.cfg.Vault)
	if err != nil {
		return nil
	}
	defer root.Close()
	raw, err := readFile(root, rel)
	if err != nil {
		return nil
	}
	head, _, _ := cutFront(raw)
	var f map[string]any
	if !bytes.Contains(head, []byte(codeKey+":")) || yaml.Unmarshal(head, &f) != nil {
		return nil
	}
	return listed(f[codeKey])
}

// FilesIn returns the files that a text names, each as it is written, with its line where
// one is given as FILE:LINE.
func FilesIn(text string) (out []string) {
	for _, at := range filePath.FindAllStringIndex(text, 50) {
		name := strings.TrimPrefix(text[at[0]:at[1]], "./")
		if line := lineAfter.FindString(text[at[1]:min(len(text), at[1]+9)]); line != "" {
			name += line
		}
		out = addOnce(out, name)
	}
	return out
}

var lineAfter = lazy.Regexp(`^:[1-9]\d{0,6}\b`)
