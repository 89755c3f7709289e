// Package markup is what the pages of a library's documentation are read into,
// whatever they were written in: blocks under headings, in the order of the text.
package markup

// A Page is one file of documentation.
type Page struct {
	Title       string // the first heading of the highest level, front matter, or what else names it; "" where nothing does
	Description string // from front matter; "" where there is none
	Blocks      []Block
	Refs        []Ref // in the order of the text, where Options.Refs asks for them
}

// A Ref is a place at which a page names something outside its own words.
type Ref struct {
	Kind   RefKind
	Target string // as written: an address, the text of a code span, an anchor
	Line   int    // one-based, where the link or the span begins
	// First says that a code span opens a list item or a row of a table.
	First bool
}

// A RefKind says what a Ref is.
type RefKind uint8

// The kinds of Ref.
const (
	Link  RefKind = iota
	Image         // its source
	Span          // a code span
	Mark          // a place that links can lead to, which is no heading
)

// A Block is a piece of a page that is not cut but at its own seams.
type Block struct {
	Kind Kind
	// Text is plain text with light Markdown where the source marks it: `code`,
	// links by their words alone, list items as lines with "- " or their number, and deeper ones
	// indented. Of Code it is the code as it stands, without its fence; of a Table
	// rows of cells with " | " between them; of a Heading its words.
	Text   string
	Level  int    // of a Heading, from 1
	Lang   string // of Code, as written: "go", "python"; "" where it is not
	Anchor string // of a Heading: the part of an address after #, where the source or its tool defines one
	Line   int    // one-based, where it begins in the source
}

// A Kind says what a Block is.
type Kind uint8

// The kinds of Block.
const (
	Prose Kind = iota // a paragraph, a list, a quotation, a note
	Heading
	Code
	Table
)

// Options are what a reader may ask of the world around a page. Nil fields answer
// nothing.
type Options struct {
	// Refs asks for the page's links, images, code spans and marks.
	Refs bool
	// Path is the page's own, slash-separated, below the root of its checkout.
	Path string
	// Include returns the text of a file of the checkout by a path relative to the
	// page's folder, or from the root where it begins with "/". It refuses what
	// leaves the checkout.
	Include func(path string) ([]byte, error)
	// Doc returns the documentation of a program's object by its dotted name, as
	// reStructuredText or Markdown text: what ":::" and autodoc directives stand for.
	Doc func(kind, name string) (string, bool)
	// Markdown reads what a page of another language includes that is Markdown.
	Markdown func(src []byte, path string) []Block
}
