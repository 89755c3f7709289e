package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// tryArchive unpacks the archive for this machine and runs the program of it.
func tryArchive(dist string) error {
	found, err := filepath.Glob(filepath.Join(dist, "assay_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz"))
	if err != nil || len(found) != 1 {
		fmt.Printf("no archive for %s/%s to try\n", runtime.GOOS, runtime.GOARCH)
		return err
	}
	tmp, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if text, err := exec.Command("tar", "-xzf", found[0], "-C", tmp).CombinedOutput(); err != nil {
		return fmt.Errorf("tar: %v\n%s", err, text)
	}
	for _, name := range []string{"assay", "LICENSE", "NOTICE", "THIRD_PARTY_LICENSES.txt", "assay.spdx.json", "assay.1", "completions/assay.bash"} {
		if info, err := os.Stat(filepath.Join(tmp, filepath.FromSlash(name))); err != nil || info.Size() == 0 {
			return fmt.Errorf("%s: %s: %v", found[0], name, err)
		}
	}
	return firstSearch(filepath.Join(tmp, "assay"), filepath.Join(tmp, "home"))
}

// firstSearch is what a newcomer does: a search in a project without any set-up.
func firstSearch(program, home string) error {
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(project, "retry.go"), []byte("package x\n\n// Backoff waits before a request is retried.\nfunc Backoff() {}\n"), 0o644); err != nil {
		return err
	}
	cmd := exec.Command(program, "search", "how long before a request is retried", "--files")
	cmd.Dir, cmd.Env = project, append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "retry.go") {
		return fmt.Errorf("%s search: %v\n%s", program, err, out)
	}
	fmt.Printf("the first search finds %s", out)
	return nil
}

// npmPackages makes the package that people install and one for each system, publishes
// them to a registry on this machine, installs from it as people do, and runs the program
// by npx when the registry is gone.
func npmPackages(out, dist, version string, chosen []target) error {
	optional := map[string]string{}
	var all []string
	here := false
	for _, t := range chosen {
		name := "@assay-dev/assay-" + t.platform + "-" + t.cpu
		dir := filepath.Join(out, "assay-"+t.platform+"-"+t.cpu)
		if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
			return err
		}
		abs, err := filepath.Abs(filepath.Join(dir, "bin", t.exe()))
		if err != nil {
			return err
		}
		if err := programFor(t, dist, abs); err != nil {
			return err
		}
		if err := describe(dir, map[string]any{"name": name, "version": version, "os": []string{t.platform}, "cpu": []string{t.cpu}, "files": []string{"bin", "LICENSE", "NOTICE"}}); err != nil {
			return err
		}
		optional[name] = version
		all = append(all, dir)
		here = here || t.os == runtime.GOOS && t.arch == runtime.GOARCH
	}
	dir := filepath.Join(out, "assay")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join("packaging", "npm", "assay.js"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "assay.js"), script, 0o755); err != nil {
		return err
	}
	if err := describe(dir, map[string]any{"name": "@assay-dev/assay", "version": version, "mcpName": "io.github.assay-dev/assay", "bin": map[string]string{"assay": "assay.js"}, "files": []string{"assay.js", "LICENSE", "NOTICE"}, "optionalDependencies": optional}); err != nil {
		return err
	}
	if !here {
		return nil
	}
	return tryNPM(out, append(all, dir))
}

// describe writes package.json and the notices.
func describe(dir string, more map[string]any) error {
	p := map[string]any{"description": "Local context engine for coding agents", "license": "Apache-2.0", "homepage": "https://github.com/assay-dev/assay",
		"repository": map[string]string{"type": "git", "url": "git+https://github.com/assay-dev/assay.git"}, "engines": map[string]string{"node": ">=18"}}
	for k, v := range more {
		p[k] = v
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "NOTICE"} {
		notice, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), notice, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "package.json"), append(text, '\n'), 0o644)
}

// programFor puts the program for a system at a path: that of dist, or a new one.
func programFor(t target, dist, path string) error {
	if dist == "" {
		return build(t, ".", path, "")
	}
	found, err := filepath.Glob(filepath.Join(dist, "assay_"+t.os+"_"+t.arch+"*", t.exe()))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("%s has %d programs for %s/%s (%v)", dist, len(found), t.os, t.arch, err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o755)
}

// tryNPM publishes the packages to a registry, installs the one that people name into a
// project, and runs the program as people do, without a network.
func tryNPM(out string, dirs []string) error {
	npm, missing := exec.LookPath("npm")
	if missing != nil {
		fmt.Println("npm is not installed: the packages are made and not tried")
		return nil
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	project := filepath.Join(out, "try")
	if err := os.RemoveAll(project); err != nil {
		return err
	}
	if err := os.MkdirAll(project, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(project, "package.json"), []byte(`{"name": "try", "version": "1.0.0", "private": true}`), 0o644); err != nil {
		return err
	}
	shop, err := newRegistry()
	if err != nil {
		return err
	}
	defer shop.close()
	settings := "registry=" + shop.url + "\n" + strings.TrimPrefix(shop.url, "http:") + ":_authToken=none\ncache=" + filepath.Join(project, "cache") + "\n"
	if err := os.WriteFile(filepath.Join(project, ".npmrc"), []byte(settings), 0o600); err != nil {
		return err
	}
	run := func(args ...string) (string, error) {
		cmd := exec.Command(npm, args...)
		cmd.Dir = project
		var wrong strings.Builder
		cmd.Stderr = &wrong
		text, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("npm %s: %v\n%s%s", strings.Join(args, " "), err, text, wrong.String())
		}
		return string(text), err
	}
	for _, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		if _, err := run("publish", "--access", "public", "--tag", "latest", abs); err != nil {
			return err
		}
	}
	if _, err := run("install", "--no-audit", "--no-fund", "--ignore-scripts", "@assay-dev/assay"); err != nil {
		return err
	}
	shop.close()
	installed, err := os.ReadDir(filepath.Join(project, "node_modules", "@assay-dev"))
	if err != nil || len(installed) != 2 {
		return fmt.Errorf("npm install brought %v (%v), not the package and the program for this system", installed, err)
	}
	if text, err := run("exec", "--offline", "--", "assay", "version"); err != nil || !strings.HasPrefix(text, "assay ") {
		return fmt.Errorf("npx assay version: %v\n%s", err, text)
	}
	if _, err := run("exec", "--offline", "--", "assay", "no-such-command"); err == nil {
		return fmt.Errorf("npx assay no-such-command has status 0")
	}
	return firstSearch(filepath.Join(project, "node_modules", ".bin", "assay"), filepath.Join(out, "home"))
}
