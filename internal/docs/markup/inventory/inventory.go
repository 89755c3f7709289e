// Package inventory reads the inventories that Sphinx puts beside the pages of a site (objects.inv): the pages of the names that the
// site explains.
//
// Whatever a file holds, reading it ends within bounded memory: it is compressed, and may claim to hold anything.
package inventory

import (
	"bufio"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// Name is the name of the file.
const Name = "objects.inv"

const (
	maxText  = 64 << 20 // bytes, unpacked
	maxLine  = 16 << 10
	maxNames = 500_000
)

// An Inventory names the project of a site, its version and its pages.
type Inventory struct {
	Project, Version string
	Pages            []string // their addresses, relative to the file, in the order in which it names something of them
}

// Read reads an inventory.
func Read(in io.Reader) (inv Inventory, err error) {
	r := bufio.NewReader(in)
	var head [4]string
	for i := range head {
		if head[i], err = headLine(r); err != nil {
			return inv, fmt.Errorf("it is no inventory of Sphinx: %w", err)
		}
	}
	if head[0] != "# Sphinx inventory version 2" {
		return inv, errors.New("it is no inventory of Sphinx, of version 2")
	}
	inv.Project, inv.Version = strings.TrimPrefix(head[1], "# Project: "), strings.TrimPrefix(head[2], "# Version: ")
	z, err := zlib.NewReader(r)
	if err != nil {
		return inv, err
	}
	limited := &io.LimitedReader{R: z, N: maxText + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	seen := map[string]bool{}
	for names := 0; lines.Scan(); names++ {
		if names == maxNames {
			return inv, fmt.Errorf("it has more than %d names", maxNames)
		}
		if page := pageOf(lines.Text()); page != "" && !seen[page] {
			seen[page] = true
			inv.Pages = append(inv.Pages, page)
		}
	}
	if limited.N == 0 {
		return inv, fmt.Errorf("it is larger than %d MB", maxText>>20)
	}
	return inv, lines.Err()
}

// headLine returns a line of the head, which is not compressed.
func headLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	return strings.TrimRight(string(line), "\r\n"), err
}

// entry is a line: "name domain:role priority address title". A name may have blanks; an address that ends in "$" ends in the name.
var entry = lazy.Regexp(`^(.+?) \w+:\w+ -?\d (\S+) `)

// pageOf returns the address of the page of a name, without the place on it.
func pageOf(line string) string {
	m := entry.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	address := m[2]
	if at, isShort := strings.CutSuffix(address, "$"); isShort {
		address = at + m[1]
	}
	page, _, _ := strings.Cut(address, "#")
	return page
}
