package scan

import (
	_ "embed" // vocabulary.txt
	"strings"
)

// A Key is a keyword, of whatever language: the languages share the words, and so
// the numbers. 0 is no keyword.
type Key uint16

// The keywords that scanners look at, in the order of vocabulary.
const (
	KAbstract, KAccessor, KActor, KAddrspace, KAfter, KAlias, KAlign, KAlignas Key = 8*iota + 1, 8*iota + 2, 8*iota + 3, 8*iota + 4, 8*iota + 5, 8*iota + 6, 8*iota + 7, 8*iota + 8
	KAllowzero, KAnd, KAny, KAs, KAsm, KAssert, KAsserts, KAssociatedtype
	KAsync, KAtAvailable, KAtCatch, KAtCImport, KAtCInclude, KAtClass, KAtEncode, KAtEnd
	KAtImplementation, KAtImport, KAtInterface, KAtomic, KAtOther, KAtProperty, KAtProtocol, KAtSelector
	KAtSynchronized, KAtThis, KAttribute, KAuto, KAwait, KBase, KBegin, KBool
	KBoolean, KBorrowing, KBreak, KBy, KByte, KCallconv, KCase, KCast
	KCatch, KChar, KChecked, KClass, KClone, KCoAwait, KComptime, KConcept
	KCond, KConst, KConsteval, KConstexpr, KConstinit, KConsuming, KContinue, KConvenience
	KCoReturn, KCoYield, KCrate, KData, KDebugger, KDeclare, KDeclspec, KDecltype
	KDef, KDefault, KDefdelegate, KDefexception, KDefguard, KDefguardp, KDefimpl, KDefined
	KDefmacro, KDefmacrop, KDefmodule, KDefp, KDefprotocol, KDefstruct, KDeinit, KDel
	KDelegate, KDelete, KDeriving, KDidSet, KDistributed, KDo, KDouble, KDyn
	KDynamic, KEach, KElif, KElse, KElsif, KEnd, KEnsure, KEnum
	KEquals, KErrdefer, KError, KEvent, KExcept, KExplicit, KExport, KExtends
	KExtension, KExtern, KFalse, KFile, KFileName, KFileprivate, KFinal, KFinally
	KFixed, KFloat, KFn, KFor, KForeach, KForeign, KFriend, KFrom
	KFun, KFunc, KFunction, KGet, KGlobal, KGnuExtension, KGoto, KGuard
	KIf, KImpl, KImplements, KImplicit, KImport, KIn, KInclude, KIncludeOnce
	KIndirect, KInfer, KInfix, KInit, KInline, KInout, KInstance, KInstanceof
	KInt, KInterface, KInternal, KInto, KIs, KIsolated, KJoin, KKeyof
	KLambda, KLazy, KLet, KLineNumber, KLinksection, KList, KLocal, KLock
	KLong, KLoop, KMacro, KMatch, KMdo, KMod, KModify, KModule
	KMove, KMut, KMutable, KMutating, KNamespace, KNative, KNew, KNewtype
	KNext, KNil, KNoalias, KNoexcept, KNoinline, KNone, KNonisolated, KNonlocal
	KNonmutating, KNoreturn, KNosuspend, KNot, KNull, KNullptr, KObject, KOf
	KOn, KOpaque, KOpen, KOperator, KOptional, KOr, KOrderby, KOrelse
	KOut, KOverride, KPackage, KPacked, KParams, KPartial, KPass, KPostfix
	KPragma, KPrecedencegroup, KPrefix, KPrivate, KProtected, KProtocol, KPub, KPublic
	KQuote, KRaise, KRead, KReadonly, KReasync, KReceive, KRecord, KRedo
	KRef, KRegister, KRepeat, KRequire, KRequired, KRequireOnce, KRequires, KRescue
	KRestrict, KRethrows, KRetry, KReturn, KSatisfies, KScoped, KSealed, KSelect
	KSelf, KSelfType, KSending, KSet, KShort, KSigned, KSizeof, KSome
	KStackalloc, KStatic, KStaticAssert, KStrictfp, KStruct, KSubscript, KSuper, KSwitch
	KSynchronized, KTemplate, KTest, KThen, KThis, KThreadLocal, KThreadlocal, KThrow
	KThrows, KTrait, KTransient, KTrue, KTry, KType, KTypealias, KTypedef
	KTypename, KTypeof, KUnchecked, KUndef, KUnion, KUnique, KUnless, KUnowned
	KUnquote, KUnsafe, KUnsigned, KUntil, KUse, KUsing, KUsingnamespace, KVal
	KVar, KVirtual, KVoid, KVolatile, KWeak, KWhen, KWhere, KWhile
	KWillSet, KWith, KYield, KOther, _, _, _, _
)

//go:embed vocabulary.txt
var vocabulary string

// numbers are the keywords of the vocabulary.
var numbers = func() map[string]Key {
	m := map[string]Key{}
	for i, w := range strings.Fields(vocabulary) {
		m[w] = Key(i + 1)
	}
	return m
}()

// Reserved reports whether a word is a keyword of some language.
func Reserved(word string) bool { return numbers[word] != 0 }

// Keys is a set of keywords.
type Keys [KOther/64 + 1]uint64

// KeySet returns the set of the keywords in a list with space between them. It
// panics on one that is not in the vocabulary.
func KeySet(words string) (set Keys) {
	for w := range strings.FieldsSeq(words) {
		if numbers[w] == 0 {
			panic("not in the vocabulary: " + w)
		}
		set.Add(numbers[w])
	}
	return set
}

// Add puts a keyword into the set.
func (s *Keys) Add(k Key) { s[k>>6] |= 1 << (k & 63) }

// Has reports whether a keyword is in the set.
func (s *Keys) Has(k Key) bool { return s[k>>6]&(1<<(k&63)) != 0 }

// Soft reports whether a keyword is a name too.
func (t *tables) Soft(k Key) bool { return t.soft.Has(k) }
