package source

import (
	"bytes"
	"cmp"
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

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	words "github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/charset"
	"github.com/assay-dev/assay/internal/docs/markup/llms"
)

const (
	maxLinks    = 3000
	maxLinkSize = 8 << 20
	maxPages    = 256 << 20 // of all that they lead to: it is held at once
	fetchers    = 8
	maxLost     = 5 // of pages that are omitted, how many are named
)

// openLLMs reads an llms.txt and fetches the pages of its own site that it names;
// of one on the disk, the files beside it.
func (t *Tree) openLLMs(ctx context.Context, o Options) error {
	remote := strings.Contains(t.Address, "://")
	f := newFetcher(t.Address).within(o.Request)
	text, base, err := t.llmsText(ctx, o, f, remote)
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
	base.Fragment, base.User = "", nil
	t.ID = "/websites/" + slug(strings.ReplaceAll(strings.TrimPrefix(base.Hostname(), "www."), ".", "_"))
	if err := t.rootAt(dir); err != nil {
		return err
	}
	if !f.named[site(server(base))] {
		t.Notes = append(t.Notes, fmt.Sprintf("%s leads to %s: the pages are those of that site", t.Address, base))
	}
	t.pages = map[string]string{}
	if err := t.keep("llms.md", base.String(), text); err != nil {
		return err
	}
	return t.fetch(ctx, o, f, base, links)
}

// llmsText returns an llms.txt, or another file, and of one on a server the address that it came from.
func (t *Tree) llmsText(ctx context.Context, o Options, f *fetcher, remote bool) (text []byte, base *url.URL, err error) {
	var in io.ReadCloser
	if remote {
		o.Progress("Fetching "+t.Address, 0, 0)
		in, base, err = f.get(ctx, t.Address, "text/plain, text/markdown, */*;q=0.5")
	} else if in, err = safe.OpenNamed(t.Address); err != nil {
		err = fault.New(fault.Unavailable, "open %s", t.Address).Because(err)
	}
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	raw, err := file.ReadUpTo(in, maxFileSize)
	text, _ = charset.Decode(raw, charsetOf(in))
	switch {
	case err != nil:
		return nil, nil, fault.New(fault.Unavailable, "read %s", t.Address).Because(err)
	case page(text):
		return nil, nil, fault.New(fault.NotFound, "%s answers with a web page, not with %s", t.Address, map[bool]string{true: "an llms.txt", false: "a file of JSON or YAML"}[t.Kind == LLMs]).Or("check the address")
	}
	return text, base, nil
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
		t.omit(lost, fmt.Sprintf("of %d links they name no file beside it", len(links)))
	}
}

// keep writes a page into the tree under a name of its own. Two addresses may suggest one
// name, as those that end in "operator++" and "operator--" do.
func (t *Tree) keep(name, address string, text []byte) error {
	ext := path.Ext(name)
	for n, first := 2, strings.TrimSuffix(name, ext); ; n++ {
		of, taken := t.pages[name]
		if !taken {
			break
		}
		if of == address {
			return nil
		}
		name = fmt.Sprintf("%s-%d%s", first, n, ext)
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
	at   *url.URL // where it was found in the end
	err  error
}

// fetch brings the pages of base's site. One that cannot be had is omitted and
// named; when none can, that is the error.
func (t *Tree) fetch(ctx context.Context, o Options, f *fetcher, base *url.URL, links []llms.Link) error {
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
	t.omit(other, "links to other sites")
	if most := cmp.Or(o.MaxPages, maxLinks); len(todo) > most {
		t.omit(len(todo)-most, fmt.Sprintf("at most %d are fetched (--max-pages)", most))
		todo = todo[:most]
	}
	earlier := openCrawl(o, t.Address, base)
	got := make([]fetched, len(todo))
	var next, done, held atomic.Int64
	var wg sync.WaitGroup
	for range min(fetchers, len(todo)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(todo); i = next.Add(1) - 1 {
				if held.Load() <= maxPages {
					got[i] = f.pageOnce(ctx, earlier, todo[i].String())
				}
				if held.Add(int64(len(got[i].text))) > maxPages {
					got[i] = fetched{err: fault.New(fault.Unavailable, "the pages are larger than %d MB", maxPages>>20).Because(errLater)}
				}
				o.Progress("Fetching pages", done.Add(1), int64(len(todo)))
			}
		})
	}
	wg.Wait()
	earlier.end(ctx.Err() == nil)
	if ctx.Err() != nil {
		return fault.New(fault.Interrupted, "stopped before %s was fetched; the same command goes on from here within a day", t.Address)
	}
	if n := earlier.had.Load(); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s of a run that was stopped before, not fetched again", words.Count(int(n), "page is", "pages are")))
	}
	return t.keepAll(todo, got)
}

// keepAll writes the pages that were had, each under the address that it came from.
func (t *Tree) keepAll(todo []*url.URL, got []fetched) error {
	var lost, left []string
	var last error
	for i, g := range got {
		switch {
		case errors.Is(g.err, errElsewhere):
			left, last = append(left, todo[i].String()), g.err
		case g.err != nil:
			lost, last = append(lost, todo[i].String()), g.err
			if errors.Is(g.err, errLater) {
				t.Lost++
			}
		default:
			if err := t.keep(nameOf(g.at, g.text), g.at.String(), g.text); err != nil {
				return err
			}
		}
	}
	if last != nil && len(lost)+len(left) == len(todo) {
		return last
	}
	t.omit(len(lost), "they could not be fetched", lost...)
	t.omit(len(left), "they redirect to another site", left...)
	return nil
}

// errElsewhere is why a page is omitted that is not on the site of its llms.txt: a link
// to another site is not followed, and a redirect to one is no better.
var errElsewhere = errors.New("it redirects to another site")

// pageOnce fetches a page unless an earlier run has it.
func (f *fetcher) pageOnce(ctx context.Context, earlier *crawl, address string) fetched {
	if p, ok := earlier.page(address); ok {
		return p
	}
	p := f.page(ctx, address, earlier.base)
	earlier.keep(address, p)
	return p
}

// page fetches a page of base's site.
func (f *fetcher) page(ctx context.Context, address string, base *url.URL) fetched {
	in, at, err := f.get(ctx, address, "text/markdown, text/plain, text/html;q=0.5")
	if err != nil {
		return fetched{err: err}
	}
	defer in.Close()
	if site(server(at)) != site(server(base)) {
		return fetched{err: fault.New(fault.Unavailable, "%s is not fetched: it leads to %s", address, at.Host).Because(errElsewhere).Or("give that site as a source of its own")}
	}
	at.Fragment, at.User = "", nil
	text, err := file.ReadUpTo(in, maxLinkSize)
	if err != nil && !errors.Is(err, file.ErrTooLarge) { // it was cut off
		err = later(err)
	}
	if err != nil {
		return fetched{err: fault.New(fault.Unavailable, "fetch %s", address).Because(err)}
	}
	text, _ = charset.Decode(text, charsetOf(in))
	return fetched{text: text, at: at}
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
