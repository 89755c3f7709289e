package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/assay-dev/assay/internal/fault"
	"github.com/assay-dev/assay/internal/markup/llms"
	"github.com/assay-dev/assay/internal/safe"
)

const (
	maxLinks    = 3000
	maxLinkSize = 8 << 20
	maxPages    = 256 << 20 // of all that they lead to: it is held at once
	fetchers    = 8
	maxLost     = 5 // of links that could not be had, how many are named
)

// openLLMs reads an llms.txt and fetches the pages of its own site that it names;
// of one on the disk, the files beside it.
func (t *Tree) openLLMs(ctx context.Context, o Options) error {
	remote := strings.Contains(t.Address, "://")
	text, err := t.llmsText(ctx, o, remote)
	if err != nil {
		return err
	}
	page, links := llms.Parse(text)
	t.Title, t.Description = page.Title, page.Description
	if !remote {
		root, err := safe.Linked(filepath.Dir(t.Address))
		if err != nil {
			return fault.New(fault.Unavailable, "open %s", filepath.Dir(t.Address)).Because(err)
		}
		t.root = root
		t.ID = "/local/" + slug(filepath.Base(filepath.Dir(t.Address)))
		t.localLinks(links)
		return nil
	}
	dir, err := t.scratch(o)
	if err != nil {
		return err
	}
	base, err := url.Parse(t.Address)
	if err != nil {
		return fault.New(fault.Usage, "%s is no address", t.Address).Because(err)
	}
	t.ID = "/websites/" + slug(strings.ReplaceAll(strings.TrimPrefix(base.Hostname(), "www."), ".", "_"))
	if err := t.rootAt(dir); err != nil {
		return err
	}
	t.pages = map[string]string{}
	if err := t.keep("llms.md", t.Address, text); err != nil {
		return err
	}
	return t.fetch(ctx, o, base, links)
}

func (t *Tree) llmsText(ctx context.Context, o Options, remote bool) ([]byte, error) {
	var in io.ReadCloser
	var err error
	if remote {
		o.Progress("Fetching "+t.Address, 0, 0)
		in, err = get(ctx, o.Client, t.Address, "text/plain, text/markdown, */*;q=0.5")
	} else if in, err = safe.OpenNamed(t.Address); err != nil {
		err = fault.New(fault.Unavailable, "open %s", t.Address).Because(err)
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxFileSize+1))
	switch {
	case err != nil:
		return nil, fault.New(fault.Unavailable, "read %s", t.Address).Because(err)
	case len(text) > maxFileSize:
		return nil, fault.New(fault.Unavailable, "%s is larger than %d MB", t.Address, maxFileSize>>20)
	case page(text):
		return nil, fault.New(fault.NotFound, "%s answers with a web page, not with an llms.txt", t.Address).Or("check the address")
	}
	return text, nil
}

// page tells HTML by how it begins.
func page(text []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(text[:min(len(text), 512)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// localLinks takes the files that lie beside an llms.txt.
func (t *Tree) localLinks(links []llms.Link) {
	t.order = []string{filepath.Base(t.Address)}
	lost := 0
	for _, l := range links {
		u, err := url.Parse(l.URL)
		if err != nil || u.Host != "" || u.Path == "" {
			lost++
			continue
		}
		name := path.Clean(strings.TrimPrefix(u.Path, "/"))
		if st, err := t.root.Stat(filepath.FromSlash(name)); err != nil || !st.Mode().IsRegular() {
			lost++
			continue
		}
		if !slices.Contains(t.order, name) {
			t.order = append(t.order, name)
		}
	}
	if lost > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d of %d links left out: they name no file beside it", lost, len(links)))
	}
}

// keep writes a page into the tree under a name of its own.
func (t *Tree) keep(name, address string, text []byte) error {
	if _, taken := t.pages[name]; taken {
		return nil
	}
	if err := t.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return fault.New(fault.Unavailable, "write what is fetched").Because(err)
	}
	if err := t.root.WriteFile(filepath.FromSlash(name), text, 0o600); err != nil {
		return fault.New(fault.Unavailable, "write what is fetched").Because(err)
	}
	t.pages[name] = address
	t.order = append(t.order, name)
	return nil
}

// A fetched is a page that a link named.
type fetched struct {
	text []byte
	err  error
}

// fetch brings the pages of base's site. One that cannot be had is left out and
// named; when none can, that is the error.
func (t *Tree) fetch(ctx context.Context, o Options, base *url.URL, links []llms.Link) error {
	var todo []*url.URL
	seen := map[string]bool{base.String(): true}
	other := 0
	for _, l := range links {
		u, err := base.Parse(l.URL)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || !strings.EqualFold(u.Host, base.Host) {
			other++
			continue
		}
		u.Fragment, u.User = "", nil
		if !seen[u.String()] {
			seen[u.String()] = true
			todo = append(todo, u)
		}
	}
	if other > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d links to other sites left out", other))
	}
	if len(todo) > maxLinks {
		t.Notes = append(t.Notes, fmt.Sprintf("%d links left out: at most %d are fetched", len(todo)-maxLinks, maxLinks))
		todo = todo[:maxLinks]
	}
	got := make([]fetched, len(todo))
	var next, done, held atomic.Int64
	var wg sync.WaitGroup
	for range min(fetchers, len(todo)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(todo); i = next.Add(1) - 1 {
				if held.Load() <= maxPages {
					got[i].text, got[i].err = fetchPage(ctx, o, todo[i].String())
				}
				if held.Add(int64(len(got[i].text))) > maxPages {
					got[i] = fetched{nil, fault.New(fault.Unavailable, "the pages are larger than %d MB", maxPages>>20)}
				}
				o.Progress("Fetching pages", done.Add(1), int64(len(todo)))
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return fault.New(fault.Interrupted, "stopped before %s was fetched", t.Address)
	}
	var lost []string
	var last error
	for i, g := range got {
		if g.err != nil {
			lost, last = append(lost, todo[i].String()), g.err
			continue
		}
		if err := t.keep(nameOf(todo[i], g.text), todo[i].String(), g.text); err != nil {
			return err
		}
	}
	if len(lost) > 0 && len(lost) == len(todo) {
		return last
	}
	if len(lost) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d pages could not be fetched: %s", len(lost), strings.Join(lost[:min(len(lost), maxLost)], ", ")))
	}
	return nil
}

func fetchPage(ctx context.Context, o Options, address string) ([]byte, error) {
	in, err := get(ctx, o.Client, address, "text/markdown, text/plain, text/html;q=0.5")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxLinkSize+1))
	if err == nil && len(text) > maxLinkSize {
		err = errors.New("the page is too large")
	}
	if err != nil {
		return nil, fault.New(fault.Unavailable, "fetch %s", address).Because(err)
	}
	return text, nil
}

// nameOf returns the path of a page in the tree: its address's, with an ending that
// says what it is.
func nameOf(u *url.URL, text []byte) string {
	parts := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' || r == '\\' })
	for i, p := range parts {
		parts[i] = slug(p)
	}
	if u.RawQuery != "" {
		parts = append(parts, slug(u.RawQuery))
	}
	if len(parts) == 0 {
		parts = []string{"index"}
	}
	name := path.Join(parts...)
	name = name[:min(len(name), 200)]
	ext := ".md"
	if page(text) {
		ext = ".html"
	}
	switch path.Ext(name) {
	case ".md", ".mdx", ".rst", ".html":
		return name
	}
	return name + ext
}
