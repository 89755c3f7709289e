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

// Docs is the profile of documentation: the groups of a candidate are its page and its
// section.
var Docs = open("docs", NumDocs)
