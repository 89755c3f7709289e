package apidoc

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
	"github.com/assay-dev/assay/internal/docs/openapi"
)

// OpenAPI is what Language says of descriptions of HTTP APIs, whose entries are operations.
const OpenAPI = "openapi"

const (
	maxOpenAPI = 16 << 20 // bytes
	maxListed  = 60       // parameters, or fields of a body, that are listed
	maxSaid    = 1200     // bytes of what is said of an operation
	maxPhrase  = 240      // of what is said of one of its parts
)

// operations returns an entry of each operation. A file that is no description, or one
// that cannot be read, has none.
func operations(p string, data []byte) (out []Entry) {
	if len(data) <= maxOpenAPI && isTypedoc(data) {
		return reflections(data)
	}
	if len(data) > maxOpenAPI || !openapi.Is(data) {
		return nil
	}
	d, err := openapi.Read(data)
	if err != nil {
		return nil
	}
	title := cmp.Or(d.Title, path.Base(p))
	for i := range d.Operations {
		o := &d.Operations[i]
		e := entryOf(o.Method+" "+o.Path, o.Summary, o.Tags, o.Line, title)
		e.Blocks = operation(d, o)
		out = append(out, e)
	}
	for i := range d.Exchanges {
		out = append(out, exchangeEntry(d, &d.Exchanges[i], title))
	}
	return out
}

// entryOf begins the entry of what a file calls by a short name, "GET /pets", and says in a summary.
func entryOf(name, summary string, tags []string, line int, title string) Entry {
	e := Entry{Title: name, Line: line, Trail: []string{title}}
	if s := phrase(summary); s != "" {
		e.Title = s + " (" + name + ")"
	}
	if len(tags) > 0 && tags[0] != "" && tags[0] != title {
		e.Trail = append(e.Trail, tags[0])
	}
	e.Trail = append(e.Trail, e.Title)
	return e
}

func operation(d *openapi.Document, o *openapi.Operation) (out []markup.Block) {
	prose := func(format string, args ...any) {
		out = append(out, markup.Block{Kind: markup.Prose, Text: fmt.Sprintf(format, args...), Line: o.Line})
	}
	out = append(out, markup.Block{Kind: markup.Code, Lang: "http", Text: o.Method + " " + o.Path, Line: o.Line})
	if o.ID != "" {
		prose("Operation `%s`.", o.ID)
	}
	if o.Deprecated {
		prose("Deprecated.")
	}
	out = append(out, described(o.Description, o.Line)...)
	if params := paramsOf(o.Params); params != "" {
		prose("%s", params)
	}
	if o.Body != nil {
		fields := fieldsOf(o.Body.Schema, "", nil)
		head := "Body (" + o.Body.Type + map[bool]string{true: ", required"}[o.Body.Required] + ")" + named(o.Body.Schema)
		if s := phrase(o.Body.Description); s != "" {
			head += ": " + s
		} else if len(fields) > 0 {
			head += ":"
		}
		prose("%s", strings.Join(append([]string{head}, most(fields)...), "\n"))
	}
	var responses []string
	for _, r := range o.Responses {
		line := "- `" + r.Status + "`" + named(r.Schema)
		if s := phrase(r.Description); s != "" {
			line += ": " + s
		}
		responses = append(responses, line)
	}
	if len(responses) > 0 {
		prose("Responses:\n%s", strings.Join(most(responses), "\n"))
	}
	out = append(out, markup.Block{Kind: markup.Code, Lang: "bash", Text: curl(d, o), Line: o.Line})
	if r := o.Success(); r != nil && openapi.JSON(r.Type) {
		if fields := fieldsOf(r.Schema, "", nil); len(fields) > 0 {
			prose("Answer:\n%s", strings.Join(most(fields), "\n"))
		}
		if e := r.Example(); e != "" && e != "{}" && e != "[]" && len(e) < maxSaid {
			out = append(out, markup.Block{Kind: markup.Code, Lang: "json", Text: e, Line: o.Line})
		}
	}
	return out
}

// described returns the blocks of a description, whose headings are below that of the entry.
func described(description string, line int) []markup.Block {
	blocks := markdown.Parse([]byte(short(description, maxSaid)), markup.Options{}).Blocks
	for i := range blocks {
		if blocks[i].Kind == markup.Heading {
			blocks[i].Kind = markup.Prose
		}
		blocks[i].Line = line
	}
	return blocks
}

