package stdlib_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/script/stdlib"
)

var update = flag.Bool("update", false, "write modules.pack from the files of this folder")

// comments are the lines that are for readers of this folder alone: those of a header begin with "--- @".
var comments = regexp.MustCompile(`(?m)^[ \t]*--(?: .*)?$`)

// packedText is a file as the program has it: a comment is an empty line, so that errors name the lines that they are on.
func packedText(t *testing.T, path string) []byte {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return comments.ReplaceAll(src, nil)
}

// apartNames are the modules that the program for containers leaves out.
const apartNames = "grpc _protobuf _paged gmail gcal tailscale cloudflare servicenow sonarqube sentry notion linear openstack _aws eks ecr bigquery snowflake"

// The program has the modules of this folder, all of them and without their comments.
func TestPacked(t *testing.T) {
	paths, err := filepath.Glob("*.lua")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d modules, %v", len(paths), err)
	}
	slices.Sort(paths)
	packs := map[string][]byte{}
	var pack []byte
	text := func(b []byte) { pack = append(binary.AppendUvarint(pack, uint64(len(b))), b...) }
	var commons [][]byte // what each of them is compressed with
	var all []byte
	for _, name := range stdlib.Commons {
		commons = append(commons, all)
		all = append(packedText(t, name+".lua"), all...)
	}
	public := 0
	for _, path := range paths {
		src := packedText(t, path)
		name := strings.TrimSuffix(path, ".lua")
		if !strings.HasPrefix(name, "_") {
			public++
		}
		if !*update { // the pack that is written again may be compressed with others
			if got, _ := stdlib.Source(name); !bytes.Equal(got, src) {
				t.Errorf("the program has another %s than this folder: go test ./internal/script/stdlib -run TestPacked -update", path)
			}
		}
		var b bytes.Buffer
		with := all
		if i := slices.Index(stdlib.Commons, name); i >= 0 {
			with = commons[i]
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
		file := "modules.pack"
		if slices.Contains(strings.Fields(apartNames), name) {
			file = "apart.pack"
		}
		pack = packs[file]
		text([]byte(name))
		pack = binary.AppendUvarint(pack, uint64(len(src)))
		text(b.Bytes())
		packs[file] = pack
	}
	if *update {
		for file, pack := range packs {
			if err := os.WriteFile(file, pack, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	if got := stdlib.Names(); len(got) != public {
		t.Errorf("the program has %d modules, this folder %d: go test ./internal/script/stdlib -run TestPacked -update", len(got), public)
	}
}
