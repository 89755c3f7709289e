package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/docs/library"
)

// verify holds every preset whose repository is in the folder against the files of its newest
// commit: every glob has to find something, and versions have to be tagged as the preset says.
func verify(ctx context.Context, o options, w io.Writer) error {
	f := docs.New(docs.Config{WorkDir: o.dir, Now: time.Now})
	listed, err := f.List(ctx, docs.ListInput{Presets: true})
	if err != nil {
		return err
	}
	var absent []string
	good, wrong := 0, 0
	for i := range listed.Presets {
		p := &listed.Presets[i]
		git := gitDir(o.dir, p.Repo)
		if git == "" {
			absent = append(absent, p.Name)
			continue
		}
		said, err := held(ctx, git, p)
		if err != nil {
			return err
		}
		if said.wrong == "" {
			good++
		} else {
			wrong++
		}
		fmt.Fprintf(w, "%-22s %5d pages  %s  %s\n", p.Name, said.pages, said.date, said.wrong)
	}
	fmt.Fprintf(w, "%d presets: %d verified, %d wrong, %d without their repository here: %s\n", len(listed.Presets), good, wrong, len(absent), strings.Join(absent, " "))
	if wrong > 0 {
		return fmt.Errorf("%d presets are wrong", wrong)
	}
	return nil
}

// gitDir returns where the objects of a repository are below dir, or "".
func gitDir(dir, repo string) string {
	at := filepath.Join(dir, strings.ReplaceAll(strings.TrimPrefix(repo, "https://github.com/"), "/", "+"))
	for _, sub := range []string{"repo", ".git"} {
		if _, err := os.Stat(filepath.Join(at, sub, "HEAD")); err == nil {
			return filepath.Join(at, sub)
		}
	}
	return ""
}

type verdict struct {
	pages int
	date  string // of the commit
	wrong string
}

// held compares a preset with a repository.
func held(ctx context.Context, dir string, p *docs.Preset) (v verdict, err error) {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"--git-dir", dir}, args...)...).Output()
		if err != nil {
			return "", fmt.Errorf("%s: git %s: %w", p.Name, args[0], err)
		}
		return strings.TrimSpace(string(out)), nil
	}
	list, err := git("ls-tree", "-r", "--name-only", "HEAD")
	if err != nil {
		return v, err
	}
	if v.date, err = git("log", "-1", "--format=%cs"); err != nil {
		return v, err
	}
	tags, err := git("tag")
	if err != nil {
		return v, err
	}
	globs := p.Include
	if len(p.Paths) > 0 {
		globs = nil
		for _, g := range p.Paths {
			major, _, _ := strings.Cut(p.Current, ".")
			globs = append(globs, strings.NewReplacer("{version}", p.Current, "{major}", major).Replace(g))
		}
	}
	find := func(globs []string, count func(glob, name string)) {
		for name := range strings.SplitSeq(list, "\n") {
			for _, g := range globs {
				if ok, _ := doublestar.Match(g, name); ok {
					count(g, name)
				}
			}
		}
	}
	excluded, useful, matched := map[string]bool{}, map[string]int{}, map[string]int{}
	pages := map[string]bool{}
	find(p.Exclude, func(g, name string) { excluded[name], useful[g] = true, useful[g]+1 })
	find(globs, func(g, name string) {
		if !excluded[name] {
			matched[g]++
			pages[name] = pages[name] || library.FormatOf(name, nil) != ""
		}
	})
	for _, is := range pages {
		if is {
			v.pages++
		}
	}
	var wrong []string
	for _, g := range globs {
		// What older versions have elsewhere is not here.
		if matched[g] == 0 && (p.Tag == "" || v.pages == 0) {
			wrong = append(wrong, "nothing matches "+g)
		}
	}
	for _, g := range p.Exclude {
		if useful[g] == 0 {
			wrong = append(wrong, "nothing to exclude by "+g)
		}
	}
	if p.Tag != "" && tags != "" && !tagged(strings.Split(tags, "\n"), p.Tag) {
		wrong = append(wrong, "no tag is like "+p.Tag)
	}
	v.wrong = strings.Join(wrong, "; ")
	return v, nil
}

// tagged reports whether a tag is what a pattern makes of a version.
func tagged(tags []string, pattern string) bool {
	for _, mark := range []string{"{version_}", "{version}", "{major}"} {
		before, after, ok := strings.Cut(pattern, mark)
		if !ok {
			continue
		}
		for _, t := range tags {
			v, one := strings.CutPrefix(t, before)
			v, two := strings.CutSuffix(v, after)
			if one && two && v != "" && strings.Trim(v, "0123456789._-abcprev") == "" {
				return true
			}
		}
	}
	return false
}
