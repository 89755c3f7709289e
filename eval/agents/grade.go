package main

import (
	"path"
	"regexp"
	"strings"
)

// nearFact is how many lines beside a fact's place still name it, because statements span lines.
const nearFact = 12

// nearSite is the same for a line to change: a call may be named by its first or second line.
const nearSite = 1

// maxRange is the largest range that names the lines in it; a larger one names a file.
const maxRange = 60

// values are what was measured of an answer, by the name of the measure. Shares lie between 0 and 1.
type values map[string]float64

// The measures, as they are named in tables.
const (
	filesFound    = "files to name that are named"
	filesRight    = "named files that are right"
	firstRight    = "first file right"
	functionFound = "a function to change named"
	sitesFound    = "lines to change named"
	testsFound    = "lines to change in tests named"
	factsFound    = "facts with a place named"
	callCount     = "calls"
	byteCount     = "bytes shown"
	milliCount    = "ms in the tools"
	agentSeconds  = "seconds of the agent"
	agentTokens   = "tokens of the agent"
)

// A named is what an answer names: ranges of lines by file.
type named map[string][]lineRange

var (
	fileRef  = regexp.MustCompile(`^(.*?)(?::(L?\d[\d\sL,-]*))?$`)
	lineRef  = regexp.MustCompile(`(\d+)(?:\s*-\s*L?(\d+))?`)
	factTail = `[^\w\s]?[:#( ]+(?:lines? )?(L?\d+(?:\s*[-,/]\s*L?\d+)*)`
)

// parseLines reads 12, 12-15 and lists of them.
func parseLines(text string) (out []lineRange) {
	for _, m := range lineRef.FindAllStringSubmatch(text, -1) {
		r := lineRange{parseNumber(m[1]), max(parseNumber(m[1]), parseNumber(m[2]))}
		if r.last-r.first <= maxRange {
			out = append(out, r)
		}
	}
	return out
}

// parseFiles reads the files of an answer, and returns the first of them.
func parseFiles(refs []string) (out named, first string) {
	out = named{}
	for _, ref := range refs {
		m := fileRef.FindStringSubmatch(strings.Trim(strings.TrimSpace(ref), "`"))
		if m == nil || m[1] == "" {
			continue
		}
		name := path.Clean(m[1])
		if first == "" {
			first = name
		}
		out[name] = append(out[name], parseLines(m[2])...)
	}
	return out, first
}

// hasLine reports whether a line of a file is named, or one at most near lines away.
func hasLine(ranges []lineRange, line, near int) bool {
	for _, r := range ranges {
		if line >= r.first-near && line <= r.last+near {
			return true
		}
	}
	return false
}

// grade compares an answer with the truth.
func grade(t truth, a answer) values {
	got, first := parseFiles(a.Files)
	v := gradeFiles(t, got, first)
	if len(t.Functions) > 0 {
		v[functionFound] = 0
		for _, f := range a.Functions {
			for _, want := range t.Functions {
				if bareName(f) == want {
					v[functionFound] = 1
				}
			}
		}
	}
	if len(t.Sites) > 0 {
		v[sitesFound] = sitesNamed(t.Sites, got)
	}
	if len(t.TestSites) > 0 {
		v[testsFound] = sitesNamed(t.TestSites, got)
	}
	if len(t.Facts) > 0 {
		n := 0
		for _, f := range t.Facts {
			if isFactNamed(f, got, a.Facts) {
				n++
			}
		}
		v[factsFound] = share(n, len(t.Facts))
	}
	return v
}

// gradeFiles counts files. Optional files, and files of tests, are neither right nor wrong.
func gradeFiles(t truth, got named, first string) values {
	want, optional := map[string]bool{}, map[string]bool{}
	for _, f := range append(t.Tests, t.Optional...) {
		optional[f] = true
	}
	right, wrong := 0, 0
	for _, f := range t.Files {
		want[f] = true
		if _, ok := got[f]; ok {
			right++
		}
	}
	for f := range got {
		if !want[f] && !optional[f] {
			wrong++
		}
	}
	v := values{filesFound: share(right, len(t.Files)), filesRight: share(right, right+wrong), firstRight: 0}
	if want[first] {
		v[firstRight] = 1
	}
	return v
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

var separators = regexp.MustCompile(`[.:#/\s]+`)

// bareName returns the last part of a function's qualified name.
func bareName(name string) string {
	name, _, _ = strings.Cut(name, "(")
	parts := separators.Split(strings.Trim(name, "` "), -1)
	return parts[len(parts)-1]
}

// sitesNamed returns the share of lines that an answer names.
func sitesNamed(sites map[string][]int, got named) float64 {
	n, all := 0, 0
	for f, lines := range sites {
		for _, line := range lines {
			all++
			if hasLine(got[f], line, nearSite) {
				n++
			}
		}
	}
	return share(n, all)
}

// isFactNamed reports whether one of the places of a fact is named, in the list of files or in the text. It cannot
// tell whether the statement beside the place is right.
func isFactNamed(f fact, got named, text string) bool {
	for _, at := range f.At {
		i := strings.LastIndexByte(at, ':')
		file, line := at[:i], parseNumber(at[i+1:])
		if hasLine(got[file], line, nearFact) {
			return true
		}
		inText := regexp.MustCompile(`(?:^|[^\w.-])` + regexp.QuoteMeta(path.Base(file)) + factTail)
		for _, m := range inText.FindAllStringSubmatch(text, -1) {
			if hasLine(parseLines(m[1]), line, nearFact) {
				return true
			}
		}
	}
	return false
}
