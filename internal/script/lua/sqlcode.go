//go:build !slim

package lua

import (
	"errors"
	"strings"
)

var errSQLStrings = errors.New(`where the strings of this statement end depends on the server's settings (a \ in one), or one does not end`)

// sqlCode returns SQL with a blank for each comment and string, and for each ; in a quoted name. Names in quotes stay, because they call
// functions too. It fails where a server's settings decide how the text is read: a statement must not hide in something that only
// looks like a string.
func sqlCode(sql string, isMySQL bool) (string, error) {
	var b strings.Builder
	for i := 0; i < len(sql); {
		n := quotedSQL(sql, i, isMySQL)
		switch {
		case n < 0:
			return "", errSQLStrings
		case n == 0:
			b.WriteByte(sql[i])
			n = 1
		case sql[i] == '"' || sql[i] == '`':
			b.WriteString(strings.ReplaceAll(sql[i:i+n], ";", " "))
		default:
			b.WriteByte(' ')
		}
		i += n
	}
	return b.String(), nil
}

// quotedSQL returns the length of the comment, string or quoted name that begins at a place: 0 where none does, and -1 where its end is
// not known.
func quotedSQL(sql string, at int, isMySQL bool) int {
	rest := sql[at:]
	switch c := rest[0]; {
	case c == '\'' || c == '"' || c == '`' && isMySQL:
		within, _, ends := strings.Cut(rest[1:], rest[:1])
		if !ends || c != '`' && strings.Contains(within, `\`) {
			return -1
		}
		return len(within) + 2
	case strings.HasPrefix(rest, "--") && isMySQL && len(rest) > 2 && rest[2] > ' ': // two signs of minus
		return -1
	case strings.HasPrefix(rest, "--"), c == '#' && isMySQL:
		ends := "\r\n"
		if isMySQL {
			ends = "\n"
		}
		if n := strings.IndexAny(rest, ends); n >= 0 {
			return n
		}
		return len(rest)
	case strings.HasPrefix(rest, "/*"):
		return sqlComment(rest, isMySQL)
	case c == '$' && !isMySQL:
		return dollarQuoted(sql, at)
	}
	return 0
}

// sqlComment returns the length of a comment, in which PostgreSQL has others.
func sqlComment(rest string, isMySQL bool) int {
	depth := 1
	for i := 2; i < len(rest); {
		switch {
		case strings.HasPrefix(rest[i:], "*/"):
			i += 2
			if depth--; depth == 0 {
				return i
			}
		case strings.HasPrefix(rest[i:], "/*") && !isMySQL:
			i += 2
			depth++
		default:
			i++
		}
	}
	return -1
}

// dollarQuoted returns the length of a string as $$…$$ or $tag$…$tag$, 0 where a $ begins none: in a name, or before the number of a parameter.
func dollarQuoted(sql string, at int) int {
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	isNoName := func(r rune) bool { return r != '_' && r < 0x80 && !isDigit(r) && (r|0x20 < 'a' || r|0x20 > 'z') }
	tag, within, ok := strings.Cut(sql[at+1:], "$")
	isInName := at > 0 && (sql[at-1] == '$' || !isNoName(rune(sql[at-1])))
	if !ok || isInName || strings.ContainsFunc(tag, isNoName) || strings.IndexFunc(tag, isDigit) == 0 {
		return 0
	}
	mark := "$" + tag + "$"
	end := strings.Index(within, mark)
	if end < 0 {
		return -1
	}
	return 2*len(mark) + end
}
