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
	"time"

	"github.com/assay-dev/assay/internal/base/heap"
	"github.com/assay-dev/assay/internal/code/embed"
	feature "github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/memory/transcript"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// config is that of a feature over the vault and the index below dir.
func config(dir string) feature.Config {
	return feature.Config{WorkDir: dir, Vault: filepath.Join(dir, "vault"), DB: filepath.Join(dir, "memory.db"),
		Embedder: provider(), Sources: transcript.Open(transcript.Config{ClaudeDir: filepath.Join(dir, "claude")})}
}

// provider gives the embedding model, opened once.
func provider() func() (embed.Provider, error) {
	return sync.OnceValues(func() (embed.Provider, error) { return embed.Open(embed.Config{Provider: "static", Text: true}) })
}

// drive is another process: DIR COMMAND [ARG].
//
//	nothing        ends
//	search QUERY   searches once and prints the hits
//	hook           answers the first prompt of a session, its payload on standard input
//	crowd NAME     stores and searches until its standard input ends
//	store NAME     stores until it is killed
//	rebuild [once] rebuilds until it is killed, or once
//	capture NAME   lets sessions end, each twice, until it is killed
//	forget NAME    stores notes and forgets them until it is killed
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
	case "capture":
		return captures(ctx, args[0], w, arg)
	case "forget":
		return forgets(ctx, f, w, arg)
	case "rebuild":
		for {
			if _, err := f.Rebuild(ctx, feature.RebuildInput{}); err != nil || arg == "once" {
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
			r, err := f.Store(ctx, feature.StoreInput{Title: "Crowd: " + text, Content: text})
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

// captures writes sessions as Claude Code does, has them captured, lets them go on and has
// them captured again. It prints of each that was acknowledged the path of its digest and what
// it has to say.
func captures(ctx context.Context, dir string, w io.Writer, name string) error {
	p, err := provider()()
	if err != nil {
		return err
	}
	c := config(dir)
	m := vault.Open(vault.Config{Vault: c.Vault, Create: true, DB: c.DB, Sources: c.Sources, Embedder: p})
	defer m.Close()
	folder := filepath.Join(dir, "claude", "projects", "harbour")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for i := 0; ; i++ {
		id := fmt.Sprintf("%s-%d", name, i)
		lines := ""
		for _, said := range []string{fmt.Sprintf("We decided that the buoy %s is number one.", id), fmt.Sprintf("We decided that the lamp of buoy %s is green.", id)} {
			at := time.Now().UTC().Format(time.RFC3339)
			lines += fmt.Sprintf(`{"type":"user","uuid":"u%[1]d","timestamp":%[2]q,"cwd":%[3]q,"message":{"content":"Please note it: %[4]s"}}`+"\n"+
				`{"type":"assistant","uuid":"a%[1]d","timestamp":%[2]q,"message":{"id":"m%[1]d","content":[{"type":"text","text":"Noted, %[4]s"}]}}`+"\n", len(lines), at, filepath.ToSlash(dir), said)
			if err := os.WriteFile(filepath.Join(folder, id+".jsonl"), []byte(lines), 0o600); err != nil {
				return err
			}
			got, err := m.Capture(ctx, "claude", id)
			if err != nil {
				return err
			}
			if got.Path == "" {
				return fmt.Errorf("a session has no digest: %s", got.State)
			}
			if _, err := fmt.Fprintf(w, "%s\t%s%s\n", got.Path, digested, said); err != nil {
				return err
			}
		}
	}
}

// forgets stores notes, forgets each, and prints those that were acknowledged to be forgotten.
func forgets(ctx context.Context, f *feature.Feature, w io.Writer, name string) error {
	for i := 0; ; i++ {
		text := fmt.Sprintf("Passing note %s-%d is soon forgotten by %s.", name, i, strings.Repeat(name, 2))
		r, err := f.Store(ctx, feature.StoreInput{Title: "Crowd: " + text, Content: text})
		if err != nil {
			return err
		}
		if _, err := f.Forget(ctx, feature.ForgetInput{Path: r.Path}); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\t%s%s\n", r.Path, forgotten, text); err != nil {
			return err
		}
	}
}

// What an acknowledgement is of begins with these; else it is a note.
const (
	digested  = "digest "
	forgotten = "forgotten "
)
