package rank

// A Beside weighs what a caller's guesses find beside what its question finds, where guesses are
// asked for as a question of their own: in notes, documentation and modules. It is made for one question.
type Beside struct {
	profile *Profile
	trust   float64
	most    float64 // the most that the question's own evidence comes to
}

// NewBeside returns how guesses are weighed whose cosine with the question is near; meant says that
// it is known. best is the most evidence that the question alone has for a candidate.
func NewBeside(p *Profile, near float64, meant bool, best float64) Beside {
	l := p.Constant("guesses believed: by words alone")
	if meant {
		l = p.Constant("guesses believed: near the query")*near - p.Constant("guesses doubted")
	}
	return Beside{p, sigmoid(l), max(best, 1e-9)}
}

// Adds returns what guesses with some evidence for a candidate add to that of the question. They
// count in full only for what the question speaks for too, and never more than a bound.
func (b Beside) Adds(own, guessed float64) float64 {
	alone := b.profile.Constant("guesses without the query")
	agree := alone + (1-alone)*max(0, own)/b.most
	return b.profile.Constant("guesses at most") * b.trust * agree * guessed / (guessed + b.profile.Constant("guesses for half"))
}

// Explain adds to a breakdown what guesses with some evidence add.
func (b Beside) Explain(breakdown []Signal, guessed, adds float64) []Signal {
	if adds == 0 {
		return breakdown
	}
	return append(breakdown, Signal{"guessed words", guessed, adds})
}
