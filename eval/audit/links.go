package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	audit "github.com/assay-dev/assay/internal/audit"
)

// The plain link check below shares nothing with the rules that it is held against: patterns find the links of Markdown, and an anchor is
// the heading in small letters with hyphens.

var (
	plainLink    = regexp.MustCompile(`\]\(<?([^()\s<>]+(?:\([^()\s]*\))?)>?(?:\s+["'][^)]*)?\)|(?m:^\s{0,3}\[[^\]^][^\]]*\]:\s*<?(\S+?)>?\s*$)|<(?:a|img)\s[^>]*?(?:href|src)="([^"]+)"`)
	plainCode    = regexp.MustCompile("(?ms)^[ \t>]*(```|~~~).*?^[ \t>]*(?:```|~~~)[ \t]*$|<!--.*?-->|``[^`\n]+``|`[^`\n]+`")
	plainHeading = regexp.MustCompile(`(?m)^ {0,3}(?:#{1,6}[ \t]+(.+?)[ \t]*#*[ \t\r]*$|([^\n]+)\n(?:=+|-{3,})[ \t\r]*$)|(?:id|name)=["']([^"']+)["']|\{#([\w-]+)`)
	plainMarkup  = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)|<[^>]+>|[*` + "`" + `]`)
	plainNoWord  = regexp.MustCompile(`[^\p{L}\p{N}\p{M}_ -]`)
	plainScheme  = regexp.MustCompile(`^(?:[a-zA-Z][\w+.-]*:|//|/|#?$)|[{}$<>]`)
)

// blank keeps the lines of what it takes away.
func blank(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }

// plainAnchors are the anchors of a page.
func plainAnchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range plainHeading.FindAllStringSubmatch(text, -1) {
		slug := strings.ReplaceAll(plainNoWord.ReplaceAllString(strings.ToLower(plainMarkup.ReplaceAllString(m[1]+m[2], "$1")), ""), " ", "-")
		for n := 0; out[slug] && slug != ""; n++ {
			slug = strings.TrimSuffix(slug, fmt.Sprintf("-%d", n)) + fmt.Sprintf("-%d", n+1)
		}
		out[slug], out[strings.ToLower(m[3]+m[4])] = true, true
	}
	return out
}

// brokenLinks lists the relative links and anchors of the Markdown of a tree that lead nowhere, as PATH:LINE TARGET.
func brokenLinks(root string) (out []string, err error) {
	err = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err // a part that was not read has links too
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() || !strings.EqualFold(path.Ext(at), ".md") {
			return nil
		}
		raw, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		text := plainCode.ReplaceAllStringFunc(string(raw), blank)
		for _, m := range plainLink.FindAllStringSubmatchIndex(text, -1) {
			target := ""
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 {
					target = text[m[g]:m[g+1]]
				}
			}
			if !plainScheme.MatchString(target) && !leads(at, target, string(raw)) {
				rel, _ := filepath.Rel(root, at)
				out = append(out, fmt.Sprintf("%s:%d %s", filepath.ToSlash(rel), 1+strings.Count(text[:m[0]], "\n"), target))
			}
		}
		return nil
	})
	return out, err
}

// leads reports whether a relative link of a page leads somewhere.
func leads(page, target, text string) bool {
	file, fragment, _ := strings.Cut(target, "#")
	file, _, _ = strings.Cut(file, "?")
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	to := page
	if file != "" {
		to = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
		if _, err := os.Stat(to); err != nil {
			return false
		}
		raw, _ := os.ReadFile(to) // a folder has no anchors
		text = string(raw)
	}
	if fragment == "" || !strings.EqualFold(path.Ext(to), ".md") {
		return true
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	return plainAnchors(text)[strings.ToLower(fragment)]
}

// compareLinks shows the broken links of a tree that a plain check finds, each with the level at which audit ci has it.
func compareLinks(ctx context.Context, o options, root string, w io.Writer) error {
	broken, err := brokenLinks(root)
	if err != nil {
		return err
	}
	levels := map[string]string{}
	err = asked(o.modes, func(feature *audit.Feature) error {
		ci, err := feature.CI(ctx, audit.CIInput{FailOn: "none", All: true, Scope: audit.Scope{Project: audit.Project{Root: root}}})
		if err != nil {
			return err
		}
		for i := range ci.Findings {
			f := &ci.Findings[i]
			levels[fmt.Sprintf("%s:%d %s", f.Path, f.Line, f.Name)] = f.Severity
		}
		return nil
	})
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, at := range broken {
		level := levels[at]
		counts[level]++
		if level == "" || o.verbose {
			fmt.Fprintf(w, "%s\t%s\t%s\n", filepath.Base(root), at, level)
		}
	}
	_, err = fmt.Fprintf(w, "%s: a plain check finds %d broken links; audit ci has %d of them as errors, %d as warnings, %d as unsure\n", filepath.Base(root), len(broken), counts["high"], counts["medium"], counts["low"])
	return err
}
