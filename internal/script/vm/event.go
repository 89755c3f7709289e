package vm

// An event is the operation that a metamethod is for.
type event uint8

const (
	evIndex event = iota // those before evAdd are cached as absent in a table's flags
	evNewIndex
	evEq
	evLen
	evCall
	evAdd // in the order of binop
	evSub
	evMul
	evMod
	evDiv
	evPow
	evIDiv
	evBAnd
	evBOr
	evBXor
	evShl
	evShr
	evConcat
	evUnm
	evBNot
	evLt
	evLe
	evClose
	evToString
	evName
	evMetatable
	evPairs
	numEvents
)

var eventNames = [numEvents]string{
	"__index", "__newindex", "__eq", "__len", "__call", "__add", "__sub", "__mul", "__mod", "__div", "__pow", "__idiv",
	"__band", "__bor", "__bxor", "__shl", "__shr", "__concat", "__unm", "__bnot", "__lt", "__le", "__close", "__tostring",
	"__name", "__metatable", "__pairs",
}

// metatable returns that of v, or nil.
func (st *State) metatable(v Value) *Table {
	switch k := v.Kind(); k {
	case KindTable:
		return (*Table)(v.p).Meta
	case KindUserdata:
		return (*Userdata)(v.p).Meta
	default:
		return st.metas[k]
	}
}

// metamethod returns the value of v's metatable for an event, or nil.
func (st *State) metamethod(v Value, ev event) Value {
	mt := st.metatable(v)
	if mt == nil {
		return Nil
	}
	return st.fromMeta(mt, ev)
}

// metamethodOf returns the value of the metatable of x, or else that of y, for an event, or nil.
func (st *State) metamethodOf(x, y Value, ev event) Value {
	if f := st.metamethod(x, ev); f.p != nil {
		return f
	}
	return st.metamethod(y, ev)
}

func (st *State) fromMeta(mt *Table, ev event) Value {
	if ev <= evCall && mt.flags>>ev&1 != 0 {
		return Nil
	}
	f := mt.getStr(&st.names[ev])
	if f.p == nil && ev <= evCall {
		mt.flags |= 1 << ev
	}
	return f
}
