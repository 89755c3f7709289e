// Package scan is the ground that the scanners of all languages stand on: source
// text in tokens, brackets in pairs, chains of names.
//
// Whatever the text, the tokens are in order, do not overlap and lie in it; every
// Open has a Pair behind it. It takes time linear in the text.
package scan
