// Package foreign reads what other programs keep in memory, as they export it, and
// notes that lie in folders, as notes to be stored.
//
// A note has the same key whenever it is read again, and the date of its text. What
// cannot be read is counted by reason; no content is an error or a crash once the form
// of the whole is known, and none takes more than a bounded amount of memory.
package foreign

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// A Note is what another program remembered, or a file.
type Note struct {
	Key      string // names it for good: FORMAT:…
	Title    string // empty: its first words
	Text     string // Markdown; of a file, with its front matter
	Category string // as Store knows it; empty: other
	Project  string // as the other program calls it
	Topic    string // the key of its matter, where the other program has one
	Tags     []string
	Created  time.Time // when the text was last written; zero: unknown
	// File is where a file lies below the folder that was read, "" of what is no file. Its
	// name and folders are kept, so that links between files still lead somewhere.
	File string
	Dir  string // the folder of the project that a file of instructions is for
}

// An Export is what was read.
type Export struct {
	Format  string
	Notes   []Note
	Skipped map[string]int // what was not read, by reason
}

// The formats.
const (
	ClaudeMem    = "claude-mem"
	Mem0         = "mem0" // and OpenMemory
	Engram       = "engram"
	MemPalace    = "mempalace"
	BasicMemory  = "basic-memory"
	Instructions = "instructions" // CLAUDE.md, AGENTS.md and their like
	Folder       = "folder"
)

// Formats returns the names of all formats.
func Formats() []string {
	return []string{ClaudeMem, Mem0, Engram, MemPalace, BasicMemory, Instructions, Folder}
}

// The bounds of what is read.
const (
	maxExport  = 64 << 20 // bytes of an export, as it is and unpacked
	maxMembers = 10_000   // files of an archive
	maxText    = 1 << 20  // of a note
	maxNotes   = 200_000
	maxDepth   = 40
)

// Read reads the file or folder at name, which is absolute. An empty format is found by
// looking.
func Read(ctx context.Context, name, format string) (*Export, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "there is no %s", name).Or("give the file or folder of an export")
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "%s cannot be read", name).Because(err)
	}
	e := &Export{Format: format, Skipped: map[string]int{}}
	if info.IsDir() {
		err = e.folder(ctx, name)
	} else {
		err = e.file(name)
	}
	return e, err
}

// instructions are the files by which agents are told how to work, by the names that the
// agents give them.
var instructions = map[string]bool{"claude.md": true, "claude.local.md": true, "agents.md": true, "agents.override.md": true, "gemini.md": true, "copilot-instructions.md": true, ".cursorrules": true, ".windsurfrules": true, ".clinerules": true}

func (e *Export) file(name string) error {
	info, data, err := read(name)
	if err != nil {
		return err
	}
	base := strings.ToLower(filepath.Base(name))
	switch {
	case e.Format == Instructions || e.Format == "" && instructions[base]:
		e.Format = Instructions
		e.instructions(name, data, info.ModTime())
	case e.Format == MemPalace:
		e.rooms(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), data, info.ModTime())
	case e.Format == BasicMemory || e.Format == Folder || e.Format == "" && note(base):
		e.Format = cmp.Or(e.Format, Folder)
		e.note(filepath.Dir(name), filepath.Base(name), data, info.ModTime())
	default:
		return e.records(name, data)
	}
	return nil
}

func read(name string) (fs.FileInfo, []byte, error) {
	f, err := safe.OpenNamed(name)
	if err == nil {
		defer f.Close()
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil {
			var data []byte
			data, err = file.ReadUpTo(f, maxExport)
			if errors.Is(err, file.ErrTooLarge) {
				return nil, nil, fault.New(fault.Usage, "%s has more than %d MB", name, maxExport>>20).Or("export less at a time, by project or by date")
			}
			if err == nil {
				return info, data, nil
			}
		}
	}
	return nil, nil, fault.New(fault.Unavailable, "%s cannot be read", name).Because(err)
}

// records reads the records of an export: JSON, JSON by lines, or either in an archive.
func (e *Export) records(name string, data []byte) error {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		inner, err := unzip(data)
		if err != nil {
			return unknown(name).Because(err)
		}
		data = inner
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		inner, err := gunzip(bytes.NewReader(data))
		if err != nil {
			return unknown(name).Because(err)
		}
		data = inner
	}
	if !e.json(data) {
		return unknown(name)
	}
	return nil
}

func unknown(name string) *fault.Error {
	return fault.New(fault.Usage, "%s is not an export of a known program", name).Or("name the program with --from: %s", strings.Join(Formats(), ", "))
}

// unzip returns the member of an archive that has the memories: OpenMemory writes them
// twice, and the form without line breaks has the names of categories.
func unzip(data []byte) ([]byte, error) {
	if bytes.Count(data, []byte("PK\x01\x02")) > maxMembers { // in memory each takes several times its size
		return nil, fmt.Errorf("it holds more than %d files", maxMembers)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	for _, want := range []string{".jsonl.gz", ".jsonl", ".json"} {
		for _, f := range z.File {
			if !strings.HasSuffix(strings.ToLower(f.Name), want) {
				continue
			}
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			defer r.Close()
			if want == ".jsonl.gz" {
				return gunzip(r)
			}
			return bounded(r)
		}
	}
	return nil, errors.New("no JSON is in the archive")
}

func gunzip(r io.Reader) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return bounded(z) // closing it would check nothing more
}

