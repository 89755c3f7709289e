//go:build !amd64

package vec

const fast = false

func dotInt8(_, _ *int8, _ int) int32                          { panic("no assembly") }
func addLevels(_ *int32, _ *byte, _ *[16]int8, _ int32, _ int) { panic("no assembly") }
func dotFloat(_, _ *float32, _ int) float32                    { panic("no assembly") }
func axpyFloat(_, _ *float32, _ float32, _ int)                { panic("no assembly") }
func apart256(_ *uint16, _, _ *uint64, _ int)                  { panic("no assembly") }
func apart192(_ *uint16, _, _ *uint64, _ int)                  { panic("no assembly") }
