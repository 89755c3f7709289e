package vm

import (
	"math"
	"unsafe"
)

// A Kind is the kind of a Value.
type Kind uint8

const (
	KindNil Kind = iota
	KindFalse
	KindTrue
	KindInt
	KindFloat
	KindString
	KindTable
	KindFunction // a closure of Lua
	KindGo       // a function of Go
	KindThread
	KindUserdata
	KindNull // the null of JSON
)

// header is what every object starts with, so that a pointer alone tells the kind of its
// object.
type header struct {
	kind  Kind
	flags uint8
	epoch uint16 // of the last weighing that reached it
	hash  uint32 // of a string; 0: not computed yet
}

// Flags of a header.
const (
	flagShared uint8 = 1 << iota // a constant: several states may have it, none weighs it
)

// The pointer of a value that is no object points to one of these. They are never written.
var (
	tagFalse = header{kind: KindFalse}
	tagTrue  = header{kind: KindTrue}
	tagNull  = header{kind: KindNull}
	tagInt   = header{kind: KindInt}
	tagFloat = header{kind: KindFloat}
)

// A Value is any value of Lua. The zero Value is nil.
//
// Its pointer tells its kind: nil, one of the tags above, or an object that starts
// with a header. n holds the bits of a number and is 0 for everything else. An
// interface would take the same 16 bytes, but would allocate for every number.
type Value struct {
	p unsafe.Pointer
	n uint64
}

// Nil is the value nil.
var Nil = Value{}

// Null is the null of JSON: no value, as nil is, but one that a table keeps. It counts as
// false, because a program that asks "if x.field" means a field that has a value.
var Null = Value{p: unsafe.Pointer(&tagNull)}

// Int, Float and Bool return values of Lua.
func Int(n int64) Value { return Value{unsafe.Pointer(&tagInt), uint64(n)} }

func Float(f float64) Value { return Value{unsafe.Pointer(&tagFloat), math.Float64bits(f)} }

func Bool(b bool) Value {
	if b {
		return Value{p: unsafe.Pointer(&tagTrue)}
	}
	return Value{p: unsafe.Pointer(&tagFalse)}
}

func (v Value) Kind() Kind {
	if v.p == nil {
		return KindNil
	}
	return (*header)(v.p).kind
}

func (v Value) IsNil() bool { return v.p == nil }

// IsNull reports whether v is the null of JSON.
func (v Value) IsNull() bool { return v.p == unsafe.Pointer(&tagNull) }

// Truth reports whether v counts as true: all but nil, false and null do.
func (v Value) Truth() bool { return !isFalsy(v.p) }

func isFalsy(p unsafe.Pointer) bool {
	return p == nil || p == unsafe.Pointer(&tagFalse) || p == unsafe.Pointer(&tagNull)
}

func (v Value) isInt() bool   { return v.p == unsafe.Pointer(&tagInt) }
func (v Value) isFloat() bool { return v.p == unsafe.Pointer(&tagFloat) }
func (v Value) float() float64 {
	return math.Float64frombits(v.n)
}

func (v *Value) setInt(n int64) {
	// The pointer is written only where it changes: a write of a pointer is a call while
	// the collector marks, and most registers keep their type.
	if v.p != unsafe.Pointer(&tagInt) {
		v.p = unsafe.Pointer(&tagInt)
	}
	v.n = uint64(n)
}

func (v *Value) setFloat(f float64) {
	if v.p != unsafe.Pointer(&tagFloat) {
		v.p = unsafe.Pointer(&tagFloat)
	}
	v.n = math.Float64bits(f)
}

// AsInt returns an integer, if v is one.
func (v Value) AsInt() (int64, bool) { return int64(v.n), v.isInt() }

// AsFloat returns a float, if v is one.
func (v Value) AsFloat() (float64, bool) { return v.float(), v.isFloat() }

// AsString returns the bytes of a string, if v is one.
func (v Value) AsString() (string, bool) {
	if s := v.str(); s != nil {
		return s.s, true
	}
	return "", false
}

// AsTable returns a table, or nil if v is something else.
func (v Value) AsTable() *Table {
	if v.Kind() == KindTable {
		return (*Table)(v.p)
	}
	return nil
}

// AsUserdata returns a userdata, or nil if v is something else.
func (v Value) AsUserdata() *Userdata {
	if v.Kind() == KindUserdata {
		return (*Userdata)(v.p)
	}
	return nil
}

// asThread returns a coroutine, or nil if v is something else.
func (v Value) asThread() *Thread {
	if v.Kind() == KindThread {
		return (*Thread)(v.p)
	}
	return nil
}

// IsFunction reports whether v is a function of Lua or Go.
func (v Value) IsFunction() bool {
	k := v.Kind()
	return k == KindFunction || k == KindGo
}

// IsNumber reports whether v is an integer or a float.
func (v Value) IsNumber() bool { return v.isInt() || v.isFloat() }

// Integer returns a number as an integer, if it is one: a float may be.
func (v Value) Integer() (int64, bool) { return exactInt(v) }

// Number returns a number as a float; a string is none.
func (v Value) Number() (float64, bool) {
	if v.Kind() == KindString {
		return 0, false
	}
	return toFloat(v)
}

// Text returns a string, or a number as .. has it.
func (v Value) Text() (string, bool) {
	if s := v.str(); s != nil {
		return s.s, true
	}
	if v.IsNumber() {
		return string(appendNumber(nil, v)), true
	}
	return "", false
}

func (v Value) str() *String {
	if v.Kind() == KindString {
		return (*String)(v.p)
	}
	return nil
}

// kindNames are the results of type().
var kindNames = [...]string{
	"nil", "boolean", "boolean", "number", "number", "string", "table", "function", "function", "thread", "userdata",
	"userdata",
}

// TypeName returns the result of type() for v.
func (v Value) TypeName() string { return kindNames[v.Kind()] }

// rawEqual reports whether two values are the same without metamethods.
func rawEqual(a, b Value) bool {
	if a.p == b.p {
		if a.isFloat() {
			return a.float() == b.float()
		}
		return a.n == b.n
	}
	switch a.Kind() {
	case KindInt:
		return b.isFloat() && equalIntFloat(int64(a.n), b.float())
	case KindFloat:
		return b.isInt() && equalIntFloat(int64(b.n), a.float())
	case KindString:
		s := b.str()
		return s != nil && (*String)(a.p).equal(s)
	}
	return false
}

func equalIntFloat(n int64, f float64) bool {
	i, ok := floatToInt(f)
	return ok && i == n
}

// A Userdata is a value of Go that Lua can only pass on, or use through its metatable.
type Userdata struct {
	header
	Value any
	Meta  *Table
	size  int64 // its bytes in memory
}

// NewUserdata returns v as a userdata that counts for size bytes of memory.
func (st *State) NewUserdata(v any, meta *Table, size int64) *Userdata {
	st.room(size)
	st.alloc(userdataSize + size)
	return &Userdata{header: header{kind: KindUserdata}, Value: v, Meta: meta, size: size}
}

// Of returns an object as a value.
func (u *Userdata) Of() Value { return Value{p: unsafe.Pointer(u)} }
func (t *Table) Of() Value    { return Value{p: unsafe.Pointer(t)} }
func (s *String) Of() Value   { return Value{p: unsafe.Pointer(s)} }
func (th *Thread) Of() Value  { return Value{p: unsafe.Pointer(th)} }
