package library

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/docs/apidoc"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/asciidoc"
	"github.com/assay-dev/assay/internal/docs/markup/html"
	"github.com/assay-dev/assay/internal/docs/markup/llms"
	"github.com/assay-dev/assay/internal/docs/markup/man"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
	"github.com/assay-dev/assay/internal/docs/markup/notebook"
	"github.com/assay-dev/assay/internal/docs/markup/office"
	"github.com/assay-dev/assay/internal/docs/markup/rdoc"
	"github.com/assay-dev/assay/internal/docs/markup/rst"
)

// A File is a page that has not been read yet.
type File struct {
	Path string // below the root of the source, slash-separated
	URL  string // of the page; "" where it has none
	Hash string // of the file, as in Page; if "", the SHA-256 of Data in hexadecimal
	// Format is what it is written in; if "", what FormatOf says.
	Format Format
	// Keep says that the page is as it was: Data is not called. See Page.
	Keep bool
	// Data returns what the file holds, and whoever calls Read bounds it. It is called
	// once at most, on another goroutine than the one that yields files, as the
	// functions in Options are: all of them may run at the same time as those of other
	// files, and after the last file was yielded.
	Data func() ([]byte, error)
	// Language is that of a file of Format Source, and Names what Python's packages pass on.
	Language string
	Names    *apidoc.Names
	// Options are handed to the parser, with Path where they have none.
	Options markup.Options
}

// Read parses files and cuts them into snippets, n at a time (as many as there
// are processors if n is 0), and yields their pages in the order of files. files
// is asked for no more than a few pages ahead, and only between the pages that are
// yielded, on the goroutine that takes them. A page may have no snippets. An
// error of files or of Data ends it, as does ctx; when it has ended, nothing of it
// is still running.
func Read(ctx context.Context, n int, files iter.Seq2[File, error]) iter.Seq2[Page, error] {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Page, error) bool) {
		r := newReading(ctx, n)
		defer r.end()
		for f, err := range files {
			if err == nil {
				err = r.ctx.Err()
			}
			if err != nil {
				if r.drain(yield) {
					yield(Page{}, err)
				}
				return
			}
			if len(r.pending) == cap(r.pending) && !r.next(yield) {
				return
			}
			r.start(f)
		}
		r.drain(yield)
	}
}

// ahead is how many pages are read for each that is parsed at a time: a long page
// keeps the others from waiting for the one who takes them.
const ahead = 16

// A reading is a Read under way.
type reading struct {
	ctx     context.Context
	stop    context.CancelFunc
	pending chan chan read // oldest first
	work    chan job
	group   sync.WaitGroup
}

type read struct {
	page Page
	err  error
}

type job struct {
	file File
	done chan read
}

func newReading(ctx context.Context, n int) *reading {
	r := &reading{pending: make(chan chan read, ahead*n), work: make(chan job, ahead*n)}
	r.ctx, r.stop = context.WithCancel(ctx)
	for range n {
		r.group.Go(func() {
			for j := range r.work {
				if err := r.ctx.Err(); err != nil {
					j.done <- read{err: err}
					continue
				}
				p, err := j.file.page()
				j.done <- read{p, err}
			}
		})
	}
	return r
}

// start hands a file to whoever parses; there is room for it.
func (r *reading) start(f File) {
	done := make(chan read, 1)
	r.pending <- done
	r.work <- job{f, done}
}

// next yields the oldest page, and reports whether to go on.
func (r *reading) next(yield func(Page, error) bool) bool {
	got := <-<-r.pending
	if got.err == nil {
		got.err = r.ctx.Err()
	}
	if got.err != nil {
		yield(Page{}, got.err)
		return false
	}
	return yield(got.page, nil)
}

func (r *reading) drain(yield func(Page, error) bool) bool {
	for len(r.pending) > 0 {
		if !r.next(yield) {
			return false
		}
	}
	return true
}

func (r *reading) end() {
	r.stop()
	close(r.work)
	r.group.Wait()
}

