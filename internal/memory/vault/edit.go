package vault

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Change is what is to be otherwise about a note.
type Change struct {
	Path string // as Get takes it
	Text string // all of it from now on, its front matter too; empty: as it is
	Was  string // the text that Text was made from: refused where the note says otherwise by now; empty: whatever it says
	Pin  *bool  // whether it is kept in front; nil: as it is
}

// Edited says what became of a note.
type Edited struct {
	Path      string
	Changed   bool   // false: it is so already, and nothing was written
	Pinned    bool   // as it is now
	Redacted  int    // secrets that were removed from the text
	Unindexed string // why the change cannot be found yet; empty: it can
}

// Edit changes a note, and returns when it is on the disk. A note with text that memory shows to nobody is only
// pinned: whoever edits what is shown would remove what is not.
func (m *Memory) Edit(ctx context.Context, c Change) (e Edited, err error) {
	root, err := m.root()
	if err != nil {
		return e, err
	}
	defer root.Close()
	if e.Path, err = m.existing(root, c.Path); err != nil {
		return e, err
	}
	if err := editable(e.Path); err != nil {
		return e, err
	}
	// Without the lock two processes could each change what the other has read.
	unlock, err := m.lockStore(ctx)
	if err != nil {
		return e, err
	}
	defer unlock()
	raw, err := readNamed(root, e.Path)
	if err != nil {
		return e, err
	}
	if err := m.exact(root, e.Path, c.Text != ""); err != nil {
		return e, err
	}
	now := raw
	if c.Text != "" {
		shown, taken := Clean(raw)
		switch {
		case taken > 0:
			return e, fault.New(fault.Usage, "%s has text that is private or secret, and an edit of what is shown would remove it", e.Path).Or("edit the file in the vault %s", m.cfg.Vault)
		case c.Was != "" && ended(c.Was) != ended(string(shown)):
			return e, changedSince(e.Path)
		case len(c.Text) > maxContent:
			return e, fault.New(fault.Usage, "the note has %d bytes, at most %d are stored", len(c.Text), maxContent).Or("store what matters of it")
		}
		if now, e.Redacted = Clean([]byte(ended(c.Text))); bodyHash(string(bodyOf(now))) == nil {
			return e, fault.New(fault.Usage, "the note would be empty").Or("say what is to be remembered, or remove the note: assay memory forget")
		}
	}
	if c.Pin != nil {
		value := ""
		if *c.Pin {
			value = "true"
		}
		now = setFront(now, "pinned", value)
	}
	pinned, _ := frontLine(now, "pinned")
	e.Pinned, e.Changed = pinned == "true", !bytes.Equal(now, raw)
	if !e.Changed {
		return e, nil
	}
	err = replace(root, e.Path, raw, now)
	if errors.Is(err, errMeanwhile) {
		return e, changedSince(e.Path)
	}
	if err != nil {
		return e, m.unwritten(err)
	}
	if err := m.index(ctx, root, e.Path); err != nil {
		e.Unindexed = err.Error()
	}
	return e, nil
}

func changedSince(rel string) error {
	return fault.New(fault.Stale, "%s has changed since it was read", rel).Try("memory get", fault.Arg{Name: "path", Value: rel})
}

// exact returns an error for a note that would not be written as it was read: with a text of which something was
// not valid, and is shown as the sign for that, or in another encoding.
func (m *Memory) exact(root *safe.Root, rel string, withText bool) error {
	raw, err := root.ReadFile(rel, maxNote)
	if err != nil {
		return fault.New(fault.Unavailable, "%s cannot be read", rel).Because(err)
	}
	if _, encoding := text.Decode(raw); encoding == "" && (!withText || utf8.Valid(raw)) {
		return nil
	}
	return fault.New(fault.Usage, "%s is not in UTF-8, and an edit of what is shown would damage it", rel).Or("save the file in the vault %s as UTF-8 first", m.cfg.Vault)
}

func bodyOf(raw []byte) []byte {
	_, body, _ := cutFront(raw)
	return body
}

// ended is a text with one end of a line at its end.
func ended(s string) string { return strings.TrimRight(s, "\r\n") + "\n" }

// frontAt returns the lines of a note, and which of them says a key in its front matter: -1 for none.
// line is the number of the first line after the front matter, 1 where there is none.
func frontAt(raw []byte, key string) (lines [][]byte, at, line int) {
	_, _, line = cutFront(raw)
	lines = bytes.SplitAfter(raw, []byte("\n"))
	at = slices.IndexFunc(lines[:max(line-1, 0)], func(l []byte) bool { return bytes.HasPrefix(l, []byte(key+":")) })
	return lines, at, line
}

// frontLine returns what a line of the front matter says of a key, as it is written.
func frontLine(raw []byte, key string) (string, bool) {
	lines, at, _ := frontAt(raw, key)
	if at < 0 {
		return "", false
	}
	return strings.TrimSpace(strings.TrimPrefix(string(lines[at]), key+":")), true
}

// setFront writes a key into the front matter of a note, or without a value removes it, and leaves all else as it is.
func setFront(raw []byte, key, value string) []byte {
	lines, at, line := frontAt(raw, key)
	if at >= 0 { // the lines of a list below the key are part of its value
		end := at + 1
		for end < line-2 && bytes.IndexByte([]byte(" \t-"), lines[end][0]) >= 0 {
			end++
		}
		lines = slices.Delete(lines, at+1, end)
	}
	add := []byte(key + ": " + value + "\n")
	switch {
	case at >= 0 && value == "":
		return bytes.Join(slices.Delete(lines, at, at+1), nil)
	case at >= 0:
		lines[at] = add
		return bytes.Join(lines, nil)
	case value == "":
		return raw
	case line == 1: // it has no front matter
		return slices.Concat([]byte("---\n"), add, []byte("---\n\n"), raw)
	}
	return bytes.Join(slices.Insert(lines, 1, add), nil)
}
