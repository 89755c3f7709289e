package markdown

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// ref notes a link, an image, a code span or a mark at an offset of src, where the caller asked for them.
func (w *walker) ref(kind markup.RefKind, target string, at int, first bool) {
	if w.wantRefs && at >= 0 && target != "" {
		w.refs = append(w.refs, markup.Ref{Kind: kind, Target: target, Line: w.line(at), First: first})
	}
}

// tagRefs notes what the attributes of a tag within a paragraph name.
func (w *walker) tagRefs(tag string, at int) {
	if !w.wantRefs || at < 0 {
		return
	}
	z := html.NewTokenizer(strings.NewReader(tag))
	if t := z.Next(); t != html.StartTagToken && t != html.SelfClosingTagToken {
		return
	}
	attrs := map[string]string{}
	for _, more := z.TagName(); more && len(attrs) < 32; {
		var k, v []byte
		k, v, more = z.TagAttr()
		attrs[string(k)] = string(v)
	}
	w.attrRefs(attrs, w.line(at))
}

// attrRefs notes the addresses and the marks of a tag's attributes.
func (w *walker) attrRefs(attrs map[string]string, line int) {
	if !w.wantRefs {
		return
	}
	for _, of := range []struct {
		attr string
		kind markup.RefKind
	}{{"href", markup.Link}, {"src", markup.Image}, {"id", markup.Mark}, {"name", markup.Mark}} {
		if v := strings.TrimSpace(attrs[of.attr]); v != "" {
			w.refs = append(w.refs, markup.Ref{Kind: of.kind, Target: v, Line: line})
		}
	}
	for source := range strings.SplitSeq(attrs["srcset"], ",") {
		if words := strings.Fields(source); len(words) > 0 {
			w.refs = append(w.refs, markup.Ref{Kind: markup.Image, Target: words[0], Line: line})
		}
	}
}
