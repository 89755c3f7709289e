package lua_test

import (
	"runtime"
	"runtime/metrics"
)

// held returns the bytes of the heap that are not garbage.
func held() uint64 {
	runtime.GC()
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// highest returns the bytes that the process has ever taken for its heap and its stacks,
// whether they were given back or not.
func highest() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
