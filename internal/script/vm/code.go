package vm

// An instr is one instruction of 64 bits: its code in the lowest 8, then A (8 bits),
// B (16), C (16) and D (16). A jump is relative, in the place of C and D. D of an access
// to a field is where the field was found last: a hint that the interpreter rewrites.
type instr uint64

type opcode uint8

// The instructions. R is a register, K a constant, U an upvalue; RK is a register
// below 256 and a constant from there on.
const (
	iMove      opcode = iota // R[A] = R[B]
	iLoadI                   // R[A] = J as an integer
	iLoadF                   // R[A] = J as a float
	iLoadK                   // R[A] = K[J]
	iNil                     // R[A] to R[A+B] = nil
	iFalse                   // R[A] = false
	iTrue                    // R[A] = true
	iFalseSkip               // R[A] = false, and skip an instruction
	iGetUp                   // R[A] = U[B]
	iSetUp                   // U[B] = R[A]
	iGetEnv                  // R[A] = U[B][K[C]]; the globals are in an upvalue
	iSetEnv                  // U[A][K[B]] = RK[C]
	iGetT                    // R[A] = R[B][R[C]]
	iGetI                    // R[A] = R[B][C]
	iGetF                    // R[A] = R[B][K[C]]
	iSetT                    // R[A][R[B]] = RK[C]
	iSetI                    // R[A][B] = RK[C]
	iSetF                    // R[A][K[B]] = RK[C]
	iNew                     // R[A] = {}, with room for B fields and C elements
	iSelf                    // R[A+1] = R[B], R[A] = R[B][K[C]]

	iAdd // R[A] = R[B] + R[C]; the operators are in the order of binop, those from iPow on have RK[C]
	iSub
	iMul
	iMod
	iDiv
	iPow
	iIDiv
	iBAnd
	iBOr
	iBXor
	iShl
	iShr

	iAddK // R[A] = R[B] + K[C], or K[C] + R[B] if D is 1
	iSubK
	iMulK
	iModK
	iDivK

	iAddI   // R[A] = R[B] + C, signed; if D is 1 it was a subtraction of -C, if 2 C was on the left
	iUnm    // R[A] = -R[B]
	iBNot   // R[A] = ~R[B]
	iNot    // R[A] = not R[B]
	iLen    // R[A] = #R[B]
	iConcat // R[A] = R[A] .. to R[A+B-1]

	iJmp  // jump
	iEq   // if R[A] == R[B], jump; those with N jump if it is not so
	iNe   //
	iEqK  // if R[A] == K[B], jump
	iNeK  //
	iLt   // if R[A] < R[B], jump
	iNlt  //
	iLe   //
	iNle  //
	iLtI  // if R[A] < B, signed, jump
	iNltI //
	iLeI  //
	iNleI //
	iGtI  //
	iNgtI //
	iGeI  //
	iNgeI //

	iTest    // if R[A], jump
	iNotTest //
	iTestSet // if R[B], R[A] = R[B] and jump
	iNotTestSet

	iCall     // call R[A] with B-1 arguments for C-1 results; 0: as many as there are
	iTailCall // return a call of R[A] with B-1 arguments
	iRet      // return B-1 values from R[A] on; closes what is open if D is 1
	iRet0     // return
	iRet1     // return R[A]

	iForPrep  // prepare a numeric loop; jump if it does not run
	iForLoop  // next round of it: jump back
	iTForPrep // R[A+3] is to be closed; jump to the iterCall
	iTForCall // R[A+4] to R[A+3+C] = R[A](R[A+1], R[A+2])
	iTForLoop // if R[A+4] is not nil, R[A+2] = R[A+4] and jump back

	iSetList // R[A][J+1] = R[A+1] and so on: B-1 values; 0: as many as there are
	iClosure // R[A] = a closure of P[J]
	iVararg  // R[A] and so on = ..., C-1 values; 0: all
	iClose   // close what is open from R[A] on
	iTbc     // R[A] is to be closed
	numOpcodes
)

func abc(op opcode, a, b, c int) instr {
	return instr(op) | instr(uint8(a))<<8 | instr(uint16(b))<<16 | instr(uint16(c))<<32
}

func abj(op opcode, a, b, j int) instr {
	return instr(op) | instr(uint8(a))<<8 | instr(uint16(b))<<16 | instr(uint32(int32(j)))<<32
}

func (i instr) op() opcode { return opcode(i) }
func (i instr) a() int     { return int(uint8(i >> 8)) }
func (i instr) b() int     { return int(uint16(i >> 16)) }
func (i instr) c() int     { return int(uint16(i >> 32)) }
func (i instr) d() int     { return int(uint16(i >> 48)) }
func (i instr) j() int     { return int(int32(i >> 32)) }

const (
	maxRegisters = 250
	constantBase = 256             // of an RK
	maxRK        = 1<<16 - 1 - 256 // constants that an RK reaches
)

// A Proto is a compiled function. It is never written after it was made, so that many
// states may run it at once.
type Proto struct {
	code    []instr
	k       []Value
	protos  []*Proto
	ups     []protoUpvalue
	lines   []int32    // of instructions
	vars    []debugVar // locals, in the order in which their scopes begin
	params  int
	stack   int // registers
	vararg  bool
	chunk   string // as messages call it
	line    int    // 0 of the main function
	endLine int
}

type protoUpvalue struct {
	name    string
	inStack bool // a register of the function around, else one of its upvalues
	index   uint8
}

// A debugVar is a local, in scope for the instructions from start to end.
type debugVar struct {
	name       string
	reg        int
	start, end int
}

// bytes returns the memory that the prototype takes.
func (p *Proto) bytes() int64 {
	n := int64(len(p.code))*12 + int64(len(p.k))*(valueSize+stringSize) + int64(len(p.vars))*40 + 200
	for _, k := range p.k {
		if s := k.str(); s != nil {
			n += int64(len(s.s))
		}
	}
	for _, sub := range p.protos {
		n += sub.bytes()
	}
	return n
}

// Compile returns the main function of a chunk, or an error of syntax. name is as in
// load: "@" and a file, "=" and a name, or the source itself.
func Compile(name, src string) (p *Proto, err error) {
	chunk := chunkName(name)
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			p, err = nil, e
		}
	}()
	return generate(chunk, parse(chunk, src)), nil
}
