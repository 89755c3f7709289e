// Package lazy has regular expressions and sets of words that are built at their first use, so that a command does not pay
// at start for those of other commands.
package lazy

import (
	"regexp"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/set"
)

// A Pattern is a regular expression. Its methods are those of package regexp, and are
// safe for concurrent use.
type Pattern struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
	hint hint
}

// Regexp returns the pattern of an expression in the syntax of package regexp. One
// that is wrong panics when it is first used.
func Regexp(expr string) *Pattern { return &Pattern{expr: expr} }

// Get returns the compiled pattern.
func (p *Pattern) Get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

func (p *Pattern) Match(b []byte) bool { return p.Get().Match(b) }
func (p *Pattern) MatchString(s string) bool {
	a := p.look(s)
	return a == yes || a == maybe && p.Get().MatchString(s)
}

func (p *Pattern) FindIndex(b []byte) []int {
	return p.Get().FindIndex(b)
}

func (p *Pattern) FindSubmatch(b []byte) [][]byte {
	return p.Get().FindSubmatch(b)
}

func (p *Pattern) FindSubmatchIndex(b []byte) []int {
	return p.Get().FindSubmatchIndex(b)
}

// found is nothing, without a search, where a text lacks what every match has.
func found[T any](p *Pattern, s string, find func(*regexp.Regexp, string) T) (out T) {
	if p.may(s) {
		out = find(p.Get(), s)
	}
	return out
}

func (p *Pattern) FindString(s string) string {
	return found(p, s, (*regexp.Regexp).FindString)
}

func (p *Pattern) FindStringIndex(s string) []int {
	return found(p, s, (*regexp.Regexp).FindStringIndex)
}

func (p *Pattern) FindStringSubmatch(s string) []string {
	return found(p, s, (*regexp.Regexp).FindStringSubmatch)
}

func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return found(p, s, (*regexp.Regexp).FindStringSubmatchIndex)
}

func (p *Pattern) FindAllString(s string, n int) []string {
	return found(p, s, func(re *regexp.Regexp, s string) []string { return re.FindAllString(s, n) })
}

func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return found(p, s, func(re *regexp.Regexp, s string) [][]int { return re.FindAllStringIndex(s, n) })
}

func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return found(p, s, func(re *regexp.Regexp, s string) [][]string { return re.FindAllStringSubmatch(s, n) })
}

func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return found(p, s, func(re *regexp.Regexp, s string) [][]int { return re.FindAllStringSubmatchIndex(s, n) })
}

func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte {
	return p.Get().FindAllSubmatch(b, n)
}

func (p *Pattern) ReplaceAllString(s, with string) string {
	if !p.may(s) {
		return s
	}
	return p.Get().ReplaceAllString(s, with)
}

func (p *Pattern) ReplaceAllStringFunc(s string, f func(string) string) string {
	if !p.may(s) {
		return s
	}
	return p.Get().ReplaceAllStringFunc(s, f)
}

// A Set is a set of words. It is safe for concurrent use.
type Set struct {
	list string
	once sync.Once
	set  map[string]bool
}

// Words returns the set of the words of a list, which white space separates.
func Words(list string) *Set { return &Set{list: list} }

func (s *Set) Has(word string) bool {
	s.once.Do(func() { s.set = set.Of(s.List()) })
	return s.set[word]
}

// List returns the words as they were given.
func (s *Set) List() []string { return strings.Fields(s.list) }
