package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

// A crawl is what was fetched of a site, page by page as it comes, so that a run that is
// killed need not fetch it again: the next run of the same address goes on there. What is
// older than a day is fetched anew, and a crawl that ended leaves nothing. Where it cannot
// be kept, all is fetched, which is no error.
type crawl struct {
	root *safe.Root // nil: nothing is kept
	dir  string
	base *url.URL
	had  atomic.Int64 // pages that were there
}

const crawlPrefix = "crawl-"

func openCrawl(o Options, address string, base *url.URL) *crawl {
	sum := sha256.Sum256([]byte(address))
	c := &crawl{dir: filepath.Join(o.Temp, crawlPrefix+hex.EncodeToString(sum[:12])), base: base}
	if os.MkdirAll(c.dir, 0o700) == nil {
		if root, err := safe.OpenRoot(c.dir); err == nil {
			c.root = root
		}
	}
	return c
}

func pageFile(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:])
}

// page returns the page of an address if an earlier run has fetched it.
func (c *crawl) page(address string) (fetched, bool) {
	if c.root == nil {
		return fetched{}, false
	}
	name := pageFile(address)
	st, err := c.root.Lstat(name)
	if err != nil || time.Since(st.ModTime()) > stale {
		return fetched{}, false
	}
	data, err := c.root.ReadFile(name, maxLinkSize+8<<10)
	if err != nil {
		return fetched{}, false
	}
	// The first line says where the page was found, the second what it has to add up to.
	from, rest, _ := bytes.Cut(data, []byte("\n"))
	sum, text, ok := bytes.Cut(rest, []byte("\n"))
	at, err := url.Parse(string(from))
	if !ok || err != nil || string(sum) != sumOf(from, text) || site(server(at)) != site(server(c.base)) {
		return fetched{}, false
	}
	c.had.Add(1)
	return fetched{text: text, at: at}, true
}

func sumOf(from, text []byte) string {
	h := sha256.New()
	h.Write(from)
	h.Write([]byte("\n"))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// keep puts a page down.
func (c *crawl) keep(address string, p fetched) {
	if c.root == nil || p.err != nil {
		return
	}
	from := []byte(p.at.String())
	data := append(append(append(from, '\n'), sumOf(from, p.text)...), '\n')
	_ = c.root.WriteLazily(pageFile(address), append(data, p.text...), 0o600) // it is fetched again then
}

// end forgets the pages where the crawl is complete.
func (c *crawl) end(complete bool) {
	if c.root != nil {
		c.root.Close()
	}
	if complete {
		_ = os.RemoveAll(c.dir) // a later run removes it by its age
	}
}

// left reports whether a folder below Options.Temp is one of a run that may have been killed.
func left(name string) bool {
	return strings.HasPrefix(name, "ingest-") || strings.HasPrefix(name, crawlPrefix)
}
