package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// opencode has the agent connect to assay over both transports, and under the name
// that clients of Context7 know.
func (b *bench) opencode(ctx context.Context) error {
	if b.npm.missing != nil {
		b.say(skip, "opencode", "%v", b.npm.missing)
		return nil
	}
	s, err := b.start(ctx, "assay", b.served("--transport", "http", "--port", "0")...)
	if err != nil {
		return err
	}
	defer b.stop(s)
	type entry struct {
		Type    string   `json:"type"`
		Command []string `json:"command,omitempty"`
		URL     string   `json:"url,omitempty"`
		Enabled bool     `json:"enabled"`
	}
	servers := map[string]entry{
		"assay-stdio":    {Type: "local", Command: append([]string{b.assay}, b.served()...), Enabled: true},
		"assay-http":     {Type: "remote", URL: s.url, Enabled: true},
		"context7-local": {Type: "local", Command: []string{filepath.Join(b.work, "context7-local"), "--db", filepath.Join(b.work, "docs.db")}, Enabled: true},
	}
	config, err := json.Marshal(map[string]any{"autoupdate": false, "mcp": servers})
	if err != nil {
		return err
	}
	dir := filepath.Join(b.work, "elsewhere")
	if err := os.WriteFile(filepath.Join(dir, "opencode.json"), config, 0o666); err != nil {
		return err
	}
	cmd := b.command(ctx, b.npm.opencode(), "mcp", "list")
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1")
	out, err := cmd.CombinedOutput()
	plain := regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(string(out), "")
	for _, name := range []string{"assay-stdio", "assay-http", "context7-local"} {
		wrong := err
		if wrong == nil && !regexp.MustCompile(`✓ `+regexp.QuoteMeta(name)+` +connected`).MatchString(plain) {
			wrong = fmt.Errorf("not connected: %s", plain)
		}
		b.check("opencode mcp list "+name, wrong, "connected")
	}
	return ctx.Err()
}

// opencode is the program itself: without scripts of npm, the command of the package only says that
// it was not set up.
func (p *packages) opencode() string {
	own := filepath.Join(filepath.Dir(p.path), "opencode-linux-x64-baseline", "bin", "opencode") // runs on any such processor
	if _, err := os.Stat(own); err == nil {
		return own
	}
	return filepath.Join(p.path, "opencode")
}
