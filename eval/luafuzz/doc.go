// Command luafuzz runs programs that it makes up on our virtual machine and on C Lua 5.4,
// and shows those that print something else on one than on the other.
//
//	go run ./eval/luafuzz -n 100000 -seed 1
//
// A program is the function of its seed: -seed and -n say which are run, and a seed on its
// own shows one again. A program that prints something else is made as small as possible
// before it is shown; with -out it is kept in a folder, with what C Lua prints beside it, as
// the tests of internal/script/vm take them. The command fails if there was one.
//
// What is left to an implementation is made equal: addresses, the sign of NaN, and how deep
// calls of metamethods may nest.
package main
