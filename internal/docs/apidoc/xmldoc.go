package apidoc

import (
	"html"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
)

var (
	xmlElement = lazy.Regexp(`(?is)<(summary|remarks|value|returns|example|param|typeparam|exception)\b([^>]*)>(.*?)</(?:summary|remarks|value|returns|example|param|typeparam|exception)>`)
	xmlName    = lazy.Regexp(`(?i)(?:name|cref)\s*=\s*"([^"]*)"`)
	xmlRef     = lazy.Regexp(`(?i)<(?:see|seealso|paramref|typeparamref)\s[^>]*?(?:name|cref|langword|href)\s*=\s*"([^"]*)"\s*(?:/>|>([^<]*)</\w+>)`)
	xmlCode    = lazy.Regexp(`(?is)<code[^>]*>(.*?)</code>`)
	xmlInline  = lazy.Regexp(`(?is)<c>(.*?)</c>`)
	xmlPara    = lazy.Regexp(`(?i)\s*</?(?:para|list|listheader)\b[^>]*>\s*`)
	xmlItem    = lazy.Regexp(`(?i)\s*<item>\s*`)
)

// xmlDoc reads the XML comments of C#.
func xmlDoc(s string) doc {
	var d doc
	s = xmlRef.ReplaceAllStringFunc(s, func(m string) string {
		f := xmlRef.FindStringSubmatch(m)
		name := f[1]
		if len(name) > 2 && name[1] == ':' {
			name = name[2:]
		}
		if f[2] != "" {
			name = f[2]
		}
		return "`" + name + "`"
	})
	body := func(t string) []markup.Block {
		t = xmlCode.ReplaceAllStringFunc(t, func(m string) string {
			code := xmlCode.FindStringSubmatch(m)[1]
			if in, ok := strings.CutPrefix(strings.TrimSpace(code), "<![CDATA["); ok { // what is in it means itself
				code = strings.TrimSuffix(in, "]]>")
			} else {
				code = html.UnescapeString(code)
			}
			return "\n\n```csharp\n" + strings.Trim(dedent(strings.Trim(code, "\n")), "\n") + "\n```\n\n"
		})
		t = outsideFences(t, func(t string) string {
			t = xmlInline.ReplaceAllString(t, "`$1`")
			t = xmlItem.ReplaceAllString(xmlPara.ReplaceAllString(t, "\n\n"), "\n- ")
			return html.UnescapeString(htmlOther.ReplaceAllString(t, ""))
		})
		return markdown.Parse([]byte(unindent(t)), markup.Options{}).Blocks
	}
	line := func(t string) string {
		return strings.Join(slice.Map(body(t), func(b markup.Block) string { return strings.Join(strings.Fields(b.Text), " ") }), " ")
	}
	for _, m := range xmlElement.FindAllStringSubmatch(s, -1) {
		name := ""
		if n := xmlName.FindStringSubmatch(m[2]); n != nil {
			name = n[1]
			if len(name) > 2 && name[1] == ':' {
				name = name[2:]
			}
		}
		switch strings.ToLower(m[1]) {
		case "param", "typeparam":
			d.params = append(d.params, item{name, line(m[3])})
		case "returns":
			if said := line(m[3]); said != "" {
				d.returns = append(d.returns, said)
			}
		case "exception":
			d.errors = append(d.errors, item{name, line(m[3])})
		case "example":
			d.examples = append(d.examples, markup.Block{Kind: markup.Prose, Text: "Example:"})
			d.examples = append(d.examples, body(m[3])...)
		default:
			d.text = append(d.text, body(m[3])...)
		}
	}
	if d.empty() && !strings.Contains(s, "<") {
		d.text = body(s)
	}
	return d
}
