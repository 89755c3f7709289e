package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// packagesUsed names the packages that the embedding model was trained on: registry,
// name, version and licence, by tabs.
const packagesUsed = "eval/embedding/packages/used.tsv"

// data writes what NOTICE says of embedded data.
func data(b *bytes.Buffer, root string) error {
	n, licences, err := used(root)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, `== Embedded data ==

internal/code/embed/static/model.bin: the embedding model
    Trained by eval/embedding on %d public packages of Debian, npm and the Go module
    proxy. %s names them with their versions and licences.
    The model is a list of words and vectors for them; its card is
    internal/code/embed/static/README.md.
    Licences as the packages declare them, with the number of packages:
`, n, packagesUsed)
	for _, l := range licences {
		fmt.Fprintf(b, "    %s\n", l)
	}
	b.WriteString(`    Its rows for text are learned from vectors of all-MiniLM-L6-v2 (Apache-2.0), bge-small-en-v1.5
    and e5-small-v2 (MIT), of texts of the packages and repositories in eval/embedding/packages:
    text.txt and prose.txt.

internal/memory/vault/cl100k.txt: words that are one token in cl100k_base (MIT)
    Derived from tiktoken's encoding
    Copyright (c) 2022 OpenAI, Shantanu Jain
    as github.com/tiktoken-go/tokenizer has it (MIT)
    Copyright (c) 2023 tiktoken-go

internal/code/embed/subword/forms.txt: decompositions of the Unicode Character Database (Unicode-3.0)
    Copyright © 1991-2021 Unicode, Inc.
    https://www.unicode.org/license.txt

internal/audit/named/standard.txt: names of the standard libraries of Java, Kotlin, JavaScript, Python and Rust
    As javap, the imports of public projects, Node.js, dir() and the index of std list them.
`)
	return nil
}

// common is how many packages a licence must have to be named in NOTICE; the file
// itself has the rest.
const common = 20

// used returns how many packages the embedding model was trained on, and under which
// licences, the most frequent first.
func used(root string) (n int, licences []string, err error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(packagesUsed)))
	if err != nil {
		return 0, nil, err
	}
	count := map[string]int{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) != 4 {
			return 0, nil, fmt.Errorf("%s: %q has %d fields, want registry, name, version and licence", packagesUsed, line, len(f))
		}
		n++
		count[cmp.Or(f[3], "unknown")]++
	}
	rest := 0
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		if count[name] < common {
			rest += count[name]
			continue
		}
		licences = append(licences, fmt.Sprintf("%5d  %s", count[name], name))
	}
	return n, append(licences, fmt.Sprintf("%5d  others, each with fewer than %d", rest, common)), nil
}
