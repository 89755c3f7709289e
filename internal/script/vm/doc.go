// Package vm runs Lua 5.4 in pure Go: a compiler to register bytecode, an
// interpreter, and the parts of the standard library that a sandbox may have.
//
// Programs behave as the reference manual says and, where it leaves room, as C Lua
// does: integers and floats are subtypes, error messages name variables, goto, <close>,
// <const> and _ENV work, and a coroutine may yield across pcall, metamethods and
// iterators. The programs in testdata, and
// eval/lua with the official tests of Lua 5.4, hold it to C Lua's answers.
//
// Three things differ, because Go collects the garbage: __gc is never called, __mode
// keeps its entries, and next visits the keys of a table in the order in which they
// were first set. There is no io, os, debug, package or string.dump.
//
// Whatever a program does, a call from Go returns. Allocation is counted where it
// happens and weighed by what is still reachable; steps and the context are polled on
// jumps back, on calls and within library loops; a panic in a Go function becomes an
// error of Lua.
//
// The design follows "The Implementation of Lua 5.0" (Ierusalimschy, de Figueiredo,
// Celes, 2005) and the reference manual of Lua 5.4.
package vm
