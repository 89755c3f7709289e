package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/heap"
	"github.com/assay-dev/assay/internal/core/embed"
	feature "github.com/assay-dev/assay/internal/feature/memory"
)

// config is that of a feature over the vault and the index below dir.
func config(dir string) feature.Config {
	return feature.Config{WorkDir: dir, Vault: filepath.Join(dir, "vault"), DB: filepath.Join(dir, "memory.db"),
		Embedder: provider()}
}

// provider gives the embedding model, opened once.
func provider() func() (embed.Provider, error) {
	return sync.OnceValues(func() (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static"}) })
}

// drive is another process: DIR COMMAND [ARG].
//
//	nothing        ends
//	search QUERY   searches once and prints the hits
//	hook           answers the first prompt of a session, its payload on standard input
//	crowd NAME     stores and searches until its standard input ends
//	store NAME     stores until it is killed
//	rebuild        rebuilds until it is killed
func drive(ctx context.Context, args []string, w io.Writer) error {
	if len(args) < 2 {
		return errors.New("driver DIR COMMAND [ARG]")
	}
	switch args[1] {
	case "nothing", "search", "hook":
		heap.Late() // as the program does
	}
	f := feature.New(config(args[0]))
	defer func() { _ = f.Close() }()
	arg := strings.Join(args[2:], " ")
	switch args[1] {
	case "nothing":
		return nil
	case "search":
		r, err := f.Search(ctx, feature.SearchInput{Query: arg})
		if err != nil {
			return err
		}
		return r.WriteText(w, false)
	case "hook":
		b, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		r, err := f.Hook(ctx, feature.HookInput{Agent: "claude", Event: "prompt", Payload: string(b)})
		if err != nil {
			return err
		}
		return r.WriteText(w, false)
	case "crowd":
		done := make(chan struct{})
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // it ends when there was enough
			close(done)
		}()
		return crowd(ctx, f, w, arg, done)
	case "store":
		return crowd(ctx, f, w, arg, nil)
	case "rebuild":
		for {
			if _, err := f.Rebuild(ctx, feature.RebuildInput{}); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("there is no command %q", args[1])
}

// crowd stores notes and searches for them until done, and prints of each that was
// acknowledged its path and text.
func crowd(ctx context.Context, f *feature.Feature, w io.Writer, name string, done <-chan struct{}) error {
	for i := 0; ; i++ {
		select {
		case <-done:
			return nil
		default:
		}
		own := fmt.Sprintf("Own note %s-%d is about %s and nothing else.", name, i, strings.Repeat(name, 2))
		for _, text := range []string{own, fmt.Sprintf("Shared note %d is stored by all of them.", i%50)} {
			r, err := f.Store(ctx, feature.StoreInput{Title: "Crowd", Content: text})
			if err != nil {
				return err
			}
			if r.Unindexed != "" {
				return fmt.Errorf("%s is not indexed: %s", r.Path, r.Unindexed)
			}
			if _, err := fmt.Fprintf(w, "%s\t%s\n", r.Path, text); err != nil {
				return err
			}
		}
		if r, err := f.Search(ctx, feature.SearchInput{Query: own}); err != nil {
			return err
		} else if len(r.Hits) == 0 && len(r.Notes) == 0 {
			return errors.New("a search finds nothing, and does not say why")
		}
	}
}
