package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/corpus"
)

// implementers returns the methods of types of the project that have all the
// methods of a Go interface, for one of these methods.
func (p *Project) implementers(iface Ref, m *corpus.Decl) (out []Ref) {
	wanted := p.methodNames(iface, 0)
	for _, r := range p.declared(iface.Doc, m.Name) {
		d := p.Decl(r)
		if d.Kind != corpus.Method || d.Traits&corpus.Abstract != 0 || len(d.Params) != len(m.Params) {
			continue
		}
		f := p.File(r.Doc)
		if path.Dir(f.Path) == path.Dir(p.Docs[iface.Doc].Path) && signature(d) != signature(m) {
			continue // between packages the same type is written in two ways
		}
		c, ok := p.classNamed(f, -1, memberScope(d))
		if !ok {
			continue
		}
		if p.hasAll(c, wanted) {
			out = append(out, r)
		}
	}
	return out
}

// signature returns the types that a Go method takes and gives, as written.
func signature(d *corpus.Decl) string {
	var b strings.Builder
	typ := func(s string) {
		s = strings.TrimSpace(s)
		if name, rest, ok := strings.Cut(s, " "); ok && !strings.ContainsAny(name, "*[].{(<") && name != "chan" && name != "func" && name != "map" && name != "struct" && name != "interface" {
			s = strings.TrimSpace(rest)
		}
		b.WriteString(s)
		b.WriteByte(',')
	}
	for _, s := range d.Params {
		typ(s)
	}
	b.WriteByte('>')
	if r, ok := strings.CutPrefix(d.Result, "("); ok {
		list := commas(strings.TrimSuffix(r, ")"))
		for k := range list {
			for _, v := range part(value{kind: instance, typ: d.Result}, k) {
				typ(v.typ)
			}
		}
	} else if d.Result != "" {
		typ(d.Result)
	}
	return b.String()
}

func (p *Project) hasAll(c Ref, names []string) bool {
	for _, n := range names {
		if !slices.ContainsFunc(p.memberOf(c, n, 0), func(v value) bool { return v.kind == function || v.kind == external }) {
			return false
		}
	}
	return true
}

// methodNames returns what an interface asks for, with what it embeds.
func (p *Project) methodNames(iface Ref, depth int) (out []string) {
	f := p.File(iface.Doc)
	for i := range f.Decls {
		if f.Decls[i].Parent == iface.Decl && f.Decls[i].Kind == corpus.Method {
			out = append(out, f.Decls[i].Name)
		}
	}
	if depth < maxBases {
		for _, b := range p.bases(iface) {
			out = append(out, p.methodNames(b, depth+1)...)
		}
	}
	return out
}

// std answers for a call on a library's interface that types of the project may
// implement. What such an interface asks for is known only for the common ones of
// Go.
func (p *Project) std(f *File, c *corpus.Call, recv []value) ([]target, outcome) {
	if f.Lang != "go" {
		return nil, outer
	}
	for _, v := range recv {
		if v.kind != instance {
			continue
		}
		names, ok := goInterfaces[bare(v.typ)]
		if !ok || !slices.Contains(names, c.Callee) {
			continue
		}
		var out []target
		for _, r := range p.declared(f.Doc, c.Callee) {
			d := p.Decl(r)
			if d.Kind != corpus.Method || d.Traits&corpus.Abstract != 0 || len(d.Params) != int(c.Args) {
				continue
			}
			if tested(p.Docs[r.Doc].Path) && !tested(f.Path) {
				continue
			}
			if cls, ok := p.classNamed(p.File(r.Doc), -1, memberScope(d)); ok && p.hasAll(cls, names) {
				out = append(out, target{r, Likely, "dispatch"})
			}
		}
		if len(out) > 0 {
			return out, resolved
		}
	}
	return nil, outer
}

// goInterfaces are the interfaces of Go's library that programs implement most.
var goInterfaces = map[string][]string{
	"error": {"Error"}, "fmt.Stringer": {"String"}, "io.Reader": {"Read"}, "io.Writer": {"Write"}, "io.Closer": {"Close"},
	"io.ReadCloser": {"Read", "Close"}, "io.WriteCloser": {"Write", "Close"}, "io.ReadWriter": {"Read", "Write"},
	"io.ReadWriteCloser": {"Read", "Write", "Close"}, "io.Seeker": {"Seek"}, "io.ReadSeeker": {"Read", "Seek"}, "io.ReaderAt": {"ReadAt"},
	"io.WriterTo": {"WriteTo"}, "io.ReaderFrom": {"ReadFrom"}, "io.ByteReader": {"ReadByte"}, "io.StringWriter": {"WriteString"},
	"sort.Interface": {"Len", "Less", "Swap"}, "heap.Interface": {"Len", "Less", "Swap", "Push", "Pop"},
	"http.Handler": {"ServeHTTP"}, "http.ResponseWriter": {"Header", "Write", "WriteHeader"}, "http.RoundTripper": {"RoundTrip"}, "http.Flusher": {"Flush"},
	"net.Conn": {"Read", "Write", "Close", "LocalAddr", "RemoteAddr"}, "net.Listener": {"Accept", "Close", "Addr"}, "net.Addr": {"Network", "String"},
	"context.Context": {"Deadline", "Done", "Err", "Value"}, "fs.FS": {"Open"}, "fs.File": {"Stat", "Read", "Close"}, "fs.FileInfo": {"Name", "Size", "Mode", "ModTime", "IsDir"},
	"json.Marshaler": {"MarshalJSON"}, "json.Unmarshaler": {"UnmarshalJSON"}, "encoding.TextMarshaler": {"MarshalText"}, "encoding.TextUnmarshaler": {"UnmarshalText"},
	"flag.Value": {"String", "Set"}, "hash.Hash": {"Write", "Sum", "Reset", "Size", "BlockSize"}, "sync.Locker": {"Lock", "Unlock"},
}
