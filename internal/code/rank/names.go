package rank

// The signals of a name that is looked up, in the order of the profile's file: of each
// candidate one holds. Package library measures them.
const (
	NamesSame = iota
	NamesBare
	NamesPrefix
	NamesWord
	NamesPart
	NamesOneLetter
	NamesTwoLetters
	NamesBegins
	NamesText
	NumNames
)

var namesSignals = [NumNames]string{
	NamesSame: "the name", NamesBare: "the name but for its ending", NamesPrefix: "begins alike", NamesWord: "a word of the name", NamesPart: "part of the name",
	NamesOneLetter: "one letter differs", NamesTwoLetters: "two letters differ", NamesBegins: "goes on where it ends", NamesText: "a word of the description",
}

// Names is the profile of libraries that are looked up by their names.
var Names = open("names", namesSignals[:])
