package man_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/testaid"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/man"
)

// shown writes the blocks of a page, one a line.
func shown(p markup.Page) string {
	var b strings.Builder
	for _, x := range p.Blocks {
		kind := [...]string{"prose", "heading", "code", "table"}[x.Kind]
		if x.Kind == markup.Heading {
			kind = fmt.Sprintf("h%d", x.Level)
		}
		fmt.Fprintf(&b, "%s%s %q\n", kind, x.Lang, x.Text)
	}
	return b.String()
}

func TestMan(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"an option", `.\" a comment
.TH LS "1" "2024" "GNU"
.SH NAME
ls \- list
.SH OPTIONS
.TP
\fB\-a\fR, \fB\-\-all\fR
do not ignore entries
starting with .
.TP
.BI \-w " COLS"
set the width
.IP
more of it
.PP
After the list, ` + "``so''" + ` \(em or \*(lqso\*(rq.
`, `h1 "ls(1)"
prose "ls - list"
h2 "OPTIONS"
prose "- -a, --all: do not ignore entries starting with .\n- -w COLS: set the width\n\n  more of it"
prose "After the list, “so” — or “so”."
`},
		{"code", `.TH printf 3
.SH SYNOPSIS
.nf
.B #include <stdio.h>

.BI "int printf(const char *" fmt ");"
.fi
.SH EXAMPLE
.EX
int a\e[2\e];
.EE
`, `h1 "printf(3)"
h2 "SYNOPSIS"
codec "#include <stdio.h>\n\nint printf(const char *fmt);"
h2 "EXAMPLE"
code "int a\\[2\\];"
`},
		{"a table and lists in lists", `.TH t 5
.SH S
.TS
tab(:);
l l.
Field:Meaning
T{
a
.B long
one
T}:b
.TE
.TP
tag
.RS
.IP \(bu 2
one
.IP \(bu
two
.RE
.IP 1.
first
`, `h1 "t(5)"
h2 "S"
table "Field | Meaning\na long one | b"
prose "- tag\n  - one\n  - two\n1. first"
`},
		{"conditions and definitions", `.de Sp
.if t .sp
..
.ie \n(.g .ds Aq \(aq
.el .ds Aq '
.if n \{\
.ds C it\*(Aqs
.\}
.if t \{\
.TH wrong 1
.\}
.TH right 1
.SH S
.if n \*C here.
.ie t gone
.el stays
`, `h1 "right(1)"
h2 "S"
prose "it's here. stays"
`},
		{"mdoc", `.Dd June 1, 2024
.Dt SSH 1
.Os
.Sh NAME
.Nm ssh
.Nd login client
.Sh SYNOPSIS
.Nm ssh
.Op Fl 46A
.Op Fl B Ar bind_interface
.Ar host
.Sh DESCRIPTION
.Nm
logs in (default:
.Ql ~ ) ,
see
.Xr ssh_config 5
on
.Ux .
.Bl -tag -width Ds
.It Fl L Xo
.Sm off
.Oo Ar bind : Oc
.Ar port
.Sm on
.Xc
Forwards.
.It Fl v
Verbose.
.El
.Bd -literal -offset indent
ssh -v host
.Ed
.Fn open "const char *path" "int flags"
`, `h1 "ssh(1)"
prose "ssh – login client"
h2 "SYNOPSIS"
prose "ssh [-46A] [-B bind_interface] host"
h2 "DESCRIPTION"
prose "ssh logs in (default: ` + "`~`" + `), see ssh_config(5) on UNIX."
prose "- -L [bind:]port: Forwards.\n- -v: Verbose."
code "ssh -v host"
prose "open(const char *path, int flags)"
`},
	} {
		if got := shown(man.Parse([]byte(c.src), markup.Options{})); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{".TH a 1\n": true, "'\\\" t\n.\\\" x\n.TH a 1": true, ".Dd x\n.Dt A 1\n": true, "": false, "notes\n.TH a 1\n": false, ".so man3/x.3\n": false, "\x00.TH a 1\n": false, ".SH x\n": false} {
		if got := man.Is([]byte(text)); got != want {
			t.Errorf("Is(%q) = %v, want %v", text, got, want)
		}
	}
}

// TestLinear holds the time and the size of a page to its length, whatever is repeated.
func TestLinear(t *testing.T) {
	for _, piece := range []string{".if n ", ".if n \\{ ", ".RS\n.TP\nx\n", ".Op ", "\\*(lq", ".TS\nl.\nT{\na\n", ".It Fl L Xo\n", ".Bl\n.It a\n", "x\\\n", ".UR x\n.UE y\n", ".nf\na\n", "\\[", ".Nm\n", "\\f[", ".Op Oo ( "} {
		if err := testaid.Linear(400_000, func(n int) {
			src := []byte(".TH a 1\n.Dd x\n.Nm abcdefghijklmnopqrstuvwxyz\n" + strings.Repeat(piece, n/len(piece)))
			size := 0
			for _, b := range man.Parse(src, markup.Options{}).Blocks {
				size += len(b.Text)
			}
			if size > 40*len(src) {
				t.Errorf("%q: %d bytes of %d", piece, size, len(src))
			}
		}); err != nil {
			t.Errorf("%q: %v", piece, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(".TH a 1\n.SH b\n.TP\n\\fBx\\fR\ny\n.TS\nl.\nT{\na\nT}\n.TE\n"))
	f.Add([]byte(".Dd x\n.Dt A 1\n.Bl\n.It Fl a Xo\n.Op Fl b Ar c ) .\n.Xc\n.El\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		size := 0
		for _, b := range man.Parse(src, markup.Options{}).Blocks {
			size += len(b.Text)
			if b.Line < 1 {
				t.Errorf("a block at line %d", b.Line)
			}
		}
		if size > 100*len(src)+1000 {
			t.Errorf("%d bytes of %d", size, len(src))
		}
	})
}
