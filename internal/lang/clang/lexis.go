package clang

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// The keywords: those of C, those that Objective-C adds, those that C++ adds.
const (
	kAlignas uint8 = iota + 1
	kAlignof
	kAsm
	kAtomic
	kAttribute
	kAuto
	kBool
	kBreak
	kCase
	kChar
	kConst
	kContinue
	kDeclspec
	kDefault
	kDo
	kDouble
	kElse
	kEnum
	kExtension
	kExtern
	kFloat
	kFor
	kGeneric
	kGoto
	kIf
	kInline
	kInt
	kLong
	kNoreturn
	kOffsetof
	kPragma
	kRegister
	kRestrict
	kReturn
	kShort
	kSigned
	kSizeof
	kStatic
	kStaticAssert
	kStruct
	kSwitch
	kThreadLocal
	kTypedef
	kTypeof
	kUnion
	kUnsigned
	kVoid
	kVolatile
	kWhile
	kAtInterface
	kAtImplementation
	kAtProtocol
	kAtEnd
	kAtProperty
	kAtClass
	kAtImport
	kAtSelector
	kAtEncode
	kAtAvailable
	kAtCatch
	kAtSynchronized
	kAtOther
	kCatch
	kClass
	kConcept
	kConsteval
	kConstexpr
	kConstinit
	kCast
	kCoAwait
	kCoReturn
	kCoYield
	kDecltype
	kDelete
	kExplicit
	kExport
	kFalse
	kFriend
	kMutable
	kNamespace
	kNew
	kNoexcept
	kNullptr
	kOperator
	kPrivate
	kProtected
	kPublic
	kRequires
	kTemplate
	kThis
	kThrow
	kTrue
	kTry
	kTypeid
	kTypename
	kUsing
	kVirtual
)

// A keyword that is written in several ways has its number at each.
var spellings = []struct {
	words string
	key   uint8
}{
	{"alignas _Alignas", kAlignas}, {"alignof _Alignof __alignof__ __alignof", kAlignof}, {"asm __asm__ __asm", kAsm}, {"_Atomic", kAtomic},
	{"__attribute__ __attribute", kAttribute}, {"auto __auto_type", kAuto}, {"bool _Bool", kBool}, {"break", kBreak}, {"case", kCase}, {"char", kChar},
	{"const __const __const__", kConst}, {"continue", kContinue}, {"__declspec _declspec __based", kDeclspec}, {"default", kDefault}, {"do", kDo},
	{"double", kDouble}, {"else", kElse}, {"enum", kEnum}, {"__extension__", kExtension}, {"extern", kExtern}, {"float", kFloat}, {"for", kFor},
	{"_Generic", kGeneric}, {"goto", kGoto}, {"if", kIf}, {"inline __inline __inline__ __forceinline", kInline}, {"int", kInt}, {"long", kLong},
	{"_Noreturn", kNoreturn}, {"offsetof __builtin_offsetof", kOffsetof}, {"_Pragma __pragma", kPragma}, {"register", kRegister},
	{"restrict __restrict __restrict__", kRestrict}, {"return", kReturn}, {"short", kShort}, {"signed __signed__", kSigned}, {"sizeof", kSizeof},
	{"static", kStatic}, {"static_assert _Static_assert", kStaticAssert}, {"struct", kStruct}, {"switch", kSwitch},
	{"thread_local _Thread_local __thread", kThreadLocal}, {"typedef", kTypedef}, {"typeof __typeof__ __typeof", kTypeof}, {"union", kUnion},
	{"unsigned", kUnsigned}, {"void", kVoid}, {"volatile __volatile__ __volatile", kVolatile}, {"while", kWhile},
	{"@interface", kAtInterface}, {"@implementation", kAtImplementation}, {"@protocol", kAtProtocol}, {"@end", kAtEnd}, {"@property", kAtProperty},
	{"@class", kAtClass}, {"@import", kAtImport}, {"@selector", kAtSelector}, {"@encode", kAtEncode}, {"@available", kAtAvailable},
	{"@catch", kAtCatch}, {"@synchronized @autoreleasepool @try @finally @throw @defs", kAtSynchronized},
	{"@public @private @protected @package @optional @required @synthesize @dynamic @compatibility_alias", kAtOther},
	{"catch", kCatch}, {"class", kClass}, {"concept", kConcept}, {"consteval", kConsteval}, {"constexpr", kConstexpr}, {"constinit", kConstinit},
	{"static_cast dynamic_cast const_cast reinterpret_cast", kCast}, {"co_await", kCoAwait}, {"co_return", kCoReturn}, {"co_yield", kCoYield},
	{"decltype", kDecltype}, {"delete", kDelete}, {"explicit", kExplicit}, {"export", kExport}, {"false", kFalse}, {"friend", kFriend},
	{"mutable", kMutable}, {"namespace", kNamespace}, {"new", kNew}, {"noexcept", kNoexcept}, {"nullptr", kNullptr}, {"operator", kOperator},
	{"private", kPrivate}, {"protected", kProtected}, {"public", kPublic}, {"requires", kRequires}, {"template", kTemplate}, {"this", kThis},
	{"throw", kThrow}, {"true", kTrue}, {"try", kTry}, {"typeid", kTypeid}, {"typename", kTypename}, {"using", kUsing}, {"virtual", kVirtual},
}

