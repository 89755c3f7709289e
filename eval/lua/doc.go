// Command lua measures the VM beside C Lua 5.4, and prints ratios: what both do on
// the same machine in turns says more than milliseconds do.
//
//	go run ./eval/lua -n 7
//
// # What is measured
//
//	work     the usual programs, each in a process of its own, beside C Lua: the least
//	         of -n runs, and the geometric mean of the ratios. -work measures nothing
//	         else. Left out where lua5.4 is not installed. And JSON, beside lua-cjson
//	         where that is.
//	linear   gsub, table.concat and the like over 1 MB and over 10 MB: a ratio of
//	         10 is linear.
//	start    from the start of a process to its first line of Lua, and from New to
//	         that line within one.
//
// What is measured is the processor time of a process, collection of garbage included;
// of what is linear less that of one that only prepares it, the median of -n runs with
// the least and the most beside it.
//
// # The official tests
//
//	git -C LUA archive v5.4.4 testes | tar x -C DIR
//	go run ./eval/lua -tests DIR/testes -v
//
// Each statement at the top of each file runs by itself, in C Lua and in the VM, and one that
// fails ends no other. What may fail is counted: a call, an assignment, a block, a loop, the
// value of a local. A statement needs no io, os or debug if C Lua passes it without them: both
// run the files without io, os, debug, dofile, loadfile and string.dump, and what C Lua passes
// then is what the VM has to. require finds what the tests preload, and bwcoercion. The switches
// _soft, _port and _nomsg are on. A statement that takes longer than 15 seconds fails.
//
// With -check the command fails where a bound does not hold: work at most 3 times C Lua's
// time in the mean and in fib, 6 in each program; the linear ones at most 20, the start at
// most 8 ms, and of the official statements one in a hundred may fail. A busy machine breaks bounds that hold on a quiet one.
package main
