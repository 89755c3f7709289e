package inventory

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// packed returns an inventory with lines.
func packed(lines string) []byte {
	var b bytes.Buffer
	b.WriteString("# Sphinx inventory version 2\n# Project: Shop\n# Version: 1.2\n# The remainder of this file is compressed using zlib.\n")
	w, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	_, _ = w.Write([]byte(lines))
	_ = w.Close()
	return b.Bytes()
}

func TestRead(t *testing.T) {
	inv, err := Read(bytes.NewReader(packed("shop.Cart.add py:method 1 api.html#$ -\nfirst steps std:doc -1 start.html First steps\nindex.html std:doc -1 $ -\nno object\nx py:class y z\nshop.Cart py:class 1 api.html#$ -\n")))
	want := "{Shop 1.2 [api.html start.html index.html]}"
	if got := fmt.Sprint(inv); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestReadRefuses(t *testing.T) {
	good := packed("a py:data 1 a.html#$ -\n")
	for name, data := range map[string][]byte{
		"nothing":                nil,
		"another file":           []byte("# Sphinx inventory version 1\n# Project: A\n# Version: 1\na mod a.html\n"),
		"no compressed part":     []byte("# Sphinx inventory version 2\n# Project: A\n# Version: 1\n# zlib\nplain"),
		"one that is cut off":    good[:len(good)-6],
		"a line without an end":  packed(strings.Repeat("a", 2*maxLine)),
		"more than is unpacked":  packed(strings.Repeat("# nothing\n", maxText/10+2)),
		"more names than fit":    packed(strings.Repeat("a a:b 1 c -\n", maxNames+1)),
		"a head that never ends": bytes.Repeat([]byte("a"), 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			if inv, err := Read(bytes.NewReader(data)); err == nil {
				t.Errorf("read as %d pages", len(inv.Pages))
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(packed("a py:data 1 a.html#$ -\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		inv, err := Read(bytes.NewReader(data))
		if err == nil && slices.Contains(inv.Pages, "") {
			t.Errorf("%q", inv.Pages)
		}
	})
}
