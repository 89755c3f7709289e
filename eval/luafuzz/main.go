// Command luafuzz compares the virtual machine with C Lua.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"github.com/assay-dev/assay/internal/lua/vm"
)

func main() {
	src, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	if p := os.Getenv("PROF"); p != "" {
		f, _ := os.Create(p)
		_ = pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	began := time.Now()
	st := vm.New(vm.Options{Stdout: w, Now: time.Now, Clock: func() time.Duration { return time.Since(began) }})
	p, err := vm.Compile("@"+os.Args[1], string(src))
	if err != nil {
		w.Flush()
		fmt.Fprintln(os.Stderr, err)
		return
	}
	if _, err := st.Main().Call(st.Load(p, vm.Nil).Of()); err != nil {
		w.Flush()
		fmt.Fprintln(os.Stderr, err)
		if e, ok := err.(*vm.Error); ok {
			fmt.Fprintln(os.Stderr, e.Traceback)
		}
	}
}
