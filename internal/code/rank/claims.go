package rank

// The signals of a place in a text that may say what is looked for, in the order of the
// profile's file. Package claims measures them. Words are the part of the weight of all.
const (
	ClaimsHere = iota
	ClaimsFile
	ClaimsBigFile
	ClaimsFolder
	ClaimsBigFolder
	ClaimsProject
	ClaimsDescription
	ClaimsDeclared
	ClaimsPath
	ClaimsAlike
	NumClaims
)

var claimsSignals = [NumClaims]string{
	ClaimsHere: "words in its lines", ClaimsFile: "words in its file", ClaimsBigFile: "words in its large file",
	ClaimsFolder: "words in its folder", ClaimsBigFolder: "words in its large folder", ClaimsProject: "words in the project",
	ClaimsDescription: "words of the description alone", ClaimsDeclared: "declares the name", ClaimsPath: "is the path", ClaimsAlike: "alike in meaning",
}

// Claims is the profile of places in code and documents that claims are compared with.
var Claims = open("claims", claimsSignals[:])
