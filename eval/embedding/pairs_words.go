package main

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// descriptions is the name under which the short and long descriptions of Debian's
// packages are kept.
const descriptions = "Translation-en"

// descriptions pairs what packages are in a line with what they are in full.
func (x *extractor) descriptions(text string) {
	for entry := range strings.SplitSeq(text, "\n\n") {
		name, short, long := "", "", []string{}
		for line := range strings.Lines(entry) {
			line = strings.TrimRight(line, "\n")
			switch {
			case strings.HasPrefix(line, "Package: "):
				name = line[len("Package: "):]
			case strings.HasPrefix(line, "Description-en: "):
				short = line[len("Description-en: "):]
			case strings.HasPrefix(line, " "):
				if line = line[1:]; line != "." {
					long = append(long, line)
				}
			}
		}
		body := plain(strings.Join(long, "\n"))
		prefix, _, _ := strings.Cut(name, "-")
		if name == "" || strings.HasSuffix(name, "-prof") || excludedPackage(name) || isExcluded(prefix) || len(body) < 80 || len(words(short)) < 2 || !latin(body) {
			continue
		}
		x.emit(pair{kind: "short-long", lang: "text", group: "debian/descriptions/" + prefix, query: short, text: body})
	}
}

// wordnet reads a data file of WordNet: each line is a meaning with the words for
// it, a gloss, and examples (wndb(5WN)).
func (x *extractor) wordnet(rel, text string) {
	if !strings.HasPrefix(path.Base(rel), "data.") {
		return
	}
	for line := range strings.Lines(text) {
		head, gloss, ok := strings.Cut(line, " | ")
		f := strings.Fields(head)
		if !ok || len(f) < 6 || strings.HasPrefix(line, " ") {
			continue
		}
		n, err := strconv.ParseUint(f[3], 16, 16)
		if err != nil || len(f) < 4+2*int(n) {
			continue
		}
		var terms []string
		for i := range int(n) {
			w, _, _ := strings.Cut(f[4+2*i], "(") // an adjective's place
			terms = append(terms, strings.ReplaceAll(w, "_", " "))
		}
		x.meaning("wordnet/"+path.Base(rel)+"/"+f[1], terms, gloss)
	}
}

// meaning makes pairs of one meaning. They go to groups of their own: in one, the
// definition would be told apart from what it defines.
func (x *extractor) meaning(group string, terms []string, gloss string) {
	all := strings.Join(terms, ", ")
	definition, rest, _ := strings.Cut(gloss, `; "`)
	if definition = strings.TrimSpace(definition); len(words(definition)) >= 2 {
		x.emit(pair{kind: "gloss", lang: "english", group: group + "/definitions", query: definition, text: all})
	}
	for i, example := range strings.Split(rest, `; "`) {
		example = strings.Trim(strings.TrimSpace(example), `"`)
		if i < 1 && len(words(example)) >= 3 {
			x.emit(pair{kind: "gloss", lang: "english", group: group + "/examples", query: example, text: all + ": " + definition})
		}
	}
	for i := 1; i < len(terms) && i < 5; i++ {
		if !strings.EqualFold(terms[i-1], terms[i]) {
			x.emit(pair{kind: "synonym", lang: "english", group: group + "/synonyms", query: terms[i-1], text: terms[i]})
		}
	}
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// number64 reads a number of a dictd index: digits of 6 bits, the highest first.
func number64(s string) int {
	n := 0
	for i := range len(s) {
		d := strings.IndexByte(base64Digits, s[i])
		if d < 0 || n > 1<<40 {
			return -1
		}
		n = n<<6 | d
	}
	return n
}

var (
	pronounced = regexp.MustCompile(`\\[^\\\n]{1,60}\\`)
	bracketed  = regexp.MustCompile(`\[[^\]]{0,400}\]`)
	braces     = strings.NewReplacer("{", "", "}", "")
	partOf     = regexp.MustCompile(`^[,;.\s]*((n|v|a|adj|adv|prep|conj|interj|p|pl|imp|vb|t|i|sing|comp|superl)\.\s*|&\s*)+`)
	numbered   = regexp.MustCompile(`\s+\d+\.\s+`)
)

// dictionary reads a dictionary in dictd's format by its index; the texts lie in
// the file of the same name beside it, which is read when the index is met.
func (x *extractor) dictionary(rel string, index []byte) {
	if path.Ext(rel) != ".index" {
		return
	}
	text, err := x.read(strings.TrimSuffix(rel, ".index") + ".dict")
	if err != nil {
		return
	}
	name := strings.TrimSuffix(path.Base(rel), ".index")
	seen := map[int]bool{}
	for line := range strings.Lines(string(index)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 3 || strings.HasPrefix(f[0], "00") {
			continue
		}
		at, n := number64(f[1]), number64(f[2])
		if at < 0 || n <= 0 || at > len(text) || n > len(text)-at || seen[at] {
			continue
		}
		seen[at] = true
		x.entry(name, f[0], string(text[at:at+n]))
	}
}

func (x *extractor) entry(name, term, text string) {
	_, body, ok := strings.Cut(strings.TrimSpace(text), "\n")
	if name == "gcide" {
		body = text[min(len(text), len(term)):]
	} else if !ok {
		return
	}
	body = bracketed.ReplaceAllString(pronounced.ReplaceAllString(body, " "), " ")
	body = plain(braces.Replace(body))
	body = partOf.ReplaceAllString(body, "")
	body = strings.TrimLeft(numbered.ReplaceAllString(" "+body, " "), " ,.;:")
	if len(words(body)) < 3 || isExcluded(term) || !latin(body) || term == "" {
		return
	}
	group := "dict/" + name + "/" + strings.ToLower(term[:1])
	if first := sentence.FindStringIndex(body); sum(term)&1 == 0 && first != nil && first[0] > 40 && isQuery(body[:first[0]]) {
		x.emit(pair{kind: "gloss", lang: "english", group: group + "/terms", query: body[:first[0]], text: term})
		return
	}
	x.emit(pair{kind: "gloss", lang: "english", group: group, query: term, text: body})
}
