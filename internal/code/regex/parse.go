package regex

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
)

const plainText = `for plain text use --fixed-strings`

// parse returns the simplified syntax tree of pattern and whether a match of it
// may contain a newline. If not, the tree names neither a newline nor the ends of
// the text: to ripgrep every line is a text of its own.
func parse(pattern string, opt Options) (re *syntax.Regexp, multi bool, err error) {
	// ^ and $ are the ends of lines, hence no OneLine.
	flags := syntax.ClassNL | syntax.PerlX | syntax.UnicodeGroups
	if opt.Fixed {
		flags |= syntax.Literal
	}
	if opt.IgnoreCase || opt.SmartCase && !shouts(pattern, opt.Fixed) {
		flags |= syntax.FoldCase
	}
	re, err = syntax.Parse(pattern, flags)
	if err != nil {
		return nil, false, syntaxFault(pattern, err)
	}
	if multi = opt.Multiline && spansLines(re); !multi {
		if at := oneLine(re); at != "" {
			return nil, false, fault.New(fault.Usage, "pattern %#q asks for %s, and a match never leaves its line", pattern, at).
				Or("let matches span lines with --multiline")
		}
	}
	return re.Simplify(), multi, nil
}

// spansLines reports whether a match of re may contain a newline, or depend on
// where the text begins or ends.
func spansLines(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		return hasRune(re.Rune, '\n')
	case syntax.OpAnyChar, syntax.OpBeginText, syntax.OpEndText:
		return true
	}
	return slices.ContainsFunc(re.Sub, spansLines)
}

// oneLine changes re so that no match of it can contain a newline. It returns
// what stands in the way, or "".
func oneLine(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if slices.Contains(re.Rune, '\n') {
			return `a newline`
		}
	case syntax.OpCharClass:
		if !hasRune(re.Rune, '\n') {
			break
		}
		if re.Rune = without(re.Rune, '\n'); len(re.Rune) == 0 {
			return `a newline`
		}
	case syntax.OpAnyChar:
		re.Op = syntax.OpAnyCharNotNL
	case syntax.OpBeginText:
		re.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		re.Op = syntax.OpEndLine
	}
	for _, sub := range re.Sub {
		if at := oneLine(sub); at != "" {
			return at
		}
	}
	return ""
}

// hasRune reports whether r is in the sorted ranges of a character class.
func hasRune(class []rune, r rune) bool {
	lo, hi := 0, len(class)/2
	for lo < hi {
		switch m := (lo + hi) / 2; {
		case r < class[2*m]:
			hi = m
		case r > class[2*m+1]:
			lo = m + 1
		default:
			return true
		}
	}
	return false
}

// without returns the ranges of class less r.
func without(class []rune, r rune) []rune {
	var out []rune
	for i := 0; i < len(class); i += 2 {
		lo, hi := class[i], class[i+1]
		if r < lo || r > hi {
			out = append(out, lo, hi)
			continue
		}
		if lo < r {
			out = append(out, lo, r-1)
		}
		if r < hi {
			out = append(out, r+1, hi)
		}
	}
	return out
}

// reverse returns a tree that matches the texts of re read backwards. It leaves
// re alone, whose nodes Simplify may have used twice.
func reverse(re *syntax.Regexp) *syntax.Regexp {
	back := *re
	if re.Op == syntax.OpLiteral {
		back.Rune = slices.Clone(re.Rune)
		slices.Reverse(back.Rune)
	}
	back.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		back.Sub[i] = reverse(sub)
	}
	if re.Op == syntax.OpConcat {
		slices.Reverse(back.Sub)
	}
	return &back
}

// syntaxFault says what is wrong with pattern, where, and what to do about it.
func syntaxFault(pattern string, err error) error {
	var se *syntax.Error
	if !errors.As(err, &se) {
		return fault.New(fault.Usage, "pattern %#q: %v", pattern, err).Or("use a simpler pattern")
	}
	at := max(strings.Index(pattern, se.Expr), 0)
	switch se.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		at = oddParen(pattern)
	case syntax.ErrTrailingBackslash:
		at = len(pattern) - 1
	}
	what := se.Code.String()
	if se.Expr != "" && se.Expr != pattern {
		what += " " + se.Expr
	}
	hint := plainText
	switch se.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidNamedCapture:
		for _, look := range []string{"(?=", "(?!", "(?<=", "(?<!", "(?>"} {
			if strings.HasPrefix(se.Expr, look) {
				what = "no look-ahead, look-behind or atomic groups in RE2: " + look
				hint = "match more and read the hits, or " + plainText
			}
		}
	case syntax.ErrInvalidEscape:
		what, hint = escapeFault(se.Expr)
	case syntax.ErrInvalidRepeatSize:
		hint = "repeat at most 1000 times"
	case syntax.ErrNestingDepth, syntax.ErrLarge:
		hint = "split the pattern, or repeat less"
	case syntax.ErrInvalidUTF8:
		hint = "write the pattern in UTF-8"
	}
	return fault.New(fault.Usage, "pattern %#q, character %d: %s", pattern, utf8.RuneCountInString(pattern[:at])+1, what).Or("%s", hint)
}

// escapeFault explains an escape that RE2 does not have.
func escapeFault(escape string) (what, hint string) {
	c, _ := utf8.DecodeRuneInString(strings.TrimPrefix(escape, `\`))
	switch {
	case c >= '1' && c <= '9' || c == 'k':
		return "no back-references in RE2: " + escape, "write the repeated text out, or " + plainText
	case c == 'Z':
		return "no escape " + escape, `for the end use $ or \z`
	case c == 'h':
		return "no escape " + escape, `for blanks use [ \t]`
	case c == 'u' || c == 'U':
		return "no escape " + escape, `for a character by its number use \x{1F600}`
	}
	return "no escape " + escape, `for a backslash use \\, ` + plainText
}

// oddParen returns the place of the parenthesis without a partner.
func oddParen(pattern string) int {
	var open []int
	odd := -1
	tokens(pattern, func(at int, kind token, _ rune) {
		switch {
		case kind == opens:
			open = append(open, at)
		case kind == closes && len(open) > 0:
			open = open[:len(open)-1]
		case kind == closes && odd < 0:
			odd = at
		}
	})
	if odd < 0 && len(open) > 0 {
		odd = open[len(open)-1]
	}
	return max(odd, 0)
}

// shouts reports whether ripgrep's smart case leaves the case of pattern alone:
// it has an upper-case letter that stands for itself, or no character that does.
func shouts(pattern string, fixed bool) bool {
	if fixed {
		return strings.ContainsFunc(pattern, unicode.IsUpper)
	}
	upper, any := false, false
	tokens(pattern, func(_ int, kind token, r rune) {
		if kind == itself {
			any = true
			upper = upper || unicode.IsUpper(r)
		}
	})
	return upper || !any
}
