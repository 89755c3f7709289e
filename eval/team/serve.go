package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	rnd "math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/served"
)

// A tenant is a team and what it has.
type tenant struct {
	name, library string
	folders       map[string][]string // of the tree, by the names of its repositories
	places        []place
}

// serving measures a server of three teams.
func serving(ctx context.Context, o options, to io.Writer) error {
	teams := []tenant{
		{name: "red", library: "/team/red", folders: map[string][]string{"core": {"internal/core", "internal/base"}, "lang": {"internal/lang", "internal/docs/markup"}}},
		{name: "blue", library: "/team/blue", folders: map[string][]string{"lua": {"internal/script/lua"}}},
		{name: "green", library: "/team/green", folders: map[string][]string{"all": nil}},
	}
	if _, err := os.Stat(filepath.Join(o.tree, "internal", "core")); err != nil && o.size.lines == 0 { // of another project
		for i := range teams {
			teams[i].folders = map[string][]string{teams[i].name + "-repo": nil}
		}
	}
	if o.size.lines > 0 {
		if teams = ofSize(o.size); len(teams) == 0 {
			return errors.New("-lines needs -repositories")
		}
		kept, err := o.kept()
		if err != nil {
			return err
		}
		if err := fillAll(ctx, o, teams, kept, to); err != nil {
			return err
		}
		if kept {
			fmt.Fprintln(to, "kept      repositories, documentation and notes of an earlier run, with what was stored in it")
		} else if err := errors.Join(furnish(ctx, o, teams, to), o.made()); err != nil {
			return err
		}
	} else if err := furnish(ctx, o, teams, to); err != nil {
		return err
	}
	client, err := certify(o)
	if err != nil {
		return err
	}
	var users []user
	for i := range o.users {
		t := teams[i%len(teams)]
		token, err := program(ctx, o, nil, o.work, "team", "token", "add", "--tokens", "tokens.txt", "--team", t.name, "--role", "write", "--holder", fmt.Sprint("user-", i))
		if err != nil {
			return err
		}
		users = append(users, user{strings.TrimSpace(token), t.places, t.library})
	}
	s, err := start(ctx, o)
	if err != nil {
		return err
	}
	before := s.Memory()
	over, most := make(chan struct{}), make(chan served.Memory, 1)
	go func() { most <- s.Watch(over) }()
	began := time.Now()
	all := crowd(ctx, o, client, s.URL, users)
	took := time.Since(began)
	close(over)
	peak := <-most
	cpu, err := s.Stop()
	if err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	return report(o, to, all, began.Add(o.time/8), took, before, peak, cpu)
}

func report(o options, to io.Writer, all []sample, from time.Time, took time.Duration, before, peak served.Memory, cpu time.Duration) error {
	total := figuresOf(all, "", from)
	fmt.Fprintf(to, "docs      %d pages of ten snippets; %d notes; both shared out to the teams\n", o.size.snippets/10, o.size.notes)
	fmt.Fprintf(to, "load      %d users who think for %v on average, for %v, TLS; the first %v are not counted\n", o.users, o.think, o.time, o.time/8)
	fmt.Fprintf(to, "calls     %d, %.1f a second, %d errors; to %d the answer is that there is no such name; %d before\n", total.calls, float64(total.calls)/(took-o.time/8).Seconds(), len(total.errors), total.none, len(all)-total.calls)
	fmt.Fprintf(to, "latency   p50 %v  p95 %v  p99 %v  most %v\n", total.at(.5), total.at(.95), total.at(.99), total.at(1))
	for _, h := range habits() {
		f := figuresOf(all, h.name, from)
		fmt.Fprintf(to, "  %-16s %2d of 100, %5d calls  p50 %v  p95 %v  p99 %v  %d errors\n", h.name, h.often, f.calls, f.at(.5), f.at(.95), f.at(.99), len(f.errors))
	}
	fmt.Fprintf(to, "memory    %d MiB before, %d MiB at most (anonymous %d)\n", before.RSS>>20, peak.RSS>>20, peak.Anon>>20)
	fmt.Fprintf(to, "CPU       %.1f ms a call of the server, indexing included; load at the end %s\n", 1000*cpu.Seconds()/float64(max(1, len(all))), loadOf())
	early := figuresOf(all, "", time.Time{})
	for i, err := range early.errors {
		if i == 8 {
			break
		}
		fmt.Fprintf(to, "error     %v\n", err)
	}
	if len(early.errors) > 0 || total.calls == 0 || total.at(.95) > o.p95 {
		fmt.Fprintf(to, "aims      p95 %v and no error: missed\n", o.p95)
		return errMissed
	}
	fmt.Fprintf(to, "aims      p95 %v and no error: met\n", o.p95)
	return nil
}

