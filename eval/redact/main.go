// Redact prints what redaction takes out of the text files below folders, with the line
// around it, and how much that is for each megabyte: for a person to read which of it is
// no secret.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/redact"
)

func main() {
	each := flag.Int("every", 1, "print every nth line only")
	flag.Parse()
	var size, files, found, printed int
	kinds := map[string]int{}
	for _, dir := range flag.Args() {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil || len(data) > 4<<20 || bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0 {
				return err
			}
			files++
			size += len(data)
			out, n := redact.Text(data)
			if n == 0 {
				return nil
			}
			was, is := strings.Split(string(data), "\n"), strings.Split(string(out), "\n")
			for i := range is {
				for _, part := range strings.Split(is[i], "[redacted:")[1:] {
					kind, _, _ := strings.Cut(part, "]")
					kinds[kind]++
				}
				if found += strings.Count(is[i], "[redacted:"); i < len(was) && was[i] != is[i] {
					if printed++; printed%*each == 0 {
						fmt.Printf("%s:%d\n  - %.200s\n  + %.200s\n", path, i+1, strings.TrimSpace(was[i]), strings.TrimSpace(is[i]))
					}
				}
			}
			return nil
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	fmt.Printf("%d files, %.1f MB, %d taken out, %.2f for each MB: %v\n", files, float64(size)/1e6, found, float64(found)/max(1e-6, float64(size)/1e6), kinds)
}
