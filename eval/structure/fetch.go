package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// patience is how long one program may run.
const patience = 20 * time.Minute

// keyring signs what Debian's servers offer.
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

// A missing is what this machine lacks: what needs it is left out.
type missing string

func (m missing) Error() string { return string(m) }

// A lab is a folder in which packages and the programs that judge them lie.
//
//	packages/<name>-<version>/  what was unpacked
//	truth/                      what the programs printed
//	apt/                        apt's own state
type lab struct {
	dir, module string
	w           io.Writer
}

// newLab makes a lab in a folder, or in a temporary one that done removes.
func newLab(dir string, w io.Writer) (l *lab, done func(), err error) {
	done = func() {}
	// The workspace has two modules: figures and programs lie in the folder eval of the first.
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/assay-dev/assay").Output()
	if err != nil {
		return nil, done, fmt.Errorf("go list -m: %w", err)
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "assay-golden-"); err != nil {
			return nil, done, err
		}
		done = func() { os.RemoveAll(dir) }
	}
	if dir, err = filepath.Abs(dir); err == nil {
		err = os.MkdirAll(filepath.Join(dir, "truth"), 0o755)
	}
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir) // as the programs see it
	}
	return &lab{dir: dir, module: strings.TrimSpace(string(out)), w: w}, done, err
}

// client runs a program in a folder and returns what it prints.
func client(dir string, env []string, name string, args ...string) ([]byte, error) {
	if _, err := exec.LookPath(name); err != nil {
		return nil, missing(name + " is not installed")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // for what it started itself
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	var msg bytes.Buffer
	cmd.Stderr = &msg
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return out, fmt.Errorf("%s did not end in %v", name, patience)
	}
	if err != nil {
		return out, fmt.Errorf("%s: %w: %s", name, err, lastLine(msg.String()))
	}
	return out, nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// fetch returns the folder of a package's sources.
func (l *lab) fetch(s subject) (string, error) {
	var dir string
	var err error
	switch p := (pin{s.name, s.version}); s.from {
	case npmOrigin:
		dir, err = l.into(p, func(tmp string) error {
			if _, err := client(tmp, nil, "npm", "pack", p.name+"@"+p.version, "--silent", "--ignore-scripts"); err != nil {
				return err
			}
			return untar(tmp, "*.tgz")
		})
	case debianOrigin:
		dir, err = l.debian(p)
	case sourceOrigin:
		dir, err = l.into(p, func(tmp string) error {
			if err := l.apt(tmp, "--download-only", "--tar-only", "--only-source", "source", p.name+"="+p.version); err != nil {
				return err
			}
			return untar(tmp, "*.orig.tar.*")
		})
	default:
		return "", fmt.Errorf("no packages come from %s", s.from)
	}
	if err != nil {
		return "", err
	}
	root := filepath.Join(dir, filepath.FromSlash(s.root))
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s %s has no folder %s", s.name, s.version, s.root)
	}
	return root, nil
}

// debian returns the folder of an unpacked Debian package.
func (l *lab) debian(p pin) (string, error) {
	return l.into(p, func(tmp string) error {
		if err := l.apt(tmp, "download", p.name+"="+p.version); err != nil {
			return err
		}
		return eachFile(tmp, "*.deb", func(name string) error {
			_, err := client(tmp, nil, "dpkg-deb", "-x", name, ".")
			return err
		})
	})
}

// into returns the folder of a package, which fill fills where it is not there.
func (l *lab) into(p pin, fill func(tmp string) error) (string, error) {
	dir := filepath.Join(l.dir, "packages", p.name+"-"+p.version)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	fmt.Fprintf(l.w, "fetching %s %s ...\n", p.name, p.version)
	tmp := dir + ".part"
	if err := os.RemoveAll(tmp); err != nil {
		return "", err
	}
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return "", err
	}
	if err := fill(tmp); err != nil {
		return "", err
	}
	return dir, os.Rename(tmp, dir)
}

// apt runs apt-get with lists of its own, so that neither the release of the
// machine nor its settings matter, and they stay as they are.
func (l *lab) apt(dir string, args ...string) error {
	if _, err := os.Stat(keyring); err != nil {
		return missing("Debian's keyring is not installed: " + keyring)
	}
	root := filepath.Join(l.dir, "apt")
	list := filepath.Join(root, "sources.list")
	options := []string{"-q"}
	for _, o := range []string{
		"Dir::Etc::sourcelist=" + list, "Dir::Etc::sourceparts=-", "Dir::State::status=/dev/null", "Acquire::Languages=none",
		"Dir::State::lists=" + filepath.Join(root, "lists"), "Dir::Cache=" + filepath.Join(root, "cache"), "APT::Sandbox::User=",
	} {
		options = append(options, "-o", o)
	}
	if _, err := os.Stat(list); err != nil {
		for _, d := range []string{"lists/partial", "cache/archives/partial"} {
			if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
				return err
			}
		}
		from := fmt.Sprintf(" [signed-by=%s] http://deb.debian.org/debian %s main\n", keyring, suite)
		if err := os.WriteFile(list, []byte("deb"+from+"deb-src"+from), 0o644); err != nil {
			return err
		}
		if _, err := client(dir, nil, "apt-get", append(options, "update")...); err != nil {
			return errors.Join(err, os.Remove(list))
		}
	}
	_, err := client(dir, nil, "apt-get", append(options, args...)...)
	if err != nil && !errors.As(err, new(missing)) {
		err = fmt.Errorf("%w; where Debian has a newer version, name it in packages.go", err)
	}
	return err
}

// untar unpacks archives without the folder that all of their files are in.
func untar(dir, pattern string) error {
	return eachFile(dir, pattern, func(name string) error {
		_, err := client(dir, nil, "tar", "-xf", name, "--strip-components=1")
		return err
	})
}

// eachFile calls do for each file that matches a pattern, and fails where none does.
func eachFile(dir, pattern string, do func(name string) error) error {
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) == 0 {
		return errors.Join(err, fmt.Errorf("nothing like %s was downloaded", pattern))
	}
	for _, name := range found {
		if err := do(name); err != nil {
			return err
		}
	}
	return nil
}
