package clang

import "github.com/assay-dev/assay/internal/lang/scan"

const (
	maxWords = 64  // before a name
	maxAngle = 600 // tokens between < and >
	maxTail  = 120 // tokens between parameters and a body, initialisers left out
)

// path returns the last name of the qualified name that begins at k and the token
// after it and its template arguments; -1 and k where none does.
func (r *reader) path(k int) (at, next int) {
	at = -1
	for n := 0; n < maxWords; n++ {
		if r.scoped(k) && (r.Name(k+1) || r.Key(k+1) == scan.KTemplate && r.Name(k+2)) {
			k = r.SkipKey(k+1, scan.KTemplate)
		} else if n > 0 {
			return at, k
		}
		if !r.Name(k) {
			return at, k
		}
		at = k
		if k++; r.Sign(k, '<') && (r.cpp || r.objc) {
			k = r.angles(k)
		}
	}
	return at, k
}

// typed returns the token after the type that begins at i, with its pointers, or i
// where none does.
func (r *reader) typed(i int) int {
	k := i
	named := false
words:
	for n := 0; n < maxWords; n++ {
		key := r.Key(k)
		switch {
		case r.scoped(k) && !named:
		case !r.Word(k):
			break words
		case wrapping.Has(key) && r.Sign(k+1, '('):
			if key == scan.KTypeof || key == scan.KDecltype || key == scan.KAtomic {
				named = true
			}
			k = r.Past(k + 1)
			continue
		case specifiers.Has(key) || qualifiers.Has(key):
			k++
			continue
		case tags.Has(key):
			if k = r.attributes(k + 1); !r.Name(k) && !r.scoped(k) {
				return i
			}
		case builtin.Has(key) && (!named || key != scan.KAuto || r.cpp):
			named = true
			k++
			continue
		case key != 0 || named:
			break words
		}
		at, next := r.path(k)
		if at < 0 {
			return i
		}
		named, k = true, next
	}
	if !named {
		return i
	}
	return r.pointers(k)
}

// pointers returns the token after the signs of a pointer or reference at k.
func (r *reader) pointers(k int) int {
	for {
		key := r.Key(k)
		switch {
		case r.Sign(k, '*'), r.cpp && (r.Sign(k, '&') || r.Two(k, '&', '&')), r.objc && r.Sign(k, '^'):
			k++
		case r.Word(k) && (qualifiers.Has(key) || key == scan.KStatic):
			k++
		case r.Word(k) && key == scan.KAttribute && r.Sign(k+1, '('):
			k = r.Past(k + 1)
		case r.objc && r.Name(k) && nullable(r.Bytes(k)):
			k++
		default:
			return k
		}
	}
}

// nullable reports whether a word of Objective-C says that a pointer may be nil, or
// something else of no matter.
func nullable(word []byte) bool {
	switch string(word) {
	case "_Nullable", "_Nonnull", "__nullable", "__nonnull", "nullable", "nonnull", "__weak", "__strong", "__block", "__unused", "__autoreleasing",
		"_Null_unspecified", "null_unspecified", "__kindof", "__unsafe_unretained", "null_resettable":
		return true
	}
	return false
}

// attributes returns the token after the attributes at k.
func (r *reader) attributes(k int) int {
	for {
		switch key := r.Key(k); {
		case r.Word(k) && wrapping.Has(key) && r.Sign(k+1, '('):
			k = r.Past(k + 1)
		case r.Sign(k, '[') && r.Sign(k+1, '[') && r.Kind(k) == scan.Open:
			k = r.Past(k)
		default:
			return k
		}
	}
}

// angles returns the token after the template arguments or parameters that begin
// at i, or i where it is something else.
func (r *reader) angles(i int) int {
	if r.Sign(i+1, '<') {
		return i
	}
	return r.Angles(i, maxAngle, func(k, depth int) bool {
		switch t := &r.Toks[k]; t.Kind {
		case scan.Word:
			return t.Key == 0 || !statements.Has(t.Key) || t.Key == scan.KSizeof
		case scan.Open:
			return r.Pair(k) < len(r.Toks) && (!r.Sign(k, '{') || r.Is(r.Pair(k), "}"))
		case scan.Close:
			return false
		case scan.Punct:
			switch c := r.Src[t.At]; {
			case t.End-t.At == 1:
				return c != ';' && c != '?'
			case c == '&' || c == '|':
				return c == '&' && r.typeAnd(k) || (r.top().sort == members || r.top().sort == outside)
			default:
				return c != '-' && c != '+' && c != '!' && (c != '=' || depth > 0)
			}
		}
		return true
	})
}

// typeAnd reports whether the && at k ends a type.
func (r *reader) typeAnd(k int) bool {
	return r.Sign(k+1, ',') || r.Sign(k+1, '>') || r.Is(k+1, "...") || r.Kind(k+1) == scan.Close || r.Sign(k-1, '>')
}

// templates returns the token after template<…> at k, and after what it requires.
func (r *reader) templates(k int) int {
	for r.Key(k) == scan.KTemplate && r.Word(k) {
		if k++; r.Sign(k, '<') {
			k = r.wide(k)
		}
		if r.Key(k) == scan.KRequires {
			k = r.constraint(k + 1)
		}
	}
	return k
}

// wide is angles for what can be nothing else, whatever signs it has.
func (r *reader) wide(i int) int {
	depth := 0
	for k := i; k < min(len(r.Toks), i+maxAngle); k = r.Past(k) {
		switch {
		case r.Sign(k, '<'):
			depth++
		case r.Sign(k, '>'):
			if depth--; depth == 0 {
				return k + 1
			}
		case r.Sign(k, ';'), r.Kind(k) == scan.Close:
			return k
		}
	}
	return i + 1
}

// constraint returns the token after the condition at k.
func (r *reader) constraint(k int) int {
	for n := 0; n < maxWords; n++ {
		switch {
		case r.Sign(k, '('):
			k = r.Past(k)
		case r.Key(k) == scan.KRequires:
			k = r.SkipBracket(k+1, '(')
			k = r.SkipBracket(k, '{')
		default:
			_, next := r.path(k)
			if next == k {
				return k
			}
			if k = next; r.Sign(k, '(') {
				k = r.Past(k)
			}
		}
		if !r.Two(k, '&', '&') && !r.Two(k, '|', '|') {
			return k
		}
		k++
	}
	return k
}
