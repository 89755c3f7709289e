// Package source brings documentation from where it lies: a folder, an archive, a
// git repository, a package of npm's, a set of DevDocs, or the pages that
// an llms.txt, a sitemap or an inventory of Sphinx names.
//
// Nothing outside of the tree can be read through it, whatever links the tree holds,
// and nothing that a tree holds is run. A server in a private network is asked only if
// the person named that very server. What is unpacked or fetched has limits in
// number and size; going past one is an error and leaves nothing behind.
package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	words "github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/markup/inventory"
	"github.com/assay-dev/assay/internal/docs/release"
)

// A Kind is where a source lies.
type Kind string

// The kinds of source.
const (
	Folder  Kind = "folder"
	File    Kind = "file"
	Archive Kind = "archive"
	Git     Kind = "git"
	NPM     Kind = "npm"
	LLMs    Kind = "llms.txt"
	Site    Kind = "website"
	Set     Kind = "devdocs"
)

// Options say how to bring a source.
type Options struct {
	Ref      string // git: a branch or tag; "" for the one that the repository offers
	Version  string // the label asked for: of git, a tag that is so called is taken where Ref is empty
	WorkDir  string // where relative paths begin
	Temp     string // a folder for what is fetched or unpacked; made where it is not there
	Registry string // of npm packages; "" for the public one
	Progress func(stage string, done, total int64)
	// Refuse returns why the files of an archive are not wanted, before it is unpacked;
	// nil: all are.
	Refuse func(paths []string) error
	// Wanted says of the path of a website's page, without slashes around it, whether it is to be
	// fetched; nil: all are.
	Wanted   func(path string) bool
	MaxPages int // of a website or an llms.txt, that are fetched; 0: 3,000
	// Request bounds the time of one request, its answer included, except for an archive;
	// 0: DefaultRequest. Total bounds that of the whole source; 0: DefaultTotal.
	Request, Total time.Duration
}

// The limits of time where nobody sets any: a server that sends a byte now and then would
// else be waited for.
const (
	DefaultRequest = time.Minute
	DefaultTotal   = time.Hour
)

// errTotal is the cause of a context that ended with the time of the whole source.
var errTotal = errors.New("the source took too long")

// A Tree is documentation within reach.
type Tree struct {
	Kind    Kind
	Address string // as it can be opened again: without passwords, absolute
	Ref     string // the branch or tag, of git
	Commit  string
	Date    time.Time // of Commit; zero where it is unknown
	Version string    // that the source itself states: of npm; of git, the label where a tag of that name was found

	Meant       bool   // Version is what a range or the beginning of a version stood for
	ID          string // what it may be called: "/vercel/next.js"
	Title       string // "" where the source does not say
	Description string
	Aliases     []string
	Notes       []string // what was omitted, for the person
	// Omitted are pages of the source that were not read, by reason: each has a note too.
	Omitted []Omission
	// Lost is how many pages, or lists of pages, of a site may be there and could not be had: it did not answer, or
	// asked for patience.
	Lost int

	root  *os.Root
	temp  string            // removed by Close
	only  string            // the one file, of File
	pages map[string]string // addresses by path, of LLMs and Site
	order []string          // their paths
}

// An Omission is how many pages were omitted for a reason.
type Omission struct {
	Pages    int
	Why      string
	Examples []string // some of their addresses, or none
}

// omit counts pages, and says so to the person.
func (t *Tree) omit(n int, why string, pages ...string) {
	if n == 0 {
		return
	}
	pages = pages[:min(len(pages), maxLost)]
	t.Omitted = append(t.Omitted, Omission{n, why, pages})
	note := words.Count(n, "page", "pages") + " omitted: " + why
	if len(pages) > 0 {
		note += ": " + strings.Join(pages, ", ")
	}
	t.Notes = append(t.Notes, note)
}

