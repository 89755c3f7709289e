package rank

import (
	"slices"
	"testing"
)

var filesSignals = [NumFiles]string{
	FilesNear: "near the first hit", FilesTogether: "hits together", FilesWords: "words covered",
	FilesTraced: "place of a frame or a diff", FilesMentioned: "place mentioned", FilesUsed: "used by likely files", FilesUses: "uses likely files",
	FilesTest: "test", FilesProse: "prose", FilesForeign: "generated or vendored",
}

var placesSignals = [NumPlaces]string{
	PlacesFile: "file", PlacesNear: "near the file's best hit", PlacesWords: "words covered", PlacesNamed: "words in the name",
	PlacesLong: "long", PlacesAlone: "one of few in its file", PlacesCalled: "linked to likely ones", PlacesTraced: "place of a frame or a diff",
}

var testsSignals = [NumTests]string{
	TestsHit: "best hit", TestsFirst: "near the first hit", TestsNamed: "named after a likely file", TestsCalls: "calls a likely declaration",
	TestsImports: "imports a likely file", TestsTraced: "place of a frame or a diff",
}

var claimsSignals = [NumClaims]string{
	ClaimsHere: "words in its lines", ClaimsFile: "words in its file", ClaimsBigFile: "words in its large file",
	ClaimsFolder: "words in its folder", ClaimsBigFolder: "words in its large folder", ClaimsProject: "words in the project",
	ClaimsDescription: "words of the description alone", ClaimsDeclared: "declares the name", ClaimsPath: "is the path", ClaimsAlike: "alike in meaning",
}

var codeSignals = [numCode]string{
	codeBM25: "bm25", codeCover: "words covered", codeDocCover: "words covered by the file", codeDocSum: "the file's chunks together",
	codeNamed: "named in a declaration", codeDeclared: "declares the symbol", codeExact: "declares the exact form", codeScoped: "in a declaration of the name",
	codeStem: "in the file's name", codeFile: "is the file's name", codeFolder: "in the folder's name", codeFirst: "first of its file",
	codeCalled: "called by files", codeFileCalled: "its file is called by files",
	codeDeclaration: "code of a declaration", codeInFile: "in a file of the text", codeAtPlace: "at a place of the text", codeHistory: "in past changes of these words", codeMeaning: "meaning", codeFileMeaning: "meaning of the file",
	codeFileAlike: "is the file's name, words alike", codeCoverAlike: "words covered, words alike", codeFileNamed: "named in the file", codeFileBest: "the file's best chunk", codeFileDense: "the file's chunks by its size", codeNamedMeaning: "named and meant",
	codeGuessed: "guessed words",
	codeTest:    "test", codeExample: "example", codeCompat: "compatibility", codePlatform: "for another platform", codeProse: "prose", codeStub: "stub",
	codeGenerated: "generated", codeVendored: "vendored",
}

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

var mapSignals = [NumMap]string{MapUsed: "used by files", MapFocus: "in the focus", MapMembers: "what its members have"}

var reachSignals = [NumReach]string{
	ReachCalls: "calls it", ReachCalled: "is called by it", ReachTypes: "implements it", ReachImports: "imports it",
	ReachName: "a test by its name", ReachHistory: "changed with it", ReachChanged: "is a changed test",
	ReachWords: "has its words", ReachFolder: "in its folder", ReachImported: "imported by it",
}

var memorySignals = [NumMemory]string{
	MemoryBM25: "bm25", MemoryTogether: "words together", MemoryFile: "words in the file", MemoryAbove: "words in title or heading",
	MemoryQuoted: "quoted", MemoryMeaning: "meaning",
	MemoryNamed: "named", MemoryGuessed: "guessed words", MemoryWhen: "of the time asked about", MemoryProject: "of this project", MemoryAge: "age", MemorySuperseded: "superseded",
	MemoryPinned: "pinned", MemoryImportant: "important", MemoryRecent: "recent", MemoryInvalid: "not valid", MemoryUnimportant: "of low importance",
	MemoryAsks: "only asks", MemoryElsewhen: "of another time", MemoryNameless: "lacks what is named",
}

var modulesSignals = [NumModules]string{
	ModulesName: "in the name", ModulesDescription: "in the description", ModulesKeywords: "in the keywords", ModulesFunctions: "in the functions",
	ModulesAsked: "in the questions", ModulesShadowed: "in a module that it shadows",
}

var namesSignals = [NumNames]string{
	NamesSame: "the name", NamesBare: "the name but for its ending", NamesPrefix: "begins alike", NamesWord: "a word of the name", NamesPart: "part of the name",
	NamesOneLetter: "one letter differs", NamesTwoLetters: "two letters differ", NamesBegins: "goes on where it ends", NamesText: "a word of the description",
}

// The signals that code measures by number are those that the file of the profile names, in its order.
func TestSignals(t *testing.T) {
	named := map[string][]string{
		"claims":  claimsSignals[:],
		"code":    codeSignals[:],
		"docs":    docsSignals[:],
		"files":   filesSignals[:],
		"map":     mapSignals[:],
		"memory":  memorySignals[:],
		"modules": modulesSignals[:],
		"names":   namesSignals[:],
		"places":  placesSignals[:],
		"reach":   reachSignals[:],
		"tests":   testsSignals[:],
	}
	for name, open := range all {
		t.Run(name, func(t *testing.T) {
			if have := open().Signals(); !slices.Equal(have, named[name]) {
				t.Errorf("profile %s has the signals %q, want %q", name, have, named[name])
			}
		})
	}
}
