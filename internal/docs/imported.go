package docs

import (
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/source"
)

// carried returns what is kept of how a library was read that somebody else has read. Whoever made its file could
// have written any folder of this machine, or any server that only this machine reaches, as if the person here had
// named it: what is kept is where its name at npm or DevDocs is looked up, and an address for the person to name.
func carried(by string) string {
	var r recipe
	if json.Unmarshal([]byte(by), &r) != nil || !registered(r.Address) && !public(r.Address) {
		r = recipe{}
	}
	r.Here, r.Packed = false, false
	return r.String()
}

// registered reports whether an address is of a package or a set by its name alone: where those are looked up, data
// does not say.
func registered(address string) bool {
	set, ok := strings.CutPrefix(address, source.DevDocs+"/")
	set, end := strings.CutSuffix(set, "/db.json")
	return strings.HasPrefix(address, "npm:") || ok && end && set != "" && !strings.Contains(set, "/")
}

// shown is of the characters that stand for themselves in a shell.
var shown = lazy.Regexp(`^https://[A-Za-z0-9._~:/%+@,=?-]+$`)

// public reports whether an address is one of HTTPS at a host that has a name of the public network, as far as it says
// so itself, and can stand in a command.
func public(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || !shown.MatchString(address) {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	_, err = netip.ParseAddr(host)
	last := host[strings.LastIndexByte(host, '.')+1:]
	return err != nil && last != host && last != "" && last != "localhost" && last != "internal" && last != "local" && (last[0] < '0' || last[0] > '9')
}

// errImported marks that a library is not read again since nobody here named its source.
var errImported = errors.New("imported")

// again says how a library is read again that was imported.
func again(l *library.Library, r *recipe) *fault.Error {
	e := fault.New(fault.Usage, "%s was imported, or read before it was kept who names its source, and none is read that nobody here named", join(l.ID, l.Version)).Because(errImported)
	if !public(r.Address) {
		return e.Or("import a newer file of it, or read it yourself: assay docs ingest SOURCE --id %s", l.ID)
	}
	version := ""
	if r.Version == l.Version {
		version = " --version " + l.Version
	}
	return e.Or("if you trust the address that it names: assay docs ingest %s --id %s%s", r.Address, l.ID, version)
}
