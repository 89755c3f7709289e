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

// Names is the profile of libraries that are looked up by their names.
var Names = open("names", NumNames)
