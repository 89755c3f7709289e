package rank

// The signals of notes and sessions, in the order of the profile's file. Package vault
// measures them.
const (
	MemoryBM25 = iota
	MemoryTogether
	MemoryFile
	MemoryAbove
	MemoryQuoted
	MemoryPhrase
	MemoryPairs
	MemoryMeaning
	MemoryNamed
	MemoryGuessed
	MemoryWhen
	MemoryProject
	MemoryPinned
	MemoryImportant
	MemoryRecent
	MemoryAge
	MemorySuperseded
	MemoryInvalid
	MemoryUnimportant
	MemoryAsks
	MemoryElsewhen
	MemoryNameless
	NumMemory
)

var memorySignals = [NumMemory]string{
	MemoryBM25: "bm25", MemoryTogether: "words together", MemoryFile: "words in the file", MemoryAbove: "words in title or heading",
	MemoryQuoted: "quoted", MemoryPhrase: "phrase", MemoryPairs: "neighbours", MemoryMeaning: "meaning",
	MemoryNamed: "named", MemoryGuessed: "guessed words", MemoryWhen: "of the time asked about", MemoryProject: "of this project", MemoryAge: "age", MemorySuperseded: "superseded",
	MemoryPinned: "pinned", MemoryImportant: "important", MemoryRecent: "recent", MemoryInvalid: "not valid", MemoryUnimportant: "of low importance",
	MemoryAsks: "only asks", MemoryElsewhen: "of another time", MemoryNameless: "lacks what is named",
}

// Memory is the profile of notes and sessions: the group of a candidate is its file.
var Memory = open("memory", memorySignals[:])