// paramsOf lists parameters, "" where there are none.
func paramsOf(all []openapi.Param) string {
	if len(all) == 0 {
		return ""
	}
	var lines []string
	for _, p := range all {
		lines = append(lines, listed(p.Name, p.In, p.Required || p.In == "path", p.Description, p.Schema))
	}
	return "Parameters:\n" + strings.Join(most(lines), "\n")
}

func most(lines []string) []string {
	if len(lines) > maxListed {
		return append(slices.Clone(lines[:maxListed]), fmt.Sprintf("- … and %d more", len(lines)-maxListed))
	}
	return lines
}

// named says what a schema is, in a few words: " User", " [User]", " string".
func named(s openapi.Schema) string {
	if name := kindOf(s); name != "" {
		return " " + name
	}
	return ""
}

func kindOf(s openapi.Schema) string {
	if s.Type() == "array" {
		return "[" + cmp.Or(s.Items().Name(), s.Items().Type(), "value") + "]"
	}
	return cmp.Or(s.Name(), s.Type())
}

// listed is the line of a parameter or a field.
func listed(name, in string, required bool, said string, s openapi.Schema) string {
	notes := []string{}
	for _, n := range []string{in, kindOf(s), s.Format()} {
		if n != "" {
			notes = append(notes, n)
		}
	}
	if required {
		notes = append(notes, "required")
	}
	if v := s.Default(); v != "" {
		notes = append(notes, "default "+text.Clip(v, 40))
	}
	line := "- `" + name + "`"
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, ", ") + ")"
	}
	if v := s.Enum(); len(v) > 0 {
		line += " one of " + short(strings.Join(v, ", "), maxPhrase)
	}
	if said = phrase(said); said != "" {
		line += ": " + said
	}
	return line
}

// fieldsOf lists the fields of an object, and those of what is in it a level deeper.
func fieldsOf(s openapi.Schema, indent string, out []string) []string {
	if s.Type() == "array" {
		s = s.Items()
	}
	for _, f := range s.Fields() {
		if len(out) > maxListed {
			return out
		}
		out = append(out, indent+listed(f.Name, "", f.Required, f.Description, f.Schema))
		if indent == "" {
			out = fieldsOf(f.Schema, "  ", out)
		}
	}
	return out
}

// curl returns a request as a command line that can be pasted.
func curl(d *openapi.Document, o *openapi.Operation) string {
	address := d.Server
	if !strings.Contains(address, "://") {
		address = "https://HOST" + address
	}
	address = strings.TrimRight(address, "/") + o.Path
	sep := "?"
	lines := []string{}
	flag := func(f, v string) { lines = append(lines, "-"+f+" "+shell(v)) }
	for _, p := range o.Params {
		if !p.Required {
			continue
		}
		value := strings.Trim(p.Schema.Example(), `"`)
		switch p.In {
		case "query":
			address += sep + p.Name + "=" + value
			sep = "&"
		case "header":
			flag("H", p.Name+": "+value)
		}
	}
	if len(d.Schemes) > 0 && !o.Open {
		switch s := d.Schemes[0]; {
		case s.Scheme == "basic":
			flag("u", "USER:PASSWORD")
		case s.Type == "apiKey" && s.In == "header":
			flag("H", s.Name+": KEY")
		case s.Type == "apiKey" && s.In == "query":
			address += sep + s.Name + "=KEY"
		default:
			flag("H", "Authorization: Bearer TOKEN")
		}
	}
	if o.Body != nil {
		flag("H", "Content-Type: "+cmp.Or(o.Body.Type, "application/json"))
		if body := o.Body.Example(); openapi.JSON(o.Body.Type) && body != "" {
			flag("d", body)
		}
	}
	head := "curl "
	if o.Method != openapi.Get {
		head += "-X " + o.Method + " "
	}
	return strings.Join(append([]string{head + shell(address)}, lines...), " \\\n  ")
}

// shell quotes a word.
func shell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// phrase returns a text in one line.
func phrase(s string) string { return short(strings.Join(strings.Fields(s), " "), maxPhrase) }

// short cuts a text at a word.
func short(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = strings.ToValidUTF8(s[:limit], "")
	if i := strings.LastIndexAny(s, " \n"); i > limit/2 {
		s = s[:i]
	}
	return s + " …"
}