// Open brings the source at an address: a path, https://…, git@host:…, owner/name,
// npm:NAME[@VERSION]. Its errors are faults.
func Open(ctx context.Context, address string, o Options) (*Tree, error) {
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	kind, where, err := classify(address, o.WorkDir)
	if err != nil {
		return nil, err
	}
	here := kind == Folder && !strings.Contains(where, "://")
	isBare := here && isBareRepository(where)
	_, isCheckout := git.TopLevel(where)
	isRepository := kind == Git || isBare || here && isCheckout
	if o.Ref != "" && !isRepository {
		return nil, fault.New(fault.Usage, "--ref %s: %s is not a git repository", o.Ref, address).Or("omit --ref, or give the address of a repository")
	}
	t := &Tree{Kind: kind, Address: where}
	total := cmp.Or(o.Total, DefaultTotal)
	ctx, cancel := context.WithTimeoutCause(ctx, total, errTotal)
	defer cancel()
	switch kind {
	case Folder, File:
		switch {
		case strings.Contains(where, "://"):
			err = t.openRemote(ctx, o)
		case o.Ref != "" || isBare:
			err = t.openThen(ctx, o)
		default:
			err = t.openLocal(ctx, where)
		}
	case Git:
		err = t.openGit(ctx, o)
	case Archive:
		err = t.openArchive(ctx, o)
	case NPM:
		err = t.openNPM(ctx, o)
	case LLMs:
		err = t.openLLMs(ctx, o)
	case Site:
		err = t.openSite(ctx, o)
	case Set:
		err = t.openDevDocs(ctx, o)
	}
	if err != nil {
		_ = t.Close() // what was brought so far is of no use
		if errors.Is(context.Cause(ctx), errTotal) {
			return nil, fault.New(fault.Unavailable, "%s was not read in whole within %v", address, total).
				Or("give it more time, such as --timeout %v, or set docs.timeout", 2*total)
		}
		return nil, err
	}
	return t, nil
}

// FS returns the files of the tree.
func (t *Tree) FS() fs.FS { return safe.LinkedFS(t.root) }

// Only returns the paths that make the tree up where it is more, or less, than all
// the documents below its root: nil for all of them.
func (t *Tree) Only() []string {
	if t.only != "" {
		return []string{t.only}
	}
	return t.order
}

// Close removes what Open fetched.
func (t *Tree) Close() error {
	var errs []error
	if t.root != nil {
		errs = append(errs, t.root.Close())
	}
	if t.temp != "" {
		errs = append(errs, os.RemoveAll(t.temp))
	}
	return errors.Join(errs...)
}

// URL returns the address at which a person can read a file of the tree, or "".
func (t *Tree) URL(file string) string {
	escaped := (&url.URL{Path: file}).EscapedPath()
	switch t.Kind {
	case LLMs, Site, File, Set:
		return t.pages[file]
	case NPM:
		return "https://unpkg.com/" + strings.TrimPrefix(t.Address, "npm:") + "@" + t.Version + "/" + escaped
	case Git:
		base, host := webOf(t.Address)
		ref := cmp.Or(t.Ref, t.Commit)
		ref = (&url.URL{Path: ref}).EscapedPath()
		switch {
		case base == "":
			return ""
		case strings.Contains(host, "gitlab"):
			return base + "/-/blob/" + ref + "/" + escaped
		case strings.Contains(host, "bitbucket"):
			return base + "/src/" + ref + "/" + escaped
		}
		return base + "/blob/" + ref + "/" + escaped
	}
	return ""
}

