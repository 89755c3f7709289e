package source

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

func TestPublic(t *testing.T) {
	for _, tc := range []struct {
		ip   string
		want bool
	}{
		{"93.184.216.34", true}, {"8.8.8.8", true}, {"2606:4700::1111", true}, {"::ffff:8.8.8.8", true}, {"172.15.0.1", true}, {"100.63.255.255", true}, {"100.128.0.1", true},
		{"127.0.0.1", false}, {"127.255.0.3", false}, {"0.0.0.0", false}, {"0.1.2.3", false}, {"10.1.2.3", false}, {"172.16.0.1", false}, {"172.31.9.9", false},
		{"192.168.1.1", false}, {"169.254.169.254", false}, {"100.64.0.1", false}, {"100.127.255.255", false}, {"192.0.0.192", false}, {"198.18.0.1", false},
		{"224.0.0.1", false}, {"240.0.0.1", false}, {"255.255.255.255", false}, {"192.0.2.1", false},
		{"::", false}, {"::1", false}, {"::ffff:127.0.0.1", false}, {"::ffff:10.0.0.1", false}, {"::7f00:1", false}, {"fe80::1", false}, {"fe80::1%eth0", false}, {"2606:4700::1%eth0", false},
		{"fc00::1", false}, {"fd00:ec2::254", false}, {"fec0::1", false}, {"ff02::1", false}, {"64:ff9b::7f00:1", false}, {"2002:7f00:1::", false}, {"2001::1", false}, {"2001:db8::1", false},
	} {
		if got := public(netip.MustParseAddr(tc.ip)); got != tc.want {
			t.Errorf("public(%s) = %v", tc.ip, got)
		}
	}
}

// Addresses that data names, and what can be said of them before anything is resolved.
func TestAllowed(t *testing.T) {
	f := newFetcher("http://127.0.0.1:8000/llms.txt", "https://wiki.corp.internal/llms.txt", "http://Intranet/x")
	for _, tc := range []struct {
		address string
		want    bool
	}{
		{"https://example.com/", true}, {"http://example.com:8080/", true}, {"https://8.8.8.8/", true}, {"https://3com.com/", true},
		{"http://127.0.0.1:8000/other", true}, {"https://wiki.corp.internal/x", true}, {"http://wiki.corp.internal/x", true}, {"https://intranet/y", true}, {"http://intranet.:80/y", true},
		{"http://127.0.0.1:8001/", false}, {"http://127.0.0.1/", false}, {"http://127.1:8000/", false}, {"http://[::1]:8000/", false}, {"http://[::ffff:127.0.0.1]:8000/", false},
		{"http://2130706433/", false}, {"http://0x7f000001/", false}, {"http://0177.0.0.1/", false}, {"http://0x7f.1/", false}, {"http://0/", false}, {"http://127.0.0.1./", false},
		{"http://localhost/", false}, {"http://a.LOCALHOST./", false}, {"http://metadata.google.internal/", false}, {"http://printer.local/", false}, {"http://169.254.169.254/latest/meta-data/", false},
		{"https://wiki.corp.internal:8443/", false}, {"ftp://example.com/", false}, {"file:///etc/passwd", false}, {"http:///x", false},
	} {
		u, err := url.Parse(tc.address)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.allowed(u); (err == nil) != tc.want {
			t.Errorf("allowed(%s) = %v", tc.address, err)
		}
	}
}

// TestPinned holds that a name is resolved once, is refused if any of its addresses is
// private, and that all connections go to what it resolved to.
func TestPinned(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		fmt.Fprint(w, "inside")
	}))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	loopback := []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	for _, answers := range [][]string{{"127.0.0.1"}, {"8.8.8.8", "127.0.0.1"}, {"::ffff:127.0.0.1"}, {"169.254.169.254"}} {
		f := newFetcher("https://example.com/llms.txt")
		f.lookUp = func(context.Context, string) (out []netip.Addr, _ error) {
			for _, a := range answers {
				out = append(out, netip.MustParseAddr(a))
			}
			return out, nil
		}
		_, _, err := f.get(t.Context(), "http://rebind.example.com:"+port+"/", "*/*")
		if _, private := errors.AsType[errPrivate](err); !private && (err == nil || !strings.Contains(err.Error(), "not named by you")) || fault.HintOf(err) == "" {
			t.Errorf("a name that resolves to %v: %v", answers, err)
		}
	}
	// The person's own name may be of the intranet, and stays what it was at first.
	f := newFetcher("http://wiki.example.com:" + port + "/llms.txt")
	asked := 0
	f.lookUp = func(context.Context, string) ([]netip.Addr, error) {
		if asked++; asked > 1 {
			return []netip.Addr{netip.MustParseAddr("127.0.0.9")}, nil
		}
		return loopback, nil
	}
	for range 3 {
		in, at, err := f.get(t.Context(), "http://wiki.example.com:"+port+"/", "*/*")
		if err != nil || at.Host != "wiki.example.com:"+port {
			t.Fatalf("%v, %v", at, err)
		}
		in.Close()
	}
	if asked != 1 {
		t.Errorf("the name was resolved %d times", asked)
	}
}

