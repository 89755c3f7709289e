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

// Claims is the profile of places in code and documents that claims are compared with.
var Claims = open("claims", NumClaims)
