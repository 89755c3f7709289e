//go:build !slim

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/present/mcp"
)

// What runs a server for teams starts it with flags that it has, in an image with nothing
// else, and gives it the time that it takes to stop.
func TestPackaging(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join("..", "..", "packaging", "team", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	flag := regexp.MustCompile(`--[a-z-]+`)
	for _, name := range []string{"Dockerfile", "compose.yaml", "assay.service"} {
		var lines []string
		for line := range strings.Lines(read(name)) {
			if strings.Contains(line, "serve") && !strings.HasPrefix(line, "#") {
				lines = append(lines, line)
			}
		}
		if len(lines) != 1 || !strings.Contains(lines[0], "--team") {
			t.Errorf("%s starts no server for teams: %q", name, lines)
			continue
		}
		for _, f := range flag.FindAllString(lines[0], -1) {
			if !strings.Contains(mcp.Usage, "  "+f+" ") {
				t.Errorf("%s: serve has no %s", name, f)
			}
		}
	}
	var steps []string
	for line := range strings.Lines(read("Dockerfile")) {
		if word, _, _ := strings.Cut(line, " "); !strings.HasPrefix(word, "#") {
			steps = append(steps, strings.TrimSpace(word))
		}
	}
	if want := []string{"FROM", "COPY", "COPY", "USER", "ENV", "VOLUME", "EXPOSE", "ENTRYPOINT", "CMD"}; !slices.Equal(steps, want) || !strings.Contains(read("Dockerfile"), "FROM scratch\n") {
		t.Errorf("the steps of Dockerfile are %q, want %q from scratch", steps, want)
	}
	// A volume belongs to whom the folder in the image belongs to.
	if !regexp.MustCompile(`(?m)^COPY --chown=10001:10001 packaging/team/data /data\n(.*\n)*USER 10001:10001\n(.*\n)*VOLUME /data$`).MatchString(read("Dockerfile")) {
		t.Error("the user of the image cannot write in its volume")
	}
	read(filepath.Join("data", "README"))
	var compose struct {
		Services map[string]struct {
			Command  []string
			ReadOnly bool   `yaml:"read_only"`
			Stop     string `yaml:"stop_grace_period"`
			Volumes  []string
		}
		Volumes map[string]any
	}
	if err := yaml.Unmarshal([]byte(read("compose.yaml")), &compose); err != nil {
		t.Fatal(err)
	}
	s := compose.Services["assay"]
	if !s.ReadOnly || s.Stop != "45s" || !slices.Contains(s.Volumes, "data:/data") || !slices.Contains(s.Volumes, "./repos:/repos") || compose.Volumes["data"] == nil || s.Command[0] != "serve" {
		t.Errorf("compose.yaml says %+v", compose)
	}
	section, entry := regexp.MustCompile(`^\[(Unit|Service|Install)\]$`), regexp.MustCompile(`^[A-Z][A-Za-z]+=`)
	for line := range strings.Lines(read("assay.service")) {
		if line = strings.TrimSpace(line); line != "" && !section.MatchString(line) && !entry.MatchString(line) {
			t.Errorf("assay.service: %q", line)
		}
	}
	if !strings.Contains(read("assay.service"), "\nTimeoutStopSec=45\n") {
		t.Error("assay.service stops the server before its calls have ended")
	}
}
