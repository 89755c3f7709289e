// Package stdlib holds the API modules that come with the program, as Lua source. Every
// function that a module's header describes is there, and every function that is there
// is described; what each sends is in testdata.
package stdlib

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"sync"
)

// packed is the files of this folder, compressed one by one, because together they would be
// the largest part of the program that is made for containers. TestPacked holds it to them,
// and with -update writes it.
//
//go:embed modules.pack
var packed []byte

// A file is one of them, of size bytes when it is read.
type file struct {
	name string
	size int
	data []byte
}

// files returns the directories of the packs.
var files = sync.OnceValue(func() []file { return append(directory(packed), directory(apart)...) })

// directory reads a pack: of each file its name, its size, its compressed size and what is
// compressed, in the order of names.
func directory(pack []byte) (list []file) {
	number := func() int {
		n, size := binary.Uvarint(pack)
		pack = pack[size:]
		return int(n) //nolint:gosec // the pack is part of the program
	}
	text := func(n int) (b []byte) {
		b, pack = pack[:n], pack[n:]
		return b
	}
	for len(pack) > 0 {
		f := file{name: string(text(number()))}
		f.size = number()
		f.data = text(number())
		list = append(list, f)
	}
	return list
}

// Names returns the modules in order: "grafana" for assay.grafana. What they share among
// themselves is not named; its files start with an underscore.
func Names() []string {
	var names []string
	for _, f := range files() {
		if !strings.HasPrefix(f.name, "_") {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	return names
}

// commons are the modules that the others are compressed with, and each of them with those before it: they say much of
// the same in the same words, and the pack is a fifth smaller.
var commons = []string{"gitlab", "k8s", "_rest"}

// dictionaries are what the first of commons is compressed with, the second, and at last all others.
var dictionaries = sync.OnceValue(func() [][]byte {
	out := [][]byte{nil}
	for i, name := range commons {
		src, _ := read(name, out[i])
		out = append(out, append(src, out[i]...))
	}
	return out
})

// dictionary returns the text that a module is compressed with.
func dictionary(name string) []byte {
	if i := slices.Index(commons, name); i >= 0 {
		return dictionaries()[i]
	}
	return dictionaries()[len(commons)]
}

// Source returns the text of a module, also of one that Names omits.
func Source(name string) ([]byte, bool) { return read(name, dictionary(name)) }

func read(name string, with []byte) ([]byte, bool) {
	for _, f := range files() {
		if f.name != name {
			continue
		}
		src := make([]byte, f.size)
		if _, err := io.ReadFull(flate.NewReaderDict(bytes.NewReader(f.data), with), src); err != nil {
			panic(err) // the pack is part of the program
		}
		return src, true
	}
	return nil, false
}
