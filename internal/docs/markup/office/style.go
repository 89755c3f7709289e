package office

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
)

// A style is how a paragraph or a part of one is set.
type style struct {
	name, parent string // lower case
	level        int    // of a heading
	mono         bool   // its letters are all as wide
}

// maxKin is how many styles one may come from.
const maxKin = 8

// readStyles notes the styles that a file defines.
func (r *reader) readStyles(data []byte) {
	id, in := "", style{}
	tokens(data, func(token xml.Token) {
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "style" {
				id, in = r.begin(t)
			}
			in.read(t)
		case xml.EndElement:
			if t.Name.Local == "style" && id != "" {
				r.styles[id] = in
				id = ""
			}
		}
	})
}

// begin returns a style that begins, and its name among the others.
func (r *reader) begin(t xml.StartElement) (string, style) {
	s := style{parent: attr(t, "parent-style-name"), name: plain(attr(t, "display-name"))}
	if !r.open {
		return attr(t, "styleId"), s
	}
	id := attr(t, "name")
	s.name = cmp.Or(s.name, plain(id))
	return id, s
}

// read notes what an element says of a style.
func (s *style) read(t xml.StartElement) {
	switch t.Name.Local {
	case "name":
		s.name = plain(attr(t, "val"))
	case "basedOn":
		s.parent = attr(t, "val")
	case "outlineLvl":
		s.level = level(attr(t, "val"))
	case "rFonts":
		s.mono = s.mono || monospaced(attr(t, "ascii"))
	case "text-properties":
		s.mono = s.mono || monospaced(attr(t, "font-name")) || monospaced(attr(t, "font-family"))
	}
}

// kin calls yield for a style and those it comes from, until it says no.
func (r *reader) kin(id string, yield func(style) bool) {
	for range maxKin {
		s, ok := r.styles[id]
		if !ok && id != "" {
			s.name = plain(id)
		}
		if s.name == "" && s.parent == "" || !yield(s) {
			return
		}
		id = s.parent
	}
}

// headingOf returns the level of a heading of a style, 0 where it is none.
func (r *reader) headingOf(id string) (n int) {
	r.kin(id, func(s style) bool {
		digits, ok := strings.CutPrefix(s.name, "heading ")
		switch {
		case ok:
			n, _ = strconv.Atoi(digits) // "heading x" is none
			n = min(max(n, 0), 6)
		case s.level > 0:
			n = s.level
		case s.name == "title":
			n = 1
		}
		return n == 0
	})
	return n
}

// codeOf reports whether what has a style is code.
func (r *reader) codeOf(id string) (yes bool) {
	r.kin(id, func(s style) bool {
		for _, word := range []string{"code", "preformatted", "verbatim", "listing", "source text", "teletype"} {
			yes = yes || strings.Contains(s.name, word)
		}
		yes = yes || s.mono
		return !yes
	})
	return yes
}

// contents reports whether a paragraph of a style is a line of a table of contents.
func (r *reader) contents(id string) (yes bool) {
	r.kin(id, func(s style) bool {
		yes = strings.HasPrefix(s.name, "toc ") || strings.HasPrefix(s.name, "contents ")
		return !yes
	})
	return yes
}

// plain returns the name of a style as people see it.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_20_", " ")) }

func monospaced(font string) bool {
	font = strings.ToLower(font)
	return slices.ContainsFunc([]string{"courier", "mono", "consolas", "menlo", "monaco", "fixed"}, func(name string) bool {
		return strings.Contains(font, name)
	})
}

// level returns the level of a heading that is counted from 0; 0 of body text.
func level(val string) int {
	n, err := strconv.Atoi(val)
	if err != nil || n < 0 || n > 5 {
		return 0
	}
	return n + 1
}

func attr(t xml.StartElement, local string) string {
	for _, a := range t.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}
