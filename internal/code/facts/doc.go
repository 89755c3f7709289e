// Package facts owns what is known of the structure of a project: it packs the
// facts of files, and resolves what they leave open, which file an import means
// and which function a call.
//
// Resolution is lazy: a question looks only at the files that it needs. Whatever
// a record holds, decoding it ends in facts or in errCorrupt, and resolving ends.
package facts
