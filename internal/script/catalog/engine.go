package catalog

// Fields are the parts of a document.
type Fields struct{ Name, Description, Keywords, Functions, Asked string }

func (f *Fields) each() [numFields]string {
	return [numFields]string{f.Name, f.Description, f.Keywords, f.Functions, f.Asked}
}

const (
	functionsField = 3
	numFields      = 5
)

// A Result is one answer.
type Result struct {
	ID    string
	Score float64 // positive; it compares with others of the same question alone
}

// keptFrom is the number of modules in a folder from which on their terms are kept between questions.
const keptFrom = 500
