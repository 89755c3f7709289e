package asciidoc

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// The code that pages of Spring's projects name is in a package that is called like the page
// and the section: "include-code::./Config[tag=x]" below [[aop-pointcuts]] of core/aop-api/x.adoc
// is core/aopapi/aoppointcuts/Config, and without "./" the section's ID alone says where:
// [[howto.data-access.custom]] is howto/dataaccess/custom. Where packages are, the component's
// antora.yml says, or the build.
var (
	codeFolder = lazy.Regexp(`(?m)^\s*include-(java|kotlin|xml):\s*['"]?example\$(?:docs-src/)?([\w./-]+)['"]?\s*$`)
	codeEnds   = map[string]string{"java": ".java", "kotlin": ".kt", "xml": ".xml"}
)

const bootPackages = "org/springframework/boot/docs"

// codeFolders returns the folders of packages, by language in the order they are tried.
func (p *parser) codeFolders() (out [][2]string) {
	dir := path.Dir(path.Clean("/" + p.opt.Path))
	for range 10 {
		if src, err := p.opt.Include(path.Join(dir, "antora.yml")); err == nil && p.includeBudget > len(src) {
			p.includeBudget -= len(src)
			for _, m := range codeFolder.FindAllStringSubmatch(string(src), 6) {
				out = append(out, [2]string{m[1], path.Join(dir, "src", strings.TrimPrefix(m[2], "src/"))})
			}
			if len(out) > 0 {
				return out
			}
		}
		if at, ok := strings.CutSuffix(dir, "/src/docs/antora"); ok {
			return [][2]string{{"java", at + "/src/main/java/" + bootPackages}, {"kotlin", at + "/src/main/kotlin/" + bootPackages}}
		}
		if dir == "/" {
			break
		}
		dir = path.Dir(dir)
	}
	return out
}

// includeCode shows the code that a directive names, or says that it is not there.
func (p *parser) includeCode(arg, list string, num int) bool {
	p.caption(num)
	p.take()
	name := p.attributes(arg)
	where := strings.ReplaceAll(p.section, ".", "/")
	if rest, ok := strings.CutPrefix(name, "./"); ok {
		name = rest
		_, page, _ := strings.Cut(p.opt.Path, "/pages/")
		where = path.Join(path.Dir(page), where)
	}
	if p.opt.Include != nil {
		for _, at := range p.codeFolders() {
			src, err := p.opt.Include(path.Join(at[1], strings.ReplaceAll(where, "-", ""), name) + codeEnds[at[0]])
			if p.includeBudget -= 64 + len(src); err != nil || p.includeBudget < 0 {
				continue
			}
			lines := split(string(src), num)
			opts := listed(list)
			if tags := opts.named["tag"] + opts.named["tags"]; tags != "" {
				lines = tagged(lines, tags)
			} else {
				lines = withoutLicence(tagged(lines, "**"))
			}
			p.code(lines, at[0])
			return true
		}
	}
	p.Para(absent(line{num: num}, name)[0].text, num)
	return true
}

// withoutLicence drops the comment that a file begins with, and the name of its package.
func withoutLicence(lines []line) []line {
	for i, l := range lines {
		if strings.HasPrefix(l.text, "package ") || strings.HasPrefix(l.text, "import ") || strings.HasPrefix(l.text, "<beans") {
			if l.text[0] == 'p' {
				i++
			}
			return lines[i:]
		}
	}
	return lines
}
