package rank

// The signals of documentation, in the order of the profile's file. Package library
// measures them.
const (
	DocsWords = iota
	DocsNameInTitle
	DocsNameInContent
	DocsOption
	DocsTitle
	DocsPairsInTitle
	DocsPairsInContent
	DocsPageTitle
	DocsPageWords
	DocsSamePage
	DocsHeaded
	DocsExplained
	DocsDeclares
	// Of the best candidates of a library with declarations, against the mean of them: see package library.
	DocsNameMeans
	DocsMeans
	DocsSaidLater
	DocsNameShort
	DocsDeclaration
	// Of declarations, against the mean of those among them: what orders them among each other alone.
	DocsSigned
	DocsDescribed
	DocsSmall
	DocsShallow
	DocsCurrent
	DocsAmong // what a declaration gains or loses by the order of declarations among each other
	DocsMeaning
	NumDocs
)

var docsSignals = [NumDocs]string{
	DocsWords: "words", DocsNameInTitle: "name in the title", DocsNameInContent: "name in the content", DocsOption: "option in title or content",
	DocsTitle: "words are the title", DocsPairsInTitle: "neighbours in the title", DocsPairsInContent: "neighbours in the content",
	DocsPageTitle: "words are the page's title", DocsPageWords: "words in the page's title or file name", DocsSamePage: "other candidates of its page",
	DocsHeaded: "a heading is its name", DocsExplained: "a section's code names it", DocsDeclares: "declares the name",
	DocsNameMeans: "its name means the words", DocsMeans: "its name and first sentence mean the words", DocsSaidLater: "words after its first sentence",
	DocsNameShort: "its name is short", DocsDeclaration: "a declaration",
	DocsSigned: "its signature is long", DocsDescribed: "much is said of it", DocsSmall: "its name begins small",
	DocsShallow: "few folders are above it", DocsCurrent: "not deprecated", DocsAmong: "among declarations",
	DocsMeaning: "meaning",
}

// Docs is the profile of documentation: the groups of a candidate are its page and its
// section.
var Docs = open("docs", docsSignals[:])
