package lua

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
)

// partFields are the fields of a part of a form. path and file are the same.
var partFields = []string{"name", "content", "path", "file", "filename", "type"}

// A partWriter writes the parts of a form.
type partWriter struct {
	c   call
	who string // for messages
	to  *multipart.Writer
}

// multipart makes a body of a table of parts. An element of its list is {name, content or
// path, filename, type}; a member of another name is the part of that name: a text, number
// or boolean, such a table without name, or a list of these. Files are read as fs.read does.
func (c call) multipart(name string, parts *table) (body []byte, kind string) {
	var b bytes.Buffer
	w := partWriter{c, name + ": multipart", multipart.NewWriter(&b)}
	if chance := c.vm.chance(); ReadsPolicies && chance != nil {
		var b [16]byte
		_, _ = chance.Read(b[:]) // it never fails
		_ = w.to.SetBoundary(hex.EncodeToString(b[:]))
	}
	list := parts.Len()
	for i := int64(1); i <= list; i++ {
		p := parts.GetInt(i).AsTable()
		if p == nil {
			c.Fail("%s: part %d must be a table", w.who, i)
		}
		field, ok := p.GetField("name").AsString()
		if !ok {
			c.Fail("%s: part %d needs a name", w.who, i)
		}
		w.table(field, p)
	}
	named, err := members(parts)
	c.Check(w.who, err)
	count := list
	for _, m := range named {
		if !parts.Get(c.NewString(m.name)).IsNil() {
			w.named(m.name, m.value)
			count++
		}
	}
	switch {
	case count < int64(len(named)):
		c.Fail("%s: the list of parts has a hole: part %d is nil", w.who, list+1)
	case count == 0:
		c.Fail("%s: there are no parts", w.who)
	}
	c.Check(w.who, w.to.Close())
	return b.Bytes(), w.to.FormDataContentType()
}

// named writes a member of the table: one part, or one for each element of a list.
func (w partWriter) named(field string, v value) {
	t := v.AsTable()
	if t == nil {
		w.write(field, w.text(field, v), "", "")
		return
	}
	if n, ok := t.List(); !ok || n == 0 {
		w.table(field, t)
		return
	}
	for i := int64(1); i <= t.Len(); i++ {
		e := t.GetInt(i)
		if one := e.AsTable(); one != nil {
			w.table(field, one)
		} else {
			w.write(field, w.text(field, e), "", "")
		}
	}
}

// text returns a value as a form has it.
func (w partWriter) text(field string, v value) string {
	s, ok := v.Text()
	if !ok && v.TypeName() != "boolean" {
		w.c.Fail("%s: %s must be a string, a number, a boolean, a table with content or path, or a list of them", w.who, field)
	}
	if !ok {
		s = fmt.Sprint(v.Truth())
	}
	return s
}

// table writes a part that is a table of partFields.
func (w partWriter) table(field string, p *table) {
	c := w.c
	c.checkNames(w.who+": "+field, "field", p, partFields)
	option := func(name string) string {
		v := p.GetField(name)
		s, ok := v.AsString()
		if !v.IsNil() && !ok {
			c.Fail("%s: %s: %s must be a string", w.who, field, name)
		}
		return s
	}
	filename, path := option("filename"), option("path")+option("file")
	content := p.GetField("content")
	if content.IsNil() == (path == "") {
		c.Fail("%s: %s needs either content or path", w.who, field)
	}
	if path == "" {
		w.write(field, w.text(field, content), filename, option("type"))
		return
	}
	text, err := c.readFile(path)
	if err != nil {
		c.Fail("%s: %s: reading %q: %v", w.who, field, path, file.Bare(err))
	}
	if p.GetField("filename").IsNil() {
		filename = filepath.Base(path)
	}
	w.write(field, text, filename, option("type"))
}

func (w partWriter) write(field, content, filename, kind string) {
	h := textproto.MIMEHeader{}
	disposition := fmt.Sprintf(`form-data; name="%s"`, quoteEscaper.Replace(field))
	if filename != "" {
		disposition += fmt.Sprintf(`; filename="%s"`, quoteEscaper.Replace(filename))
		h.Set("Content-Type", "application/octet-stream")
	}
	h.Set("Content-Disposition", disposition)
	if kind != "" {
		h.Set("Content-Type", quoteEscaper.Replace(kind))
	}
	w.c.Room(2 * int64(len(content)))
	part, err := w.to.CreatePart(h)
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	w.c.Check(w.who, err)
}

// quoteEscaper escapes the marks that would end a quoted part of a header, as browsers do.
var quoteEscaper = strings.NewReplacer("\\", "\\\\", `"`, "%22", "\r", "%0D", "\n", "%0A")
