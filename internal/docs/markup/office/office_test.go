package office

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// packed returns an archive of files: names and texts in turn.
func packed(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func show(p markup.Page) string {
	var b strings.Builder
	for _, k := range p.Blocks {
		fmt.Fprintf(&b, "%d/%d %s\n", k.Kind, k.Level, k.Text)
	}
	return b.String()
}

const (
	docxStyles = `<w:styles xmlns:w="w"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Mein"><w:name w:val="Mein Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:styleId="Kode"><w:name w:val="Kode"/><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr></w:style>
<w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style></w:styles>`
	docx = `<w:document xmlns:w="w" xmlns:mc="mc"><w:body>
<w:p><w:pPr><w:pStyle w:val="Verzeichnis1"/></w:pPr><w:r><w:t>Router 3</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Mein"/><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>The </w:t></w:r><w:r><w:t>router</w:t></w:r></w:p>
<w:p><w:r><w:t>Call </w:t></w:r><w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t>route()</w:t></w:r><w:r><w:t> once.</w:t></w:r><w:del><w:r><w:t>gone</w:t></w:r></w:del></w:p>
<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>New.</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r><w:t>Old.</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>
<w:p><w:pPr><w:pStyle w:val="Kode"/></w:pPr><w:r><w:t>if x:</w:t><w:br/><w:t xml:space="preserve">    y()</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Kode"/></w:pPr></w:p>
<w:p><w:pPr><w:pStyle w:val="Kode"/></w:pPr><w:r><w:t>z()</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr><w:r><w:t>deeper</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Option</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Meaning</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>strict</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>match</w:t></w:r></w:p><w:p><w:r><w:t>slashes</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
</w:body></w:document>`
	odt = `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:style="s" xmlns:table="b">
<office:automatic-styles><style:style style:name="P1" style:parent-style-name="Preformatted_20_Text"/></office:automatic-styles><office:body>
<text:table-of-content><text:p>Router 3</text:p></text:table-of-content>
<text:h text:outline-level="2">The <text:span>router</text:span></text:h>
<text:p>Call <text:span text:style-name="Source_20_Text">route()</text:span> once.<text:note><text:p>A note.</text:p></text:note></text:p>
<text:p text:style-name="P1">if x:</text:p><text:p text:style-name="P1"><text:s text:c="4"/>y()</text:p>
<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>deeper</text:p></text:list-item></text:list></text:list-item></text:list>
<table:table><table:table-row><table:table-cell><text:p>Option</text:p></table:table-cell><table:table-cell><text:p>Meaning</text:p></table:table-cell></table:table-row></table:table>
</office:body></office:document-content>`
	slide = `<p:sld xmlns:p="p" xmlns:a="a"><p:sp><p:nvPr><p:ph type="title"/></p:nvPr><a:p><a:r><a:t>Slide %d</a:t></a:r></a:p></p:sp>
<p:sp><p:nvPr><p:ph idx="1"/></p:nvPr><a:p><a:r><a:t>an item</a:t></a:r></a:p><a:p><a:pPr lvl="0"><a:buNone/></a:pPr><a:r><a:t>a sentence</a:t></a:r></a:p>
<a:p><a:r><a:rPr><a:latin typeface="Courier"/></a:rPr><a:t>code()</a:t></a:r></a:p></p:sp></p:sld>`
)

func TestParse(t *testing.T) {
	for name, of := range map[string]struct {
		files []string
		want  string
	}{
		"docx": {[]string{"word/styles.xml", docxStyles, "word/document.xml", docx}, `1/1 The router
0/0 Call ` + "`route()`" + ` once.
0/0 New.
2/0 if x:
    y()

z()
0/0 - one
  - deeper
3/0 Option | Meaning
strict | match slashes
`},
		"odt": {[]string{"content.xml", odt}, `1/2 The router
0/0 Call ` + "`route()`" + ` once.
2/0 if x:
    y()
0/0 - one
  - deeper
3/0 Option | Meaning
`},
		"pptx": {[]string{"ppt/slides/slide10.xml", fmt.Sprintf(slide, 10), "ppt/slides/slide2.xml", fmt.Sprintf(slide, 2)}, `1/2 Slide 2
0/0 - an item
0/0 a sentence
2/0 code()
1/2 Slide 10
0/0 - an item
0/0 a sentence
2/0 code()
`},
	} {
		src := packed(t, of.files...)
		if got := show(Parse(src, markup.Options{})); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, of.want)
		}
		if !Is(src) {
			t.Errorf("%s is no document", name)
		}
	}
}

// TestHostile reads what is made to cost: each ends soon and says that it is none.
func TestHostile(t *testing.T) {
	many := []string{"word/document.xml", docx}
	for i := range maxFiles {
		many = append(many, fmt.Sprint(i), "")
	}
	sound := packed(t, "word/document.xml", docx)
	lying := bytes.Clone(sound) // says that it unpacks to less than it does
	at := bytes.LastIndex(lying, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(lying[at+24:], 10)
	for name, src := range map[string][]byte{
		"a bomb":          packed(t, "word/document.xml", "<w:p><w:r><w:t>"+strings.Repeat("x", maxText)+"</w:t></w:r></w:p>"),
		"many files":      packed(t, many...),
		"deep":            packed(t, "word/document.xml", strings.Repeat("<a>", 1<<20)),
		"an entity":       packed(t, "content.xml", `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]><p>&b;</p>`),
		"something else":  packed(t, "xl/workbook.xml", "<x/>"),
		"what is no list": []byte("PK\x03\x04"),
		"encrypted":       packed(t, "content.xml", "\x01\x02\x03"),
		"damaged":         bytes.Replace(sound, []byte("word/document.xml"), []byte("word/documents.xm"), 1)[:len(sound)-30],
		"lying":           lying,
	} {
		page := Parse(src, markup.Options{})
		if Is(src) {
			t.Errorf("%s is taken for a document", name)
		}
		if strings.Contains(show(page), "root:") {
			t.Errorf("%s: %s", name, show(page))
		}
	}
}

// FuzzParse holds that reading ends, and that the text is not more than what was read.
func FuzzParse(f *testing.F) {
	f.Add(docx, docxStyles)
	f.Add(odt, "")
	f.Add(fmt.Sprintf(slide, 1), "<")
	f.Fuzz(func(t *testing.T, text, styles string) {
		for _, src := range [][]byte{
			packed(t, "word/document.xml", text, "word/styles.xml", styles), packed(t, "content.xml", text, "styles.xml", styles), packed(t, "ppt/slides/slide1.xml", text), []byte(text),
		} {
			size := 0
			for _, b := range Parse(src, markup.Options{}).Blocks {
				size += len(b.Text)
				if strings.ContainsRune(b.Text, marker) {
					t.Errorf("a mark is left in %q", b.Text)
				}
			}
			if most := 100*len(text) + 100; size > most {
				t.Errorf("%d bytes of text of %d", size, len(text))
			}
		}
	})
}