// page reads and cuts one file.
func (f *File) page() (Page, error) {
	p := Page{Path: f.Path, Hash: f.Hash, Keep: f.Keep}
	if f.Keep {
		return p, nil
	}
	data, err := f.Data()
	if err != nil {
		return p, fmt.Errorf("read %s: %w", f.Path, err)
	}
	if p.Hash == "" {
		sum := sha256.Sum256(data)
		p.Hash = hex.EncodeToString(sum[:])
	}
	if f.Format == Source {
		p.Snippets = reference(apidoc.Read(f.Path, f.Language, data, f.Names), f.Path, f.URL)
		return p, nil
	}
	opt := f.Options
	opt.Path = cmp.Or(opt.Path, f.Path)
	p.Snippets, p.Unfilled = cut(Parse(data, cmp.Or(f.Format, FormatOf(f.Path, data)), opt), f.Path, f.URL)
	return p, nil
}

// Parse reads a page that is written in format.
func Parse(data []byte, format Format, opt markup.Options) markup.Page {
	switch format {
	case MDX:
		return markdown.ParseMDX(data, opt)
	case RST:
		opt.Markdown = func(src []byte, path string) []markup.Block {
			in := opt
			in.Path = path
			return markdown.Parse(src, in).Blocks
		}
		return rst.Parse(data, opt)
	case AsciiDoc:
		if bytes.HasPrefix(data, []byte("-----BEGIN ")) {
			return markup.Page{} // a signature
		}
		return asciidoc.Parse(data, opt)
	case HTML:
		return html.Parse(data, opt)
	case Notebook:
		return notebook.Parse(data, opt)
	case Man:
		return man.Parse(data, opt)
	case Office:
		return office.Parse(data, opt)
	case RDoc:
		return rdoc.Parse(data, opt)
	case LLMs:
		page, _ := llms.Parse(data)
		return page
	case Metadata:
		return metadata(data, opt)
	case Example:
		return apidoc.ReadExample(opt.Path, data)
	}
	return markdown.Parse(data, opt)
}

// metadata reads the description of a package of Python, its README as a rule, that follows the fields.
func metadata(data []byte, opt markup.Options) markup.Page {
	fields, body, _ := bytes.Cut(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n\n"))
	format, name := RST, ""
	for line := range strings.SplitSeq(string(fields), "\n") {
		switch field, value, _ := strings.Cut(line, ":"); {
		case strings.EqualFold(field, "Name"):
			name = strings.TrimSpace(value)
		case strings.EqualFold(field, "Description-Content-Type") && !strings.Contains(strings.ToLower(value), "rst"):
			format = Markdown
		}
	}
	page := Parse(body, format, opt)
	page.Title = cmp.Or(page.Title, name)
	return page
}

// A Format is what a page is written in.
type Format string

// The formats. Markdown is what any text may be read as.
const (
	Markdown Format = "markdown"
	MDX      Format = "mdx"
	RST      Format = "rst"
	AsciiDoc Format = "asciidoc"
	HTML     Format = "html"
	Notebook Format = "notebook"
	LLMs     Format = "llms"
	Man      Format = "man"
	Office   Format = "office"
	RDoc     Format = "rdoc"
	Metadata Format = "metadata" // of an installed package of Python, which has its README
	Example  Format = "example"  // the source of an example
	// Source is program text, whose public declarations become an API reference. FormatOf
	// never says so: not every source file is one that others use.
	Source Format = "source"
)

// FormatOf returns the format of a file by the end of its name and, where that
// leaves it open, by what it holds: of ".txt" as Sphinx and Git write it, of ".md"
// that is MDX. It is "" where the name is not of a page of documentation. data may
// be nil: then the name alone says what it may be.
func FormatOf(path string, data []byte) Format {
	name := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		if strings.HasSuffix(path, ".dist-info/METADATA") {
			return Metadata
		}
		return ""
	}
	switch name[dot:] {
	case ".mdx":
		return MDX
	case ".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd":
		if likeMDX(data) {
			return MDX
		}
		return Markdown
	case ".rst", ".rest":
		return RST
	case ".adoc", ".asciidoc", ".asc":
		return AsciiDoc
	case ".html", ".htm", ".xhtml":
		return HTML
	case ".rdoc":
		return RDoc
	case ".ipynb":
		return Notebook
	case ".docx", ".odt", ".odp", ".pptx":
		return Office
	case ".txt":
		if name == "llms.txt" {
			return LLMs
		}
		if inner := FormatOf(name[:dot], data); inner != "" {
			return inner // Sphinx keeps its sources as NAME.rst.txt
		}
		return plainFormat(data)
	case ".gz": // as systems keep them: whoever reads the file unpacks it
		if inManual(name[strings.LastIndexByte(name[:dot], '.')+1 : dot]) {
			return Man
		}
	}
	if inManual(name[dot+1:]) && (data == nil || man.Is(data)) {
		return Man
	}
	return ""
}

