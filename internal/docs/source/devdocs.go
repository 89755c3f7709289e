package source

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
)

// DevDocs is where the documents of devdocs.io come from where nothing else is said.
const DevDocs = "https://documents.devdocs.io"

// What a db.json may be, which is read as a stream.
const maxDevDocs = 1 << 30

var devdocsName = lazy.Regexp(`^[a-z0-9][a-z0-9._+-]*(?:~[a-z0-9._-]+)?$`)

// devdocsAt returns where the pages of devdocs:NAME are: an address of their db.json.
func devdocsAt(name string) (string, error) {
	if !devdocsName.MatchString(name) || len(name) > 100 {
		return "", fault.New(fault.Usage, "%q is not the name of a set of DevDocs", name).Or("write devdocs:NAME or devdocs:NAME~VERSION, as the address at devdocs.io has it")
	}
	return DevDocs + "/" + name + "/db.json", nil
}

// openDevDocs reads a set of pages as DevDocs keeps them: db.json, one object of HTML by path,
// and meta.json beside it, where that is.
func (t *Tree) openDevDocs(ctx context.Context, o Options) error {
	o.Progress("Fetching "+t.Address, 0, 0)
	remote := strings.Contains(t.Address, "://")
	f := newFetcher(t.Address).within(o.Request)
	open := func(name string) (io.ReadCloser, error) {
		if !remote {
			return safe.OpenNamed(filepath.Join(filepath.Dir(t.Address), name))
		}
		in, _, err := f.get(ctx, strings.TrimSuffix(t.Address, "db.json")+name, "application/json, */*;q=0.5")
		return in, err
	}
	in, err := open("db.json")
	if err != nil {
		if _, known := errors.AsType[*fault.Error](err); !known {
			err = fault.New(fault.Unavailable, "open %s", t.Address).Because(err)
		}
		return err
	}
	defer in.Close()
	set := path.Base(path.Dir(filepath.ToSlash(t.Address)))
	if !devdocsName.MatchString(set) {
		set = slug(set)
	}
	dir, err := t.scratch(o)
	if err != nil {
		return err
	}
	if err := t.rootAt(dir); err != nil {
		return err
	}
	name, version, _ := strings.Cut(set, "~")
	t.ID, t.Title, t.Version = "/devdocs/"+slug(name), name, version
	t.pages = map[string]string{}
	limited := &io.LimitedReader{R: in, N: maxDevDocs}
	err = t.devdocsPages(ctx, json.NewDecoder(bufio.NewReaderSize(limited, 1<<16)), set, o)
	_, known := errors.AsType[*fault.Error](err)
	switch {
	case ctx.Err() != nil:
		return fault.New(fault.Interrupted, "stopped before %s was read", t.Address)
	case limited.N <= 0:
		return fault.New(fault.Unavailable, "%s is larger than %d MB", t.Address, maxDevDocs>>20)
	case err != nil && !known:
		return fault.New(fault.NotFound, "%s is not a db.json of DevDocs: an object of HTML by path", t.Address).Because(err).Or("check the address; a set is devdocs:NAME")
	case err != nil:
		return err
	}
	if meta, err := open("meta.json"); err == nil {
		t.devdocsMeta(meta)
		meta.Close()
	}
	return nil
}

// devdocsPages writes the pages, one at a time.
func (t *Tree) devdocsPages(ctx context.Context, d *json.Decoder, set string, o Options) error {
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return errors.Join(err, errors.New("it does not begin with an object"))
	}
	big, held := 0, int64(0)
	for d.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		key, err := d.Token()
		if err != nil {
			return err
		}
		var text string
		if err := d.Decode(&text); err != nil {
			return err
		}
		at, _ := key.(string)
		if len(text) > maxLinkSize {
			big++
			continue
		}
		if held += int64(len(text)); held > maxUnpacked || len(t.order) >= maxFiles {
			return fault.New(fault.Unavailable, "%s holds more than %d pages or %d GB", t.Address, maxFiles, maxUnpacked>>30)
		}
		if o.Wanted != nil && !o.Wanted(strings.Trim(at, "/")) {
			continue
		}
		u := &url.URL{Scheme: "https", Host: "devdocs.io", Path: "/" + set + "/" + at}
		name := strings.TrimSuffix(nameOf(&url.URL{Path: at}, nil), ".md") + ".html"
		if err := t.keep(name, u.String(), []byte(text)); err != nil {
			return err
		}
		o.Progress("Reading pages", int64(len(t.order)), 0)
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if len(t.order) == 0 {
		return errors.New("it holds no page")
	}
	t.omit(big, fmt.Sprintf("over %d MB", maxLinkSize>>20))
	return nil
}

// devdocsMeta takes the name and the release of a set from its description.
func (t *Tree) devdocsMeta(in io.Reader) {
	var meta struct {
		Name    string `json:"name"`
		Release string `json:"release"`
	}
	if json.NewDecoder(io.LimitReader(in, maxManifest)).Decode(&meta) != nil {
		return // the name of the set says as much
	}
	if len(meta.Name) < 200 && meta.Name != "" {
		t.Title = meta.Name
	}
	if len(meta.Release) < 100 && meta.Release != "" {
		t.Version = meta.Release
	}
}
