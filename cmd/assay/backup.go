//go:build !slim

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/assay-dev/assay/internal/base/config"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/install/backup"
	"github.com/assay-dev/assay/internal/script"
	"github.com/assay-dev/assay/internal/team"
)

// backups returns the feature that backs up the data that cannot be rebuilt. Indexes of trees can be rebuilt, and the secret
// that marks them is only valid on this machine.
func (s *surroundings) backups() *backup.Feature {
	return backup.New(backup.Config{WorkDir: s.trees.WorkDir, Version: version(), Now: time.Now, Places: s.userPlaces, Team: serverPlaces})
}

// userPlaces returns the places of the user's data according to a settings file; "" means the settings in force.
func (s *surroundings) userPlaces(settings string) ([]backup.Place, error) {
	at := *s
	own := config.UserFile(os.LookupEnv, runtime.GOOS)
	if settings != "" {
		cfg, err := config.Load(config.Sources{Env: os.LookupEnv, User: settings})
		if err != nil {
			return nil, err
		}
		at.cfg = cfg
		if at.docs.DB = cfg.Docs.DB; at.docs.DB == "" {
			at.docs.DB = filepath.Join(dataHome(), "assay", "docs.db")
		}
	}
	m := at.memory()
	var out []backup.Place
	for _, p := range []backup.Place{
		{Name: backup.Settings, Kind: backup.File, Path: own},
		{Name: "workspace", Kind: backup.File, Path: at.cfg.Workspace},
		{Name: "notes", Kind: backup.Folder, Path: m.Vault},
		{Name: "memory", Kind: backup.Database, Path: m.DB},
		{Name: "docs", Kind: backup.Database, Path: at.docs.DB},
		{Name: "modules", Kind: backup.Folder, Path: script.New(at.modules(nil, nil)).Folder()},
	} {
		if p.Path != "" {
			p.Path = file.From(at.trees.WorkDir, p.Path)
			out = append(out, p)
		}
	}
	return out, nil
}

// serverPlaces returns the places of a team server's data according to its configuration file.
func serverPlaces(file string) ([]backup.Place, error) {
	out := []backup.Place{{Name: backup.Server, Kind: backup.File, Path: file}}
	k, ok, err := team.FindServerData(file)
	if !ok || err != nil {
		return out, err
	}
	add := func(name string, kind backup.Kind, path string, secret bool) {
		if path != "" {
			out = append(out, backup.Place{Name: name, Kind: kind, Path: path, Secret: secret})
		}
	}
	add("team-workspace", backup.File, k.Workspace, false)
	add("team-tokens", backup.File, k.Tokens, true)
	add("team-cert", backup.File, k.Cert, false)
	add("team-key", backup.File, k.Key, true)
	add("team-audit", backup.File, k.AuditLog, false)
	for i, db := range k.Docs {
		add(fmt.Sprintf("team-docs-%d", i+1), backup.Database, db, false)
	}
	for _, name := range slices.Sorted(maps.Keys(k.Memory)) {
		add("team-notes-"+name, backup.Folder, filepath.Join(k.Memory[name], notesOfTeam), false)
		add("team-memory-"+name, backup.Database, filepath.Join(k.Memory[name], memoryOfTeam), false)
	}
	return out, nil
}

// The names of a team's notes and of their index, in the team's folder.
const (
	notesOfTeam  = "notes"
	memoryOfTeam = "memory.db"
)
