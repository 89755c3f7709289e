package team

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// ServerData lists the files and folders of a server that cannot be rebuilt, so that a backup must have them.
type ServerData struct {
	Workspace, Tokens, Cert, Key, AuditLog string
	Docs                                   []string
	Memory                                 map[string]string // the folder of notes, by team
}

// FindServerData reads a server's configuration file and returns the data it names; ok is false if the file does not exist.
func FindServerData(file string) (k ServerData, ok bool, err error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return k, false, nil
	}
	c, err := Load(file)
	if err != nil {
		return k, false, fmt.Errorf("read %s: %w", file, err)
	}
	k = ServerData{Workspace: c.Workspace, Tokens: c.Tokens, AuditLog: c.AuditLog, Memory: map[string]string{}}
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
