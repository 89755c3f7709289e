package source

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup/inventory"
	"github.com/assay-dev/assay/internal/docs/markup/llms"
)

// What a sitemap may hold: the protocol allows 50,000 addresses and 50 MB each.
const (
	maxSitemaps    = 100
	maxSitemapSize = 50 << 20
	maxAddresses   = 50_000
)

// openSite reads a sitemap, those that it names in its turn, and fetches the pages of its own
// site that robots.txt does not forbid.
func (t *Tree) openSite(ctx context.Context, o Options) error {
	o.Progress("Fetching "+t.Address, 0, 0)
	f := newFetcher(t.Address).within(o.Request)
	base, err := url.Parse(t.Address)
	if err != nil {
		return fault.New(fault.Usage, "%s is not a valid address", t.Address).Because(err)
	}
	rules, err := f.robots(ctx, base)
	if err != nil {
		return err
	}
	t.Title = strings.TrimPrefix(base.Hostname(), "www.")
	list := t.sitemaps
	if path.Base(base.Path) == inventory.Name {
		list = t.inventory
	}
	all, err := list(ctx, f, base)
	if err != nil {
		return err
	}
	var links []llms.Link
	forbidden, unwanted := 0, 0
	for _, address := range all {
		u, err := base.Parse(address)
		switch {
		case err == nil && !rules.allow(u):
			forbidden++
		case err == nil && o.Wanted != nil && !o.Wanted(strings.Trim(u.Path, "/")):
			unwanted++
		default:
			links = append(links, llms.Link{URL: address})
		}
	}
	t.omit(forbidden, "robots.txt of the site forbids them")
	t.omit(unwanted, "by --docs-path and --exclude")
	if len(links) == 0 {
		return fault.New(fault.NotFound, "%s names no page that may be read (%d are there)", t.Address, len(all)).Or("check the address, --docs-path and the site's robots.txt")
	}
	dir, err := t.scratch(o)
	if err != nil {
		return err
	}
	t.ID = "/websites/" + slug(strings.ReplaceAll(strings.TrimPrefix(base.Hostname(), "www."), ".", "_"))
	if err := t.rootAt(dir); err != nil {
		return err
	}
	t.pages = map[string]string{}
	return t.fetch(ctx, o, f, base, links)
}

// inventory returns the addresses of the pages that an inventory of Sphinx names, and takes over its project and version.
func (t *Tree) inventory(ctx context.Context, f *fetcher, base *url.URL) (pages []string, err error) {
	in, at, err := f.get(ctx, base.String(), "*/*")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if site(server(at)) != site(server(base)) {
		return nil, leadsElsewhere(base.String(), at)
	}
	inv, err := inventory.Read(in)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%s is not an inventory of Sphinx", base).Because(err).
			Or("check the address: it is beside the first page of the site")
	}
	t.Title = cmp.Or(inv.Project, t.Title)
	if versionLabel.MatchString(inv.Version) {
		t.Version = inv.Version
	}
	for _, page := range inv.Pages[:min(len(inv.Pages), maxAddresses)] {
		if u, err := base.Parse(page); err == nil {
			pages = append(pages, u.String())
		}
	}
	t.omit(max(0, len(inv.Pages)-maxAddresses), fmt.Sprintf("at most %d addresses are looked at", maxAddresses))
	return pages, nil
}

var versionLabel = lazy.Regexp(`^[\w.+-]{1,40}$`)

// leadsElsewhere is the error of a list of pages that another site answers with.
func leadsElsewhere(address string, at *url.URL) error {
	return fault.New(fault.Unavailable, "%s is not read: it leads to %s", address, at.Host).Because(errElsewhere).
		Or("give that site as a source of its own")
}

// sitemaps returns the addresses of pages of a sitemap and of those that it names.
func (t *Tree) sitemaps(ctx context.Context, f *fetcher, base *url.URL) (pages []string, err error) {
	todo := []string{base.String()}
	for n := 0; n < len(todo); n++ {
		if n == maxSitemaps {
			t.Notes = append(t.Notes, fmt.Sprintf("%d sitemaps omitted: at most %d are read", len(todo)-n, maxSitemaps))
			break
		}
		inner, found, err := f.sitemap(ctx, todo[n], base)
		if err != nil && n == 0 {
			return nil, err
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			t.Notes = append(t.Notes, fmt.Sprintf("a sitemap could not be read: %v", err))
			if _, other := errors.AsType[notSitemap](err); other || errors.Is(err, errLater) { // a page of maintenance says 200
				t.Lost++
			}
			continue
		}
		for _, address := range inner {
			if !slices.Contains(todo, address) && len(todo) < 10*maxSitemaps {
				todo = append(todo, address)
			}
		}
		pages = append(pages, found...)
		if len(pages) > maxAddresses {
			t.omit(len(pages)-maxAddresses, fmt.Sprintf("at most %d addresses are looked at", maxAddresses))
			return pages[:maxAddresses], nil
		}
	}
	return pages, nil
}