// TestFailedLate holds that one of two whose look-up failed together does not forget what a third has found since.
func TestFailedLate(t *testing.T) {
	f := newFetcher("https://example.com/")
	asked := 0
	f.lookUp = func(context.Context, string) ([]netip.Addr, error) {
		if asked++; asked > 1 {
			return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
		}
		return nil, errors.New("no answer")
	}
	const host = "wiki.example.com"
	if _, err := f.resolve(t.Context(), host); err == nil {
		t.Fatal("a name without an answer has one")
	}
	// Another that asked when nothing was known, and hears of it last: what the third finds comes first.
	late := &resolved{}
	late.find = func() ([]netip.Addr, error) {
		f.mu.Lock()
		delete(f.hosts, host) // the first of the two
		f.mu.Unlock()
		if _, err := f.resolve(t.Context(), host); err != nil {
			t.Error(err)
		}
		return nil, errors.New("no answer")
	}
	f.hosts[host] = late
	if _, err := f.resolve(t.Context(), host); err == nil {
		t.Error("what failed has an answer")
	}
	if _, err := f.resolve(t.Context(), host); err != nil || asked != 2 {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

// TestLookedUpAgain holds that a name that could not be resolved once is asked for again.
func TestLookedUpAgain(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "inside") }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	url := "http://wiki.example.com:" + port + "/"
	f := newFetcher(url)
	asked := 0
	f.lookUp = func(context.Context, string) ([]netip.Addr, error) {
		if asked++; asked == 1 {
			return nil, errors.New("no answer")
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	if in, _, err := f.get(t.Context(), url, "*/*"); err == nil {
		in.Close()
		t.Error("a name without an answer has one")
	}
	in, _, err := f.get(t.Context(), url, "*/*")
	if err != nil {
		t.Fatalf("asked %d times: %v", asked, err)
	}
	in.Close()
}

// TestPrivateServers holds that what data names in the local network is not fetched: by a
// page that redirects, an llms.txt, an archive or a package.
func TestPrivateServers(t *testing.T) {
	var reached atomic.Int32
	inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		fmt.Fprint(w, "# Internal\n\nwhat only this machine can read")
	}))
	defer inner.Close()
	sum := sha512.Sum512(nil)
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/llms.txt":
			fmt.Fprint(w, "# Lib\n\n- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n- [D](d.md)\n- [E](e.md)\n")
		case "/a.md":
			fmt.Fprint(w, "# A")
		case "/d.md": // within the site
			http.Redirect(w, r, "/d/page.md", http.StatusFound)
		case "/d/page.md":
			fmt.Fprint(w, "# D")
		case "/e.md":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/lib":
			fmt.Fprintf(w, `{"dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"dist":{"tarball":%q,"integrity":"sha512-%s"}}}}`, inner.URL, base64.StdEncoding.EncodeToString(sum[:]))
		default:
			http.Redirect(w, r, inner.URL+"/secret.md", http.StatusFound)
		}
	}))
	defer outer.Close()
	open := func(address string) (*Tree, error) {
		o := Options{Temp: t.TempDir(), WorkDir: t.TempDir(), Registry: outer.URL}
		tree, err := Open(t.Context(), address, o)
		if tree != nil {
			t.Cleanup(func() { _ = tree.Close() })
		} else if left, _ := os.ReadDir(o.Temp); len(left) > 0 {
			t.Errorf("%s left %v", address, left)
		}
		return tree, err
	}
	tree, err := open(outer.URL + "/llms.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(tree.Only(), " "); got != "llms.md a.md d/page.md" || tree.URL("d/page.md") != outer.URL+"/d/page.md" {
		t.Errorf("pages %s", got)
	}
	if notes := strings.Join(tree.Notes, "\n"); !strings.Contains(notes, "3 pages omitted: they could not be fetched") {
		t.Errorf("notes %s", notes)
	}
	for _, address := range []string{outer.URL + "/other/llms.txt", outer.URL + "/docs.zip", "npm:lib"} {
		if _, err := open(address); fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "not named by you") || fault.HintOf(err) == "" {
			t.Errorf("%s: %v", address, err)
		}
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("the server inside was asked %d times", n)
	}
	if tree, err := open(inner.URL + "/llms.txt"); err != nil || len(tree.Only()) != 1 {
		t.Errorf("the server that the person named: %v", err)
	}
}

// TestElsewhere holds that a page that redirects to another site is omitted, as a link
// to it would be, even where that site may be asked.
func TestElsewhere(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "# Other") }))
	defer other.Close()
	own := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/x.md", http.StatusFound) }))
	defer own.Close()
	base, _ := url.Parse(own.URL + "/llms.txt")
	got := newFetcher(own.URL, other.URL).page(t.Context(), own.URL+"/a.md", base)
	if !errors.Is(got.err, errElsewhere) || len(got.text) > 0 {
		t.Fatalf("%q, %v", got.text, got.err)
	}
	tree := &Tree{}
	if err := tree.keepAll([]*url.URL{base}, []fetched{got}); !errors.Is(err, errElsewhere) {
		t.Errorf("no page at all: %v", err)
	}
	dir, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	tree = &Tree{root: dir, pages: map[string]string{}}
	if err := tree.keepAll([]*url.URL{base, base}, []fetched{got, {text: []byte("# A"), at: base}}); err != nil || !strings.Contains(strings.Join(tree.Notes, "\n"), "1 page omitted: they redirect to another site") {
		t.Errorf("%v, %q", err, tree.Notes)
	}
}
