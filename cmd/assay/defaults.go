//go:build !slim

package main

import (
	"fmt"
	"path/filepath"

	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/embed/static"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs/source"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// defaults returns the values of settings that are not set, as the packages that use them define them.
func (s *surroundings) defaults() map[string]any {
	root := s.trees.WorkDir
	if r, err := workspace.New(s.trees).Project(root); err == nil {
		root = r
	}
	notes := s.memory()
	d := map[string]any{
		"index.dir": filepath.Join(root, ".assay", "index"), "docs.db": s.docs.DB, "docs.npm_registry": source.Registry,
		"memory.vault": notes.Vault, "memory.db": notes.DB,
		"memory.chunk_tokens": vault.DefaultChunk, "memory.overlap_tokens": vault.DefaultOverlap,
		"memory.half_life_days": vault.DefaultHalfLife.Hours() / 24,
		"memory.max_results":    vault.DefaultMax, "memory.recall_tokens": vault.DefaultRecall,
		"search.top_k": code.DefaultTop, "search.budget": fmt.Sprintf("%d; no limit on a terminal", code.DefaultBudget), "trajectory.mode": "off",
	}
	// If only one weight is set, the other is 0.
	if notes.VectorWeight == 0 && notes.TextWeight == 0 {
		d["memory.vector_weight"], d["memory.text_weight"] = vault.DefaultVector, vault.DefaultText
	}
	if _, kept := trajectory.Open(root, ""); kept {
		d["trajectory.mode"] = "lenient"
	}
	switch e := s.cfg.Embed; e.Provider {
	case "static":
		d["embed.model"] = "built in"
		if m, err := static.Default(); err == nil {
			d["embed.dims"] = m.Dims
		}
	case "openai":
		d["embed.url"], d["embed.model"], d["embed.dims"] = embed.OpenAI(e.Model)
		d["embed.key_env"] = e.KeyVariable(e.Provider)
	}
	return d
}
