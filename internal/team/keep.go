package team

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// A Kept is what a server keeps that cannot be made again. Memory is the folder of a team.
type Kept struct {
	Workspace, Tokens, Cert, Key, AuditLog string
	Docs                                   []string
	Memory                                 map[string]string // by team
}

// Keeps returns what the server of a file keeps; ok is false where there is no such file.
func Keeps(file string) (k Kept, ok bool, err error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return k, false, nil
	}
	c, err := Load(file)
	if err != nil {
		return k, false, fmt.Errorf("read %s: %w", file, err)
	}
	k = Kept{Workspace: c.Workspace, Tokens: c.Tokens, AuditLog: c.AuditLog, Memory: map[string]string{}}
	if c.TLS != nil {
		k.Cert, k.Key = c.TLS.Cert, c.TLS.Key
	}
	for _, name := range slices.Sorted(maps.Keys(c.Teams)) {
		if c.Teams[name].Memory {
			k.Memory[name] = c.Dir(name)
		}
		for _, db := range c.Teams[name].Docs {
			if !slices.Contains(k.Docs, db) {
				k.Docs = append(k.Docs, db)
			}
		}
	}
	return k, true, nil
}