// inManual reports whether what a name ends with is a section of the manual: "1", "3pm".
func inManual(section string) bool {
	if section == "" || len(section) > 6 || section[0] < '1' || section[0] > '9' || section == "7z" {
		return false
	}
	return strings.Trim(section[1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// sniff is how much of a file says what it is written in.
const sniff = 64 << 10

// likeMDX reports whether Markdown has what only MDX has: imports and exports, or
// comments between braces, outside of code.
func likeMDX(data []byte) bool {
	found, script := false, false
	proseLines(data, func(line string) bool {
		switch {
		case strings.HasPrefix(line, "<script"), strings.HasPrefix(line, "<style"):
			script = true
		case strings.HasPrefix(line, "</script"), strings.HasPrefix(line, "</style"):
			script = false
		case script:
		case strings.HasPrefix(line, "import ") && (strings.Contains(line, " from '") || strings.Contains(line, ` from "`)),
			strings.HasPrefix(line, "export const "), strings.HasPrefix(line, "export default "),
			strings.HasPrefix(line, "{/*"), strings.HasPrefix(line, "#") && strings.HasSuffix(strings.TrimRight(line, " \t\r"), "*/}"):
			found = true
		}
		return !found
	})
	return found
}

// proseLines yields the lines of Markdown that stand outside of fences.
func proseLines(data []byte, yield func(line string) bool) {
	open := ""
	for line := range strings.SplitSeq(string(data[:min(len(data), sniff)]), "\n") {
		t := strings.TrimLeft(line, " \t")
		mark := t[:len(t)-len(strings.TrimLeft(t, "`"))]
		if len(mark) < 3 {
			mark = t[:len(t)-len(strings.TrimLeft(t, "~"))]
		}
		switch {
		case open != "":
			if strings.HasPrefix(mark, open) {
				open = ""
			}
		case len(mark) >= 3:
			open = mark
		case !yield(line):
			return
		}
	}
}

// plainFormat tells reStructuredText, AsciiDoc and Markdown apart by what each
// alone has. A text that has nothing of any is all three.
func plainFormat(data []byte) Format {
	var rst, adoc, md int
	last := ""
	for line := range strings.SplitSeq(string(data[:min(len(data), sniff)]), "\n") {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case strings.HasPrefix(line, ".. "), strings.HasPrefix(strings.TrimLeft(line, " "), ".. ") && strings.Contains(line, "::"),
			strings.HasPrefix(line, ":") && strings.Contains(line, "`"), strings.Contains(line, "``") && !strings.Contains(line, "```"),
			strings.HasSuffix(line, "::") && strings.Contains(line, " "):
			rst++
		case strings.HasPrefix(line, "[["), strings.HasPrefix(line, "include::"), strings.HasPrefix(line, "ifdef::"),
			strings.HasPrefix(line, "== "), strings.HasPrefix(line, "=== "), line == "----" && last == "", line == "+", strings.Contains(line, "link:") && strings.HasSuffix(line, "]"):
			adoc++
		case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "## "), strings.HasPrefix(line, "### "), strings.HasPrefix(line, "```"):
			md++
		}
		last = line
	}
	switch {
	case adoc > rst && adoc >= md:
		return AsciiDoc
	case md > rst:
		return Markdown
	}
	return RST
}
