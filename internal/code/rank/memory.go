package rank

// The signals of notes and sessions, in the order of the profile's file. Package vault
// measures them.
const (
	MemoryBM25 = iota
	MemoryTogether
	MemoryFile
	MemoryAbove
	MemoryQuoted
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

// Memory is the profile of notes and sessions: the group of a candidate is its file.
var Memory = open("memory", NumMemory)