func bounded(r io.Reader) ([]byte, error) {
	data, err := file.ReadUpTo(r, maxExport)
	if errors.Is(err, file.ErrTooLarge) {
		return nil, fmt.Errorf("it has more than %d MB unpacked", maxExport>>20)
	}
	return data, err
}

// add adds a note, if it says anything and there is room.
func (e *Export) add(n Note) {
	n.Text = strings.TrimSpace(n.Text)
	switch {
	case n.Text == "":
		e.Skipped["empty"]++
	case len(n.Text) > maxText:
		e.Skipped["larger than 1 MB"]++
	case len(e.Notes) == maxNotes:
		e.Skipped[fmt.Sprintf("more than %d notes", maxNotes)]++
	default:
		e.Notes = append(e.Notes, n)
	}
}

// folder reads a folder of files.
func (e *Export) folder(ctx context.Context, name string) error {
	root, err := safe.OpenRoot(name)
	if err != nil {
		return fault.New(fault.Unavailable, "%s cannot be read", name).Because(err)
	}
	defer root.Close()
	if e.Format == "" {
		e.Format = Folder
		if palace(root) {
			e.Format = MemPalace
		}
	}
	switch e.Format {
	case Folder, BasicMemory, MemPalace, Instructions:
	default:
		return fault.New(fault.Usage, "%s is a folder, and %s exports a file", name, e.Format).Or("give the file that it wrote")
	}
	err = e.walk(ctx, root, name, ".", 0)
	if e.Format == Folder && len(e.Notes) > 0 && permalinks(e.Notes) {
		e.Format = BasicMemory
	}
	return err
}

// palace reports whether a folder is an export of MemPalace.
func palace(root *safe.Root) bool {
	index, err := root.ReadFile("index.md", maxText)
	return err == nil && (bytes.HasPrefix(index, []byte("# Palace Export")) || bytes.HasPrefix(index, []byte("# Snapshot Index"))) && bytes.Contains(index, []byte("| Wing |"))
}

// permalinks reports whether most files are named as basic-memory names them.
func permalinks(all []Note) bool {
	n := 0
	for _, x := range all {
		if strings.HasPrefix(x.Text, "---\n") && strings.Contains(x.Text, "\npermalink:") {
			n++
		}
	}
	return 2*n > len(all)
}

func (e *Export) walk(ctx context.Context, root *safe.Root, name, rel string, depth int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := root.ReadDir(rel)
	if err != nil {
		if rel == "." {
			return fault.New(fault.Unavailable, "%s cannot be read", name).Because(err)
		}
		e.Skipped["unreadable folder"]++
		return nil
	}
	for _, d := range entries {
		below := path.Join(rel, d.Name())
		switch {
		case strings.HasPrefix(d.Name(), ".") && !instructions[strings.ToLower(d.Name())] || d.Name() == "node_modules":
		case d.IsDir():
			if depth == maxDepth {
				e.Skipped["deeper than 40 folders"]++
			} else if err := e.walk(ctx, root, name, below, depth+1); err != nil {
				return err
			}
		case d.Type()&fs.ModeSymlink != 0:
			e.Skipped["symlink"]++
		case e.wants(d.Name()):
			e.one(root, name, below)
		}
	}
	return nil
}

// wants reports whether a file of a folder may be a note.
func (e *Export) wants(name string) bool {
	name = strings.ToLower(name)
	if e.Format == Instructions {
		return instructions[name]
	}
	return note(name)
}

func note(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".txt":
		return true
	}
	return false
}

// one reads a file of a folder.
func (e *Export) one(root *safe.Root, name, rel string) {
	if len(e.Notes) == maxNotes {
		e.Skipped[fmt.Sprintf("more than %d notes", maxNotes)]++
		return
	}
	info, err := root.Lstat(rel)
	if err != nil {
		return // gone since
	}
	limit := int64(maxText)
	if e.Format == MemPalace {
		limit = maxExport // a room has many notes
	}
	data, err := root.ReadFile(rel, limit)
	switch {
	case errors.Is(err, safe.ErrTooLarge):
		e.Skipped["larger than 1 MB"]++
	case err != nil:
		e.Skipped["unreadable"]++
	case e.Format == MemPalace:
		if base := path.Base(rel); base != "index.md" && base != "overview.md" {
			e.rooms(rel, data, info.ModTime())
		}
	case e.Format == Instructions || instructions[strings.ToLower(path.Base(rel))]:
		e.instructions(filepath.Join(name, filepath.FromSlash(rel)), data, info.ModTime())
	default:
		e.note(name, rel, data, info.ModTime())
	}
}