var (
	scpLike   = lazy.Regexp(`^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[^:].*$`)
	shorthand = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._][A-Za-z0-9._-]*$`)
	hostPath  = lazy.Regexp(`^(?:[a-z0-9-]+\.)+[a-z]{2,}/[A-Za-z0-9._-]+/[A-Za-z0-9._/-]+$`)
)

// classify says what an address is, and how it can be opened again.
func classify(address, workDir string) (Kind, string, error) {
	switch {
	case address == "":
		return "", "", fault.New(fault.Usage, "no source is named").Or("give a folder, an archive, a git URL, the URL of an llms.txt, a sitemap.xml or an objects.inv, npm:NAME or devdocs:NAME")
	case strings.HasPrefix(address, "-"):
		return "", "", fault.New(fault.Usage, "%q begins with '-', which is for flags", address).Or("write a path as ./%s", address)
	case strings.HasPrefix(address, "npm:"):
		return NPM, address, nil
	case strings.HasPrefix(address, "devdocs:"):
		at, err := devdocsAt(strings.TrimPrefix(address, "devdocs:"))
		return Set, at, err
	case strings.HasPrefix(strings.ToLower(address), "file:"):
		return "", "", fault.New(fault.Usage, "%s: file:// addresses are not supported", address).Or("give the folder or file by its path")
	}
	local := address
	if !filepath.IsAbs(local) {
		local = filepath.Join(workDir, local)
	}
	if st, err := os.Stat(local); err == nil {
		return localKind(address, local, st.IsDir())
	}
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return remoteKind(address, u)
	}
	switch {
	case strings.Contains(address, "::"):
		return "", "", fault.New(fault.Usage, "%s names a program to run", address).Or("give the repository's https:// address")
	case scpLike.MatchString(address):
		return Git, strings.TrimSuffix(address, "/"), nil
	case hostPath.MatchString(address):
		return Git, "https://" + strings.TrimSuffix(address, "/"), nil
	case shorthand.MatchString(address) && !strings.HasPrefix(address, "."):
		return Git, "https://github.com/" + strings.TrimSuffix(address, ".git"), nil
	}
	return "", "", fault.New(fault.NotFound, "no file or folder %s", address).Or("check the path, or give an address that begins with https://")
}

func localKind(address, local string, dir bool) (Kind, string, error) {
	real, err := filepath.EvalSymlinks(local)
	if err != nil {
		return "", "", fault.New(fault.Unavailable, "open %s", address).Because(err)
	}
	base := strings.ToLower(path.Base(filepath.ToSlash(local)))
	switch {
	case dir:
		return Folder, real, nil
	case archived(base):
		return Archive, real, nil
	case strings.HasPrefix(base, "llms") && strings.HasSuffix(base, ".txt"):
		return LLMs, real, nil
	case base == "db.json":
		return Set, real, nil
	}
	return File, real, nil
}

func remoteKind(address string, u *url.URL) (Kind, string, error) {
	clean := *u
	clean.User, clean.Fragment = nil, ""
	base := strings.ToLower(path.Base(u.Path))
	switch u.Scheme {
	case "https", "http":
	case "ssh", "git":
		clean.User = u.User
		if _, has := u.User.Password(); has {
			clean.User = url.User(u.User.Username())
		}
		return Git, clean.String(), nil
	default:
		return "", "", fault.New(fault.Usage, "%s: %s:// addresses are not supported", redacted(u), u.Scheme).Or("give an https:// address, or a path")
	}
	if u.User != nil {
		return "", "", fault.New(fault.Usage, "%s holds a password, which would end up in lists and logs", redacted(u)).
			Or("let git's credential helper keep it, and give the address without")
	}
	switch {
	case strings.HasSuffix(base, ".txt"):
		return LLMs, clean.String(), nil
	case strings.HasSuffix(base, ".xml"), strings.HasSuffix(base, ".xml.gz"), base == inventory.Name:
		return Site, clean.String(), nil
	case base == "db.json": // as DevDocs calls the pages of a set
		clean.RawQuery = ""
		return Set, clean.String(), nil
	case strings.HasSuffix(base, ".json"), strings.HasSuffix(base, ".yaml"), strings.HasSuffix(base, ".yml"):
		return File, clean.String(), nil
	case archived(base), base == "htmlzip": // as Read the Docs calls its own
		return Archive, clean.String(), nil
	}
	clean.RawQuery = ""
	return Git, strings.TrimSuffix(strings.TrimSuffix(clean.String(), "/"), ".git"), nil
}

func redacted(u *url.URL) string {
	c := *u
	if c.User != nil {
		c.User = url.User("…")
	}
	return c.Redacted()
}

// isBareRepository reports whether a folder is a repository without a checkout, as mirrors are.
func isBareRepository(dir string) bool {
	isFolder := func(name string) bool { return kindOf(dir, name) == os.ModeDir }
	return kindOf(dir, "HEAD") == 0 && isFolder("objects") && (isFolder("refs") || kindOf(dir, "packed-refs") == 0)
}

// openThen brings a folder of a checkout as it is at a branch or tag, or a repository that has no checkout.
func (t *Tree) openThen(ctx context.Context, o Options) error {
	top, _ := git.TopLevel(t.Address)
	if isBareRepository(t.Address) {
		top = t.Address
		if o.Ref == "" && o.Version != "" && o.Version != release.Latest {
			ref, err := tagFor(git.AllowLocal(ctx, top), top, o.Version)
			if err != nil {
				return err
			}
			o.Ref = ref
		}
	}
	below, err := filepath.Rel(top, t.Address)
	if err != nil {
		return fault.New(fault.Unavailable, "open %s", t.Address).Because(err)
	}
	dir, err := t.scratch(o)
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, "tree")
	c, err := git.Clone(git.AllowLocal(ctx, top), top, o.Ref, dir)
	if err != nil {
		return unreachable(ctx, top, o.Ref, err)
	}
	t.Ref, t.Commit, t.Date = o.Ref, c.Commit, c.Date
	if st, err := os.Stat(filepath.Join(dir, below)); err != nil || !st.IsDir() {
		return fault.New(fault.NotFound, "%s has no folder %s at %s", top, filepath.ToSlash(below), o.Ref).Or("give the folder of the checkout, and --docs-path")
	}
	if err := t.rootAt(filepath.Join(dir, below)); err != nil {
		return err
	}
	t.ID = "/local/" + slug(strings.TrimSuffix(filepath.Base(t.Address), ".git"))
	t.describe(ctx)
	return nil
}

func (t *Tree) openLocal(ctx context.Context, where string) error {
	dir := where
	if t.Kind == File {
		dir, t.only = filepath.Dir(where), filepath.Base(where)
	}
	root, err := safe.Linked(pagesOf(dir))
	if err != nil {
		return fault.New(fault.Unavailable, "open %s", dir).Because(err)
	}
	t.root = root
	if t.Kind == File {
		if err := t.text(t.only); err != nil {
			return err
		}
	}
	t.ID = "/local/" + slug(strings.TrimSuffix(filepath.Base(where), filepath.Ext(where)))
	if t.Kind == Folder {
		t.ID = "/local/" + slug(strings.TrimSuffix(filepath.Base(where), docset))
		t.describe(ctx)
	}
	return nil
}

// openRemote fetches one file: the description of an HTTP API.
func (t *Tree) openRemote(ctx context.Context, o Options) error {
	text, base, err := t.llmsText(ctx, o, newFetcher(t.Address).within(o.Request), true)
	if err != nil {
		return err
	}
	dir, err := t.scratch(o)
	if err != nil {
		return err
	}
	if err := t.rootAt(dir); err != nil {
		return err
	}
	base.Fragment, base.User = "", nil
	name := slug(path.Base(base.Path))
	if ext := path.Ext(t.Address); path.Ext(name) != ext && len(ext) < 8 && !strings.ContainsAny(ext, "/?#&=") {
		name += ext // it was led to an address that does not say what it is
	}
	t.ID = "/" + slug(strings.TrimPrefix(base.Hostname(), "www.")) + "/" + slug(strings.TrimSuffix(name, path.Ext(name)))
	t.pages, t.only = map[string]string{}, name
	return t.keep(name, base.String(), text)
}

// docset is how the folders of Dash and Zeal end, which hold pages beside an index of their own.
const docset = ".docset"

// pagesOf returns the folder of the pages of a folder: of a docset the one below it.
func pagesOf(dir string) string {
	if strings.HasSuffix(dir, docset) {
		below := filepath.Join(dir, "Contents", "Resources", "Documents")
		if st, err := os.Lstat(below); err == nil && st.IsDir() {
			return below
		}
	}
	return dir
}

// text refuses a page that is none: a zero byte is in no text, and soon in whatever
// is packed or compiled.
func (t *Tree) text(name string) error {
	f, err := safe.OpenIn(t.root, name)
	if err != nil {
		return fault.New(fault.Unavailable, "open %s", t.Address).Because(err)
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 8<<10))
	if err != nil {
		return fault.New(fault.Unavailable, "read %s", t.Address).Because(err)
	}
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return fault.New(fault.Usage, "%s is a PDF, which stores the positions of letters and not their words", t.Address).
			Or("pdftotext -layout %s makes a text of it; many projects offer HTML or an EPUB too", words.ShellWord("./"+t.only))
	}
	if bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")) {
		return fault.New(fault.Usage, "%s is in an old format of Office, or it needs a password", t.Address).Or("save it as .docx, .pptx or .odt, without one")
	}
	if bytes.IndexByte(head, 0) >= 0 && !(bytes.HasPrefix(head, []byte("PK\x03\x04")) && office(name)) {
		return fault.New(fault.Usage, "%s is not a text file", t.Address).Or("unpack it and give the folder; .zip, .tar and .tar.gz are read as they are")
	}
	return nil
}

// office reports whether a file is called as a document of a word processor or slides are.
func office(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".docx", ".odt", ".odp", ".pptx":
		return true
	}
	return false
}

var noSlug = lazy.Regexp(`[^A-Za-z0-9._-]+`)

// slug returns name as a part of a library's ID.
func slug(name string) string {
	s := strings.Trim(noSlug.ReplaceAllString(name, "-"), "-.")
	return cmp.Or(s, "docs")
}

// webOf returns the address of a repository for people, and its host.
func webOf(address string) (base, host string) {
	if scpLike.MatchString(address) && !strings.Contains(address, "://") {
		at, rest, _ := strings.Cut(address, ":")
		_, host, _ = strings.Cut(at, "@")
		return "https://" + host + "/" + strings.TrimSuffix(strings.TrimPrefix(rest, "/"), ".git"), host
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", ""
	}
	return "https://" + u.Host + strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), ".git"), u.Host
}

// idOf returns the ID that a repository's address suggests: its last two parts.
func idOf(address string) string {
	base, host := webOf(address)
	parts := strings.Split(strings.Trim(strings.TrimPrefix(base, "https://"+host), "/"), "/")
	if n := len(parts); n >= 2 {
		return "/" + slug(parts[n-2]) + "/" + slug(parts[n-1])
	}
	return "/" + slug(host) + "/" + slug(path.Base(base))
}

// IsGit reports whether an address is of a git repository that is not here.
func IsGit(address, workDir string) bool {
	kind, _, err := classify(address, workDir)
	return err == nil && kind == Git
}
