package vec

import "golang.org/x/sys/cpu"

// fast says that the assembly can run here.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// n is a multiple of 32, and not 0.
//
//go:noescape
func dotInt8(a, b *int8, n int) int32

// n is a multiple of 16, and not 0; acc has twice as many.
//
//go:noescape
func addLevels(acc *int32, row *byte, levels *[16]int8, w int32, n int)

// n is a multiple of 32, and not 0.
//
//go:noescape
func dotFloat(a, b *float32, n int) float32

// n is a multiple of 32, and not 0.
//
//go:noescape
func axpyFloat(y, x *float32, w float32, n int)

// n is not 0; a row is four words, and planes are twelve.
//
//go:noescape
func apart256(out *uint16, rows, planes *uint64, n int)

// n is not 0; a row is three words, and planes are nine. Whatever has AVX2 counts bits.
//
//go:noescape
func apart192(out *uint16, rows, planes *uint64, n int)
