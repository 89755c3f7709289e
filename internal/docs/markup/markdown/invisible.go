package markdown

import (
	"strings"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// maxTagHead is how many bytes of a tag are looked at for what hides its element.
const maxTagHead = 500

// invisible skips an element of HTML that no reader of the page sees. One that is not closed ends with its paragraph.
func (s *stripper) invisible() bool {
	head := s.src[s.pos:min(len(s.src), s.pos+maxTagHead)]
	head, _, _ = strings.Cut(head, ">")
	if s.waste <= 0 || !strings.Contains(head, "hidden") && !strings.Contains(head, "style") {
		return false
	}
	t, end, ok := s.parseTag(s.pos)
	if !ok || t.closing || !htmlTags.Has(t.name) || !t.isInvisible() {
		return false
	}
	if !t.self && t.name != "img" && t.name != "input" {
		end = s.elementEnd(t.name, end)
	}
	s.skip(end)
	return true
}

func (t tag) isInvisible() bool {
	style, isHidden := "", false
	for _, a := range t.attrs {
		switch a.name {
		case "style":
			style = a.value
		case "hidden":
			isHidden = a.value != "{false}" && a.value != "false"
		}
	}
	return markup.IsInvisible(style, t.get("class")+t.get("className"), t.get("role"), isHidden)
}

// elementEnd returns where an element ends whose content begins at a place.
func (s *stripper) elementEnd(name string, from int) int {
	depth := 1
	for i := from; i < len(s.src); i++ {
		next := strings.IndexByte(s.src[i:], '<')
		if next < 0 {
			break
		}
		i += next
		switch rest := s.src[i+1:]; {
		case isTagOf(rest, name):
			depth++
		case strings.HasPrefix(rest, "/") && isTagOf(rest[1:], name):
			if depth--; depth == 0 {
				if end := strings.IndexByte(rest, '>'); end >= 0 {
					s.waste -= i - from
					return i + 1 + end + 1
				}
			}
		}
	}
	s.waste -= len(s.src) - from
	if end := strings.Index(s.src[from:], "\n\n"); end >= 0 {
		return from + end
	}
	return len(s.src)
}

// isTagOf reports whether a text that follows "<" or "</" is a tag of a name.
func isTagOf(s, name string) bool {
	return len(s) > len(name) && strings.EqualFold(s[:len(name)], name) && !nameByte(s[len(name)])
}
