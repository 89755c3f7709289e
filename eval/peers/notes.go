package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// noteTasks returns the tasks about a folder of notes, of which each program gets a copy, since one
// writes into it, and a home of its own.
func (b *bench) noteTasks(ctx context.Context) ([]task, error) {
	home := func(program string) string { return b.in(program + "-home") }
	env := func(program string) []string {
		return []string{"HOME=" + home(program), "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_CACHE_HOME=", "ASSAY_MEMORY_VAULT=" + b.in("assay-notes")}
	}
	notes, lines := 0, 0
	for _, program := range []string{"assay", "mempalace", "basic-memory"} {
		var err error
		if notes, lines, err = copyTree(b.notes, b.in(program+"-notes")); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(home(program), 0o755); err != nil {
			return nil, err
		}
	}
	b.print("%d files of notes with %d lines\n", notes, lines)
	if err := b.model(home("mempalace")); err != nil {
		return nil, err
	}
	palace := b.in("palace")
	of := func(program, note, fresh string, args ...string) way {
		return way{program: program, args: args, env: env(program), note: note, fresh: fresh}
	}
	for _, w := range []way{
		of("mempalace", "", "", "init", b.in("mempalace-notes"), "--yes"),
		of("mempalace", "", "", "--palace", palace, "mine", b.in("mempalace-notes")),
		of("basic-memory", "", "", "project", "add", "notes", b.in("basic-memory-notes"), "--default"),
		of("basic-memory", "", "", "reindex"),
	} {
		if b.programs[w.program] == "" {
			continue
		}
		if _, err := b.run(ctx, w); err != nil {
			return nil, fmt.Errorf("%s %s: %w", w.program, w.args[0], err)
		}
	}
	cold := b.in("palace-cold")
	return []task{
		{"a folder of notes, read from scratch", []way{
			of("assay", "words and vectors", "", "memory", "rebuild"),
			of("mempalace", "words and vectors of MiniLM", cold, "--palace", cold, "mine", b.in("mempalace-notes")),
			of("basic-memory", "words, and vectors where it finds its model", "", "reindex", "--full")}},
		{"a question to the notes, later", []way{
			of("assay", "", "", "memory", "search", b.question),
			of("mempalace", "", "", "--palace", palace, "search", b.question),
			of("basic-memory", "", "", "tool", "search-notes", b.question)}},
	}, nil
}

// model puts MiniLM where the library that mempalace uses keeps what it has downloaded. The other
// files that the library looks for it does not read.
func (b *bench) model(home string) error {
	if b.minilm == "" {
		return nil
	}
	dir := filepath.Join(home, ".cache", "chroma", "onnx_models", "all-MiniLM-L6-v2", "onnx")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"model.onnx", "tokenizer.json"} {
		text, err := os.ReadFile(filepath.Join(b.minilm, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range []string{"config.json", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o644); err != nil {
			return err
		}
	}
	return nil
}
