package claims

import (
	"context"
	"fmt"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A Tracker is the program that keeps the tickets of a project.
type Tracker struct {
	Program string // its path
	Dir     string // where it is started
}

// FindTracker returns the tracker that is installed: br, else bd.
func FindTracker(dir string) (*Tracker, bool) {
	for _, name := range []string{"br", "bd"} {
		if p, err := exec.LookPath(name); err == nil {
			return &Tracker{p, dir}, true
		}
	}
	return nil, false
}

// patience is how long a tracker may take for one ticket.
const patience = 20 * time.Second

var (
	ticket = lazy.Regexp(`\b[A-Za-z][A-Za-z0-9_]*-[A-Za-z0-9.]+\b`)
)

// GhostTitle is the title of the ticket of a feature that is not there.
func GhostTitle(feature string) string { return "GHOST: " + feature }

// ShadowTitle is the title of the ticket of a module that no document knows.
func ShadowTitle(module string, shade Shade) string {
	return fmt.Sprintf("SHADOW (%s): %s", strings.ToLower(string(shade)), module)
}

// Module returns the module that a file belongs to: the folder of a Go package, and for
// what is imported by its file the file without its ending.
func Module(file string) string {
	dir, ext := path.Dir(file), path.Ext(file)
	if ext == ".go" && dir != "." {
		return dir
	}
	return strings.TrimSuffix(file, ext)
}

// Ghost makes a ticket for a feature that is not there and returns its id.
func (t *Tracker) Ghost(ctx context.Context, feature string) (string, error) {
	return t.create(ctx, GhostTitle(feature), "liability", 2)
}

// Shadow makes a ticket for a module that no document knows and returns its id.
func (t *Tracker) Shadow(ctx context.Context, module string, shade Shade) (string, error) {
	return t.create(ctx, ShadowTitle(module, shade), "debt", 1)
}

func (t *Tracker) create(ctx context.Context, title, kind string, priority int) (string, error) {
	// A title begins with a word of ours, so that nothing in it is taken for a flag.
	title = spaced(title)
	if len(title) > 300 {
		title = strings.ToValidUTF8(title[:300], "")
	}
	out, err := t.run(ctx, "create", title, "--type", kind, "--priority", strconv.Itoa(priority))
	if err != nil {
		return "", err
	}
	return ticket.FindString(strings.Replace(out, title, "", 1)), nil
}

// Close closes a ticket and says why. What is no id is not closed.
func (t *Tracker) Close(ctx context.Context, id, reason string) error {
	if ticket.FindString(id) != id || id == "" {
		return nil
	}
	_, err := t.run(ctx, "close", id, "--reason", "Resolved: "+spaced(reason))
	return err
}

func (t *Tracker) run(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.Program, args...)
	cmd.Dir = t.Dir
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", t.Program, args[0], err)
	}
	return string(out), nil
}
