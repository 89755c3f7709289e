//go:build unix && !linux

package safe

import "os"

// names lists an open folder.
func names(d *os.File) ([]Listed, error) {
	entries, err := d.ReadDir(-1)
	out := make([]Listed, 0, len(entries))
	for _, e := range entries {
		out = append(out, Listed{Name: e.Name(), Mode: e.Type()})
	}
	return out, err
}