// furnish makes the teams' repositories, documentation and the file of the server.
func furnish(ctx context.Context, o options, teams []tenant, to io.Writer) error {
	var work, conf strings.Builder
	work.WriteString("repositories:\n")
	conf.WriteString("workspace: work.yaml\ndata: data\ntokens: tokens.txt\ntls: {cert: cert.pem, key: key.pem}\naccess_log: access.jsonl\nteams:\n")
	for i := range teams {
		t := &teams[i]
		for _, name := range slices.Sorted(maps.Keys(t.folders)) {
			folders := t.folders[name]
			at := filepath.Join(o.work, name)
			files, size, p, err := copyTree(o.tree, at, folders...)
			if err != nil {
				return err
			}
			fmt.Fprintf(to, "team      %s: repository %s, %d files, %.1f MB\n", t.name, name, files, float64(size)/1e6)
			t.places = append(t.places, place{name, p})
		}
		var names []string
		var all pool
		for _, p := range t.places {
			fmt.Fprintf(&work, "  - path: %s\n", p.name)
			names, all = append(names, p.name), all.join(p.pool)
		}
		docs := filepath.Join(o.work, "docs-"+t.name)
		if err := os.MkdirAll(docs, 0o755); err != nil {
			return err
		}
		for n := range o.size.snippets / 10 / len(teams) {
			var page strings.Builder
			fmt.Fprintf(&page, "# Page %d\n\n", n)
			for k := range 10 {
				w := all.words[(n*10+k)%len(all.words)]
				fmt.Fprintf(&page, "## %s\n\n%s.\n\n```go\n%s()\n```\n\n", some(rnd.New(rnd.NewPCG(seed, uint64(n*10+k))), w), w, all.names[(n*10+k)%len(all.names)])
			}
			if err := os.WriteFile(filepath.Join(docs, fmt.Sprintf("page%d.md", n)), []byte(page.String()), 0o644); err != nil {
				return err
			}
		}
		if _, err := program(ctx, o, nil, o.work, "docs", "ingest", docs, "--id", t.library, "--db", t.name+".db"); err != nil {
			return err
		}
		if err := notesOf(filepath.Join(o.work, "data", "teams", t.name, "notes"), o.size.notes/len(teams), all, uint64(i)); err != nil {
			return err
		}
		fmt.Fprintf(&conf, "  %s: {repos: [%s], docs: [%s.db], memory: true}\n", t.name, strings.Join(names, ", "), t.name)
	}
	if err := os.WriteFile(filepath.Join(o.work, "work.yaml"), []byte(work.String()), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.work, "team.yaml"), []byte(conf.String()), 0o600)
}

// certify makes a certificate of this machine and returns a client that takes it.
func certify(o options) (*http.Client, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "assay"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	err = errors.Join(os.WriteFile(filepath.Join(o.work, "cert.pem"), cert, 0o600),
		os.WriteFile(filepath.Join(o.work, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	known := x509.NewCertPool()
	known.AppendCertsFromPEM(cert)
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: known, MinVersion: tls.VersionTLS12}, MaxIdleConnsPerHost: o.users, MaxIdleConns: o.users,
		IdleConnTimeout: 30 * time.Second}}, err // before the server closes it: a call on its way would be lost
}

func start(ctx context.Context, o options) (*served.Server, error) {
	cmd := exec.CommandContext(ctx, o.assay, "serve", "--team", "team.yaml", "--port", "0")
	cmd.Dir, cmd.Env = o.work, append(os.Environ(), homes(o)...)
	return served.Start(cmd, "https")
}