// sitemap reads one: the sitemaps that it names, or the pages.
func (f *fetcher) sitemap(ctx context.Context, address string, base *url.URL) (sitemaps, pages []string, err error) {
	in, at, err := f.get(ctx, address, "application/xml, text/xml, */*;q=0.5")
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	if site(server(at)) != site(server(base)) {
		return nil, nil, leadsElsewhere(address, at)
	}
	r := bufio.NewReader(in)
	var text io.Reader = r
	// What is shorter than two bytes is no sitemap, which its reader says.
	if head, _ := r.Peek(2); string(head) == "\x1f\x8b" {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, nil, fault.New(fault.Unavailable, "read %s", address).Because(later(err))
		}
		text = z
	}
	limited := &io.LimitedReader{R: text, N: maxSitemapSize + 1}
	sitemaps, pages, err = readSitemap(limited)
	switch {
	case limited.N == 0:
		return nil, nil, fault.New(fault.Unavailable, "%s is larger than %d MB", address, maxSitemapSize>>20)
	case errors.Is(err, errLater):
		return nil, nil, fault.New(fault.Unavailable, "read %s", address).Because(err)
	case err != nil:
		return nil, nil, fault.New(fault.NotFound, "%s is not a sitemap", address).Because(notSitemap{err}).Or("check the address: robots.txt of a site names its sitemap")
	}
	return sitemaps, pages, nil
}

// notSitemap is why what an address answers is read as no sitemap.
type notSitemap struct{ error }

// readSitemap reads the addresses of a sitemap, as sitemaps.org defines it. No entity is expanded.
func readSitemap(r io.Reader) (sitemaps, pages []string, err error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // addresses are ASCII
	var around []string
	var loc strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if _, malformed := errors.AsType[*xml.SyntaxError](err); err != nil && !malformed { // it was cut off
			err = later(err)
		}
		if err != nil {
			return nil, nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			around = append(around, token.Name.Local)
			loc.Reset()
			if len(around) == 1 && token.Name.Local != "urlset" && token.Name.Local != "sitemapindex" || len(around) > 20 {
				return nil, nil, fmt.Errorf("it begins with <%s>", around[0])
			}
		case xml.CharData:
			if len(around) == 3 && around[2] == "loc" && loc.Len() < 4<<10 {
				loc.Write(token)
			}
		case xml.EndElement:
			if address := strings.TrimSpace(loc.String()); len(around) == 3 && around[2] == "loc" && address != "" {
				switch around[1] {
				case "sitemap":
					sitemaps = append(sitemaps, address)
				case "url":
					pages = append(pages, address)
				}
			}
			around = around[:len(around)-1]
		}
	}
	if len(sitemaps)+len(pages) == 0 {
		return nil, nil, errors.New("it names no address")
	}
	return sitemaps, pages, nil
}

// robots are the rules of a site for this program (RFC 9309).
type robots []rule

type rule struct {
	pattern string
	allow   bool
}

const maxRobots = 500 << 10 // as the RFC has it: what follows is not read

// robots reads the rules of a site. One that has none allows all; one whose rules cannot be had
// may have any.
func (f *fetcher) robots(ctx context.Context, base *url.URL) (robots, error) {
	address := *base
	address.Path, address.RawPath, address.RawQuery = "/robots.txt", "", ""
	in, _, err := f.get(ctx, address.String(), "text/plain, */*;q=0.5")
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxRobots))
	if err != nil {
		return nil, fault.New(fault.Unavailable, "read %s", address.String()).Because(err)
	}
	return readRobots(text), nil
}

// readRobots returns the rules of the groups for assay, or else of those for everybody.
func readRobots(text []byte) robots {
	var own, all robots
	named := false      // a group is for assay
	var forUs, any bool // what the lines of user agents before this one say
	reading := false    // the last line was one of those
	for line := range bytes.Lines(text) {
		s, _, _ := strings.Cut(string(line), "#")
		key, value, ok := strings.Cut(s, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "user-agent":
			if !reading {
				forUs, any = false, false
			}
			reading = true
			forUs = forUs || strings.EqualFold(value, "assay")
			any = any || value == "*"
			named = named || forUs
		case "allow", "disallow":
			reading = false
			if value == "" {
				continue // nothing is forbidden
			}
			r := rule{value, strings.EqualFold(strings.TrimSpace(key), "allow")}
			if forUs {
				own = append(own, r)
			}
			if any {
				all = append(all, r)
			}
		}
	}
	if named {
		return own
	}
	return all
}

// allow reports whether a page may be read: the longest pattern that fits decides, of two the one
// that allows.
func (rules robots) allow(u *url.URL) bool {
	path := cmp.Or(u.EscapedPath(), "/")
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	longest, allowed := -1, true
	for _, r := range rules {
		if n := len(r.pattern); (n > longest || n == longest && r.allow) && fits(r.pattern, path) {
			longest, allowed = n, r.allow
		}
	}
	return allowed
}

// fits reports whether a path begins as a pattern says: '*' is anything, '$' at its end the end.
// The time is that of the path by the pattern, whatever stars there are.
func fits(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	path = path[len(parts[0]):]
	for i, part := range parts[1:] {
		if whole && i == len(parts)-2 {
			return strings.HasSuffix(path, part)
		}
		_, after, ok := strings.Cut(path, part)
		if !ok {
			return false
		}
		path = after
	}
	return !whole || path == ""
}