// A dialect is one of the languages of the family.
type dialect struct {
	*scan.Grammar
	keys      [256]uint8 // of the grammar's keywords, as the constants have them
	cpp, objc bool
}

var (
	plain       = newDialect(false, false)
	plusplus    = newDialect(true, false)
	objective   = newDialect(false, true)
	objectivepp = newDialect(true, true)
)

func newDialect(cpp, objc bool) *dialect {
	d := &dialect{cpp: cpp, objc: objc}
	var words []string
	for _, s := range spellings {
		if s.key >= kCatch && !cpp || s.key >= kAtInterface && s.key < kCatch && !objc {
			continue
		}
		for w := range strings.FieldsSeq(s.words) {
			words = append(words, w)
			d.keys[len(words)] = s.key
		}
	}
	x := scan.Lexis{
		Line:     []string{"//"},
		Block:    [][2]string{{"/*", "*/"}},
		Strings:  []scan.String{{Open: `"`, Escape: '\\'}, {Open: "'", Escape: '\\'}},
		Letters:  "$",
		NotOps:   []string{"=>", "?.", ":=", "??", "..", "<-", "|>", "===", "!==", "&&=", "||=", "??=", "**"},
		Keywords: words,
		Special:  special,
		At:       "\\#<=>",
		Access:   []string{".", "->", "::"},
	}
	if objc {
		x.Letters += "@"
		x.Prefix = atString
	}
	if cpp {
		x.Before = []string{"new", "co_await"}
		x.Generic = true
		x.Prefix = rawString
		x.At += "123456789"
	}
	d.Grammar = scan.New(x)
	return d
}

