package lua_test

import (
	"runtime"
	"runtime/metrics"
	"testing"

	"github.com/assay-dev/assay/internal/script/lua"
)

// A script that has the process for itself lets garbage gather before it is collected.
func TestAlone(t *testing.T) {
	vm := lua.New(lua.Options{Alone: true})
	defer vm.Close()
	runtime.GC()
	s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	metrics.Read(s)
	if goal := s[0].Value.Uint64(); goal < 64<<20 {
		t.Errorf("the heap may grow to %d bytes until it is collected", goal)
	}
}
