package stdlib_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/script/stdlib"
)

var update = flag.Bool("update", false, "write modules.pack from the files of this folder")

// The program has the modules of this folder, all of them and as they are.
func TestPacked(t *testing.T) {
	paths, err := filepath.Glob("*.lua")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d modules, %v", len(paths), err)
	}
	slices.Sort(paths)
	var pack []byte
	text := func(b []byte) { pack = append(binary.AppendUvarint(pack, uint64(len(b))), b...) }
	common, err := os.ReadFile(stdlib.Common + ".lua")
	if err != nil {
		t.Fatal(err)
	}
	public := 0
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(path, ".lua")
		if !strings.HasPrefix(name, "_") {
			public++
		}
		if got, _ := stdlib.Source(name); !*update && !bytes.Equal(got, src) {
			t.Errorf("the program has another %s than this folder: go test ./internal/script/stdlib -run TestPacked -update", path)
		}
		var b bytes.Buffer
		var with []byte
		if name != stdlib.Common {
			with = common
		}
		w, err := flate.NewWriterDict(&b, flate.BestCompression, with)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(src); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text([]byte(name))
		pack = binary.AppendUvarint(pack, uint64(len(src)))
		text(b.Bytes())
	}
	if *update {
		if err := os.WriteFile("modules.pack", pack, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := stdlib.Names(); len(got) != public {
		t.Errorf("the program has %d modules, this folder %d: go test ./internal/script/stdlib -run TestPacked -update", len(got), public)
	}
}