// special reads what is between lines, and numbers with signs between digits.
func special(l *scan.Lexer) bool {
	rest := l.Src[l.Pos:]
	switch rest[0] {
	case '\\':
		n := 1
		if n < len(rest) && rest[n] == '\r' {
			n++
		}
		if n == len(rest) || rest[n] == '\n' {
			l.Pos += min(n+1, len(rest)) // the line goes on
			return true
		}
		return false
	case '#':
		return directive(l, rest)
	case '<', '=', '>':
		return conflict(l, rest)
	}
	n := 1
	for n < len(rest) && (rest[n] == '\'' && n+1 < len(rest) && alnum(rest[n+1]) || alnum(rest[n]) || rest[n] == '.') {
		n++
	}
	if bytes.IndexByte(rest[:n], '\'') < 0 {
		return false
	}
	l.Emit(scan.Number, n)
	return true
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// conflict skips a line that marks a conflict of versions: seven signs.
func conflict(l *scan.Lexer, rest []byte) bool {
	if !l.Fresh() || len(rest) < 7 || string(rest[:7]) != strings.Repeat(string(rest[:1]), 7) {
		return false
	}
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	l.Pos += n
	return true
}

var (
	quoted = &scan.String{Open: `"`, Escape: '\\'}
	raw    = &scan.String{Open: `"`, Lines: true, Ends: rawEnd}
)

func rawString(l *scan.Lexer, word string) (s *scan.String, mark int, ok bool) {
	switch word {
	case "R", "LR", "uR", "UR", "u8R":
		if l.Src[l.Pos+len(word)] == '"' {
			return raw, 1, true
		}
	}
	return atString(l, word)
}

func atString(l *scan.Lexer, word string) (s *scan.String, mark int, ok bool) {
	if word == "@" && l.Src[l.Pos+1] == '"' {
		return quoted, 1, true
	}
	return nil, 0, false
}

// rawEnd finds the end of R"mark( … )mark" from behind its quote on.
func rawEnd(text []byte, from int) int {
	n := bytes.IndexByte(text[from:min(len(text), from+20)], '(')
	if n < 0 {
		return from
	}
	mark := ")" + string(text[from:from+n]) + `"`
	if at := bytes.Index(text[from:], []byte(mark)); at >= 0 {
		return from + at + len(mark)
	}
	return len(text)
}

func keySet(keys ...uint8) (set [256]bool) {
	for _, k := range keys {
		set[k] = true
	}
	return set
}

// The sets of keywords that questions are about.
var (
	// What stands before a type and is no part of its name.
	specifiers = keySet(kExtern, kStatic, kInline, kRegister, kThreadLocal, kNoreturn, kExtension, kConstexpr, kConsteval, kConstinit, kExplicit,
		kExport, kFriend, kMutable, kVirtual, kTypedef)
	qualifiers = keySet(kConst, kVolatile, kRestrict, kTypename, kAtomic)
	builtin    = keySet(kAuto, kBool, kChar, kDouble, kFloat, kInt, kLong, kShort, kSigned, kUnsigned, kVoid)
	tags       = keySet(kStruct, kUnion, kEnum, kClass)
	// Words whose parentheses hold no arguments and no declaration.
	wrapping = keySet(kAttribute, kDeclspec, kAlignas, kAsm, kTypeof, kDecltype, kNoexcept, kPragma, kAtomic, kThrow, kRequires, kExplicit)
	// Words that begin a statement that is no declaration.
	statements = keySet(kBreak, kCase, kContinue, kDefault, kDo, kElse, kFor, kGoto, kIf, kReturn, kSwitch, kWhile, kAsm, kCatch, kDelete,
		kThrow, kTry, kCoReturn, kCoYield, kCoAwait, kNew, kThis, kSizeof, kAtSynchronized, kAtCatch, kPragma, kCast)
)

// directive reads a line for the preprocessor and those it goes on in.
func directive(l *scan.Lexer, rest []byte) bool {
	if !l.Fresh() {
		return false
	}
	i := 1
	for i < len(rest) && rest[i] != '\n' {
		switch c := rest[i]; {
		case c == '\\' && i+1 < len(rest) && rest[i+1] == '\n':
			i++
		case c == '\\' && i+2 < len(rest) && rest[i+1] == '\r' && rest[i+2] == '\n':
			i += 2
		case c == '"':
			i = literal(rest, i)
		case c == '/' && i+1 < len(rest) && rest[i+1] == '/':
			l.Emit(scan.Directive, i)
			return true
		case c == '/' && i+1 < len(rest) && rest[i+1] == '*':
			n := bytes.Index(rest[i+2:], []byte("*/"))
			if n < 0 || bytes.IndexByte(rest[i:i+2+n], '\n') >= 0 && !goesOn(rest[:i+2+n]) {
				l.Emit(scan.Directive, i)
				return true
			}
			i += n + 3
		}
		i++
	}
	l.Emit(scan.Directive, min(i, len(rest)))
	return true
}

// goesOn reports whether every line of a text goes on in the next.
func goesOn(text []byte) bool {
	for {
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			return true
		}
		if line := bytes.TrimSuffix(text[:n], []byte("\r")); len(line) == 0 || line[len(line)-1] != '\\' {
			return false
		}
		text = text[n+1:]
	}
}

// literal returns the last byte of the string that begins at i, or i where the
// line ends before it does.
func literal(text []byte, i int) int {
	for k := i + 1; k < len(text) && text[k] != '\n'; k++ {
		switch text[k] {
		case '\\':
			k++
		case '"':
			return k
		}
	}
	return i
}
