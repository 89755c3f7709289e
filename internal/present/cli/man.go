package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
)

// man writes the manual page: the overview, and the help of every command as it is
// printed. https://man7.org/linux/man-pages/man7/groff_man.7.html has the macros.
func (p *program) man(w io.Writer) error {
	p.env.Colour = false // it is a file
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH ASSAY 1 \"\" \"assay %s\" \"User Commands\"\n.SH NAME\nassay \\- local context engine for coding agents\n", roff(p.env.Version))
	b.WriteString(".SH SYNOPSIS\n.B assay\nCOMMAND [FLAGS] [ARGUMENTS]\n")
	var text bytes.Buffer
	if err := overview(&text, p.ops, p.env); err != nil {
		return err
	}
	verbatim(&b, "DESCRIPTION", text.String())
	for _, o := range p.ops {
		if o.Hidden {
			continue
		}
		text.Reset()
		if err := help(&text, o, p.below(o.Name), p.env); err != nil {
			return err
		}
		verbatim(&b, "assay "+o.Name, text.String())
	}
	env := p.env
	env.Stdout = &text
	for _, c := range p.env.Commands {
		text.Reset()
		if err := c.Run(context.Background(), []string{"--help"}, env); err != nil {
			return err
		}
		verbatim(&b, "assay "+c.Name, text.String())
	}
	b.WriteString(".SH SEE ALSO\nhttps://github.com/assay-dev/assay\n")
	_, err := w.Write(b.Bytes())
	return err
}

// verbatim writes a section whose lines stay as they are.
func verbatim(b *bytes.Buffer, title, text string) {
	fmt.Fprintf(b, ".SH \"%s\"\n.nf\n", roff(strings.ToUpper(title)))
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		line = roff(strings.TrimSuffix(line, "\n"))
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		b.WriteString(line + "\n")
	}
	b.WriteString(".fi\n")
}

var roffSigns = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`)

// roff escapes what troff reads as more than text, and what is not ASCII.
func roff(s string) string {
	var b strings.Builder
	for _, r := range roffSigns.Replace(s) {
		if r > '~' {
			fmt.Fprintf(&b, `\[u%04X]`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
