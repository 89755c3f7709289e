package text

// A Vocabulary caches the results of a function of words. It is for one goroutine.
type Vocabulary[T any] struct {
	of    func(word []byte) T
	known map[string]T
}

// mostWords is how many words are remembered.
const mostWords = 1 << 16

// NewVocabulary returns a vocabulary of the results of a function.
func NewVocabulary[T any](of func(word []byte) T) *Vocabulary[T] {
	return &Vocabulary[T]{of, map[string]T{}}
}

// ResultFor returns the result for a word, and makes it once.
func (v *Vocabulary[T]) ResultFor(word []byte) T {
	if t, ok := v.known[string(word)]; ok {
		return t
	}
	if len(v.known) > mostWords {
		clear(v.known)
	}
	t := v.of(word)
	v.known[string(word)] = t
	return t
}

// OfString is ResultFor of a word that is a string.
func (v *Vocabulary[T]) OfString(word string) T {
	if t, ok := v.known[word]; ok {
		return t
	}
	return v.ResultFor([]byte(word))
}
