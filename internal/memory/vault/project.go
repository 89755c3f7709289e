package vault

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
)

const (
	sessionPrefix = "session:"
	maxGitConfig  = 256 << 10
)

func sessionPath(agent, id string) string { return sessionPrefix + agent + "/" + id }

// Project returns what a folder belongs to, the same for all work trees of a
// repository and for all who cloned it: "github.com/owner/name" from the address of
// its remote, else the folder itself. The empty folder is of no project.
func (m *Memory) Project(dir string) string {
	if dir == "" {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.projects[dir]
	if !ok {
		p = projectOf(dir)
		m.projects[dir] = p
	}
	return p
}

func projectOf(dir string) string {
	top, ok := git.TopLevel(dir)
	if !ok {
		return filepath.ToSlash(filepath.Clean(dir))
	}
	common, ok := git.CommonDir(top)
	if !ok {
		return filepath.ToSlash(top)
	}
	if remote := remoteOf(filepath.Join(common, "config")); remote != "" {
		return remote
	}
	// Work trees lie elsewhere; the repository is where its .git is.
	if filepath.Base(common) == ".git" {
		return filepath.ToSlash(filepath.Dir(common))
	}
	return filepath.ToSlash(common)
}

// remoteOf returns the address of the remote named origin, or of the first one, of
// a repository's configuration.
func remoteOf(config string) string {
	st, err := os.Stat(config)
	if err != nil || !st.Mode().IsRegular() {
		return ""
	}
	f, err := safe.OpenNamed(config)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxGitConfig))
	if err != nil {
		return ""
	}
	section, first := "", ""
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, maxGitConfig+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || !strings.HasPrefix(section, "[remote ") || !strings.EqualFold(strings.TrimSpace(key), "url") {
			continue
		}
		address := normalRemote(strings.Trim(strings.TrimSpace(value), `"`))
		if section == `[remote "origin"]` && address != "" {
			return address
		}
		first = cmp.Or(first, address)
	}
	return first
}

// normalRemote makes one of the ways to write the address of a repository: without
// scheme, user and password, port and ending.
func normalRemote(address string) string {
	var host, rest string
	if u, err := url.Parse(address); err == nil && u.Scheme != "" && u.Scheme != "file" && u.Host != "" {
		host, rest = u.Hostname(), u.Path
	} else if strings.Contains(address, "://") {
		return "" // not well written: what would be taken for the path may hold a password
	} else if before, after, ok := strings.Cut(address, ":"); ok && !strings.Contains(before, "/") && len(before) > 1 && before != "file" {
		_, h, at := strings.Cut(before, "@")
		if !at {
			h = before
		}
		host, rest = h, after
	} else {
		return "" // a path: the folder says more
	}
	rest = strings.TrimSuffix(strings.Trim(path.Clean("/"+rest), "/"), ".git")
	if host == "" || rest == "" || strings.ContainsAny(host+rest, " \t\x00") {
		return ""
	}
	return strings.ToLower(host) + "/" + rest
}
