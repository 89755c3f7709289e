package elixir

import (
	"github.com/assay-dev/assay/internal/lang/scan"
)

// module reports whether token i is, or ends, the name of a module.
func (f *file) module(i int) bool {
	return f.Word(i) && upper(f.First(i)) || f.Name(i) && f.Is(i, "__MODULE__") || f.Kind(i) == scan.Text && f.First(i) == ':'
}

// variable reports whether token i is a name that may be a variable.
func (f *file) variable(i int) bool {
	return f.Name(i) && !upper(f.First(i)) && !f.Sign(i-1, '.') && !f.label(i) && f.First(i) != 0
}

// label reports whether token i is a key: "name:".
func (f *file) label(i int) bool { return f.Adjacent(i) && f.Sign(i+1, ':') }

// keys makes mere words of keywords that are members, keys or variables, and parts
// of strings of the letters behind a sigil.
func (f *file) keys() {
	for i := range f.Toks {
		t := &f.Toks[i]
		if t.Kind != scan.Word {
			continue
		}
		if i > 0 && f.Toks[i-1].Kind == scan.Text && f.Toks[i-1].End == t.At {
			t.Kind, t.Key = scan.Text, 0
			continue
		}
		if t.Key == 0 {
			continue
		}
		switch {
		case f.Sign(i-1, '.'), f.label(i), f.Sign(i-1, '@') && f.Adjacent(i-1):
			t.Key = 0
		case t.Key != scan.KDo && t.Key != scan.KEnd && t.Key != scan.KFn && f.plain(i):
			t.Key = 0
		}
	}
}

// plain reports whether the word at token i, which has a meaning before an
// argument, has none, or is defined here.
func (f *file) plain(i int) bool {
	switch f.Toks[i].Key {
	case scan.KAnd, scan.KOr, scan.KNot, scan.KIn, scan.KWhen, scan.KAfter, scan.KElse, scan.KRescue, scan.KCatch, scan.KTrue, scan.KFalse, scan.KNil:
		return false
	}
	switch f.Key(i - 1) {
	case scan.KDef, scan.KDefp, scan.KDefmacro, scan.KDefmacrop, scan.KDefguard, scan.KDefdelegate:
		return f.Toks[i].Key != scan.KUnquote
	}
	if i+1 >= len(f.Toks) || f.Toks[i+1].Line {
		return f.Toks[i].Key != scan.KQuote && f.Toks[i].Key != scan.KTry
	}
	switch t := &f.Toks[i+1]; t.Kind {
	case scan.Close:
		return true
	case scan.Punct:
		switch f.Src[t.At] {
		case ',', '=', '.', '|', ';', '/':
			return true
		case '-', '<':
			return t.End-t.At > 1 && f.Src[t.End-1] != '<'
		}
	case scan.Word:
		return t.Key == scan.KIn || t.Key == scan.KAnd || t.Key == scan.KOr || t.Key == scan.KWhen
	}
	return false
}

// unary reports whether token i is a sign that stands before what it is about.
func (f *file) unary(i int) bool {
	t := &f.Toks[i]
	switch t.End - t.At {
	case 1:
		switch f.Src[t.At] {
		case '-', '+', '!', '^', '&', '@', '%', '~':
			return true
		}
	case 2:
		return f.Two(i, '<', '<') || f.Two(i, '.', '.')
	case 3:
		return f.Is(i, "...") || f.Is(i, "~~~")
	}
	return false
}

// continued reports whether token i, the first of its line, goes on with what came
// before.
func (f *file) continued(i int) bool {
	if i == 0 {
		return false
	}
	switch t := &f.Toks[i]; t.Kind {
	case scan.Punct:
		if !f.unary(i) && !f.Sign(i, ';') {
			return true
		}
	case scan.Word:
		switch t.Key {
		case scan.KAnd, scan.KOr, scan.KIn, scan.KWhen:
			return true
		}
	}
	switch p := &f.Toks[i-1]; p.Kind {
	case scan.Punct:
		return !f.Sign(i-1, ';') && !f.Two(i-1, '-', '>') && !f.Two(i-1, '>', '>')
	case scan.Word:
		switch p.Key {
		case scan.KAnd, scan.KOr, scan.KNot, scan.KIn, scan.KWhen:
			return true
		}
	}
	return false
}

// starts are the words that begin a line in a module and nowhere else.
var starts = scan.KeySet("def defp defmacro defmacrop defmodule")

// match pairs do and fn with end; see [scan.Source.Match].
func (f *file) match(repair bool) bool {
	return f.Match(repair, false, &starts, func(b *scan.Blocks, i int) {
		switch f.Key(i) {
		case scan.KDo, scan.KFn:
			b.Begin(i, false)
		case scan.KEnd:
			b.End(i)
		}
	})
}
