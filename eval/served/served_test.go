package served

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

func TestField(t *testing.T) {
	const status = "Name:\tassay\nVmRSS:\t   12345 kB\nRssAnon:\t  100 kB\n"
	if rss, anon, none := field(status, "VmRSS"), field(status, "RssAnon"), field(status, "VmHWM"); rss != 12345<<10 || anon != 100<<10 || none != 0 {
		t.Errorf("%d %d %d", rss, anon, none)
	}
}

// A server that says where it listens has a URL, memory and time; of one that does not, it is
// said what it says.
func TestStart(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "echo listening on 127.0.0.1:7, for clients >&2; exec cat")
	if _, err := cmd.StdinPipe(); err != nil { // it reads until that is closed
		t.Fatal(err)
	}
	s, err := Start(cmd, "https")
	if err != nil {
		t.Fatal(err)
	}
	if s.URL != "https://127.0.0.1:7/mcp" {
		t.Errorf("it listens at %q", s.URL)
	}
	over := make(chan struct{})
	close(over)
	if most := s.Watch(over); runtime.GOOS == "linux" && (most.RSS <= 0 || most.Anon <= 0 || most.RSS < most.Anon) {
		t.Errorf("%+v", most)
	}
	if err := s.Kill(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("it ended with %v", err)
	}
	if _, err := Start(exec.CommandContext(t.Context(), "sh", "-c", "echo no room >&2; echo at all >&2"), "http"); err == nil || !strings.Contains(err.Error(), "no room\\nat all") {
		t.Errorf("a server that does not listen: %v", err)
	}
}
