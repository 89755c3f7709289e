package man

import (
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// A page is called by its file where what it says is cut off, or where that is one of its names.
func TestTitleOfFile(t *testing.T) {
	page := func(th, name string) string {
		return ".TH " + th + "\n.SH NAME\n" + name + "\n.SH DESCRIPTION\nWords.\n"
	}
	for _, c := range []struct{ path, src, want string }{
		{"man1/git-sparse-checkout.1.gz", page(`"GIT\\-SPARSE\\-CHECKOU" 1`, `git-sparse-checkout \- reduce`), "git-sparse-checkout(1)"},
		{"man1/gtk-update-icon-cache.1", page(`GTK-UPDATE-ICON-C 1`, `a cache`), "gtk-update-icon-cache(1)"},
		{"man8/tc-cbq.8.gz", page(`CBQ 8`, `cbq, tc-cbq \- a queue`), "tc-cbq(8)"},
		{"man1/wish8.6.1.gz", page(`wish 1`, `wish \- a shell`), "wish(1)"},
		{"man1/ls.1", page(`LS 1`, `ls \- list`), "ls(1)"},
		{"notes", page(`LS 1`, `ls \- list`), "ls(1)"},
	} {
		if got := Parse([]byte(c.src), markup.Options{Path: c.path}).Title; got != c.want {
			t.Errorf("%s is called %q, want %q", c.path, got, c.want)
		}
	}
}
