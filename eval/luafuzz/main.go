// Command luafuzz compares the virtual machine with C Lua.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime/pprof"
	"syscall"
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
	st := vm.New(vm.Options{Stdout: w, Now: time.Now, Clock: func() time.Duration { var r syscall.Rusage; syscall.Getrusage(0, &r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }})
	io := st.NewTable(0, 1)
	io.SetField("write", st.NewFunction("write", func(c vm.Call) int {
		for i := 1; i <= c.N(); i++ {
			_, _ = w.WriteString(c.Str(i))
		}
		return 0
	}))
	st.SetGlobal("dbgsetmt", st.NewFunction("dbgsetmt", func(c vm.Call) int {
		if t := c.Arg(1).AsTable(); t != nil {
			t.Meta = c.Arg(2).AsTable()
		} else {
			st.SetTypeMetatable(c.Arg(1).Kind(), c.Arg(2).AsTable())
		}
		return c.Return(c.Arg(1))
	}))
	st.SetGlobal("io", io.Of())
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
