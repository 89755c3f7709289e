package markdown

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// A flower rewrites what stands on lines of its own into plain Markdown: containers,
// admonitions, tabs, includes, stubs of generated pages, footnotes.
type flower struct {
	opt           markup.Options
	in            draft
	at            int
	out           draft
	code          *fence
	depth         int // of includes
	includeBudget *int

	bodies   []int // columns at which the bodies of open admonitions begin
	pymd     int   // open blocks of ///
	closers  int   // lines that close a container
	comment  bool
	definite bool // the line before belongs to a footnote
}

// flow rewrites a draft. size is of the source, in bytes.
func flow(d draft, opt markup.Options, size int) draft {
	includeBudget := min(4*size+64<<10, 1<<20)
	f := &flower{opt: opt, in: d, out: d.room(), includeBudget: &includeBudget}
	f.run()
	return f.out
}

const maxBodies = 16

var (
	admonition = lazy.Regexp(`^([ \t]*)(?:!!!|\?\?\?\+?)[ \t]*([\w-]+)((?:[ \t]+[\w-]+)*)[ \t]*(?:"([^"]*)"|'([^']*)')?[ \t]*$`)
	tab        = lazy.Regexp(`^([ \t]*)===[!+]?[ \t]*(?:"([^"]*)"|'([^']*)')[ \t]*$`)
	container  = lazy.Regexp(`^([ \t>]*)(:{3,})[ \t]*(.*?)[ \t]*$`)
	contHead   = lazy.Regexp(`^\{?([\w-]+)\}?(?:\[([^\]]*)\])?[ \t]*(?:\{([^}]*)\})?[ \t]*(.*)$`)
	pymdBlock  = lazy.Regexp(`^([ \t]*)(/{3,})[ \t]*(?:([\w-]+)(?:[ \t]*\|[ \t]*(.*?))?)?[ \t]*$`)
	stub       = lazy.Regexp(`^:::[ \t]+([A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*)[ \t]*$`)
	member     = lazy.Regexp(`^[ \t]+- ([A-Za-z_][\w.]*)[ \t]*$`)
	footnote   = lazy.Regexp(`^[ ]{0,3}\[\^([^\]\s]+)\]:[ \t]*`)
	mystFence  = lazy.Regexp(`^\{([\w:.-]+)\}[ \t]*(.*)$`)
	mystOption = lazy.Regexp(`^[ \t]*:[\w-]+:`)
	mystTarget = lazy.Regexp(`^\([\w./: -]+\)=[ \t]*$`)
	customTag  = lazy.Regexp(`^[ \t]*<[a-z]+(?:-[a-z]+)+(?:[ \t][^<>]*)?>$`)
	attrLine   = lazy.Regexp(`^[ \t]*\{:?[ \t]*[.#][\w-][^{}]*\}[ \t]*$`)
)

func (f *flower) run() {
	for _, line := range f.in.lines {
		if t := line[leading(line, " \t>"):]; strings.HasPrefix(t, ":::") && strings.Trim(t, ": \t") == "" {
			f.closers++
		}
	}
	for f.at < len(f.in.lines) {
		line, num := f.in.lines[f.at], f.in.nums[f.at]
		f.at++
		f.line(f.body(line), num)
	}
}

// body takes the indentation of the open admonitions off a line, and ends those that it
// does not belong to.
func (f *flower) body(line string) string {
	if len(f.bodies) == 0 || blank(line) {
		return line
	}
	n := indentOf(line)
	for len(f.bodies) > 0 && n < f.bodies[len(f.bodies)-1] {
		f.bodies = f.bodies[:len(f.bodies)-1]
		f.code = nil
	}
	return dedent(line, 4*len(f.bodies))
}

func (f *flower) line(line string, num int) {
	if f.code != nil {
		f.inCode(line, num)
		return
	}
	if f.comment || strings.HasPrefix(line[leading(line, " \t"):], "<!--") {
		if f.comment || !f.vueInclude(line, num) {
			f.out.add(line, num)
			f.comment = !strings.Contains(line, "-->")
		}
		return
	}
	if c, ok := openFence(line); ok {
		if n := len(f.out.lines); n > 0 && strings.HasSuffix(f.out.lines[n-1], ">") && customTag.MatchString(f.out.lines[n-1]) {
			f.separate(num) // or it would be text of that element
		}
		f.open(c, line, num)
		return
	}
	trimmed := line[leading(line, " \t>"):]
	if trimmed == "" {
		f.out.add(line, num)
		return
	}
	switch trimmed[0] {
	case '!', '?':
		if f.admonition(line, num) {
			return
		}
	case '=':
		if f.tab(line, num) {
			return
		}
	case ':':
		if f.stub(line, num) || f.container(line, num) {
			return
		}
	case '/':
		if f.pymdown(line, num) {
			return
		}
	case '#':
		if !strings.Contains(line, "{/*") {
		} else if m := jsxID.FindStringSubmatchIndex(line); m != nil {
			line = line[:m[0]] + " {#" + line[m[2]:m[3]] + "}"
		}
	case '[':
		if m := footnote.FindString(line); m != "" {
			f.separate(num)
			f.definite = true
			f.out.add("\\"+strings.TrimLeft(line, " "), num)
			return
		}
	case '(':
		if mystTarget.MatchString(line) {
			return
		}
	}
	if trimmed[0] == '{' && attrLine.MatchString(line) {
		return
	}
	if f.include(line, num, false) {
		return
	}
	if n := indentOf(line); f.definite && n >= 4 {
		line = dedent(line, 4)
	} else if n == 0 {
		f.definite = false
	}
	f.out.add(line, num)
}

// separate adds an empty line where the last is not.
func (f *flower) separate(num int) {
	if n := len(f.out.lines); n > 0 && !blank(f.out.lines[n-1]) {
		f.out.add("", num)
	}
}

// say adds a paragraph that names what follows, within the container that prefix opens.
func (f *flower) say(prefix, label string, num int) {
	edge := strings.TrimRight(prefix, " \t")
	if label == "" {
		f.out.add(edge, num)
		return
	}
	f.out.add(edge, num)
	f.out.add(prefix+labelMark+label, num)
	f.out.add(edge, num)
}

func (f *flower) inCode(line string, num int) {
	if f.code.closes(line) {
		f.code = nil
		f.out.add(line, num)
		return
	}
	if !f.include(line, num, true) {
		f.out.add(line, num)
	}
}

func (f *flower) admonition(line string, num int) bool {
	m := admonition.FindStringSubmatch(line)
	if m == nil || len(f.bodies) >= maxBodies {
		return false
	}
	f.say(m[1], note(m[2], m[4]+m[5]), num)
	f.openBody(indentOf(m[1]))
	return true
}

// openBody begins a body that is indented below a line of this indentation.
func (f *flower) openBody(indent int) {
	f.bodies = append(f.bodies, 4*len(f.bodies)+indent+4)
}

func (f *flower) tab(line string, num int) bool {
	m := tab.FindStringSubmatch(line)
	if m == nil || len(f.bodies) >= maxBodies {
		return false
	}
	f.say(m[1], strings.TrimRight(m[2]+m[3], ":")+":", num)
	f.openBody(indentOf(m[1]))
	return true
}

func (f *flower) container(line string, num int) bool {
	m := container.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	if m[3] == "" {
		f.say(m[1], "", num)
		return true
	}
	h := contHead.FindStringSubmatch(m[3])
	if h == nil {
		if attrLine.MatchString(m[3]) { // what it looks like is all that is said of it
			f.say(m[1], "", num)
			return true
		}
		return false
	}
	title := h[4]
	if h[2] != "" {
		title = h[2] + strings.TrimRight(" "+h[4], " ")
	} else if t := codeTitle.FindStringSubmatch(h[3]); t != nil {
		title = t[1] + t[2] + t[3]
	}
	if title != "" && title[0] == '{' && attrList.MatchString(title) {
		title = ""
	}
	f.say(m[1], note(h[1], title), num)
	return true
}

// pymdown reads the blocks of pymdownx: /// note | Title … ///.
func (f *flower) pymdown(line string, num int) bool {
	m := pymdBlock.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	if m[3] == "" {
		if f.pymd == 0 {
			return false
		}
		f.pymd--
		f.say(m[1], "", num)
		return true
	}
	f.pymd++
	label := note(m[3], m[4])
	if m[3] == "tab" {
		label = strings.TrimRight(m[4], ":") + ":"
	}
	f.say(m[1], label, num)
	for f.at < len(f.in.lines) && strings.HasPrefix(dedent(f.in.lines[f.at], 4*len(f.bodies)), "    ") && keyLine.MatchString(strings.TrimSpace(f.in.lines[f.at])) {
		f.at++
	}
	return true
}

// stub reads ::: package.module: what a program's comments say of it.
func (f *flower) stub(line string, num int) bool {
	m := stub.FindStringSubmatch(line)
	if m == nil || f.closers > 0 && !strings.ContainsAny(m[1], "._") {
		return false
	}
	text, ok := "", false
	if f.opt.Doc != nil && *f.includeBudget > 0 {
		text, ok = f.opt.Doc(":::", m[1])
	}
	if !ok && !strings.Contains(m[1], ".") {
		return false
	}
	f.separate(num)
	if ok && len(text) <= *f.includeBudget {
		*f.includeBudget -= len(text)
		f.out.add("## `"+m[1]+"` {#"+m[1]+"}", num)
		f.out.add("", num)
		f.splice(text, num)
	} else {
		f.out.add("`"+m[1]+"`", num) // what it would show is not here
	}
	f.out.add("", num)
	for f.at < len(f.in.lines) && (indentOf(f.in.lines[f.at]) >= 2 || blank(f.in.lines[f.at])) {
		// Of the options, the members that are listed are words of the page.
		if t := member.FindStringSubmatch(f.in.lines[f.at]); t != nil {
			f.out.add("- `"+t[1]+"`", f.in.nums[f.at])
		}
		f.at++
	}
	f.out.add("", num)
	return true
}

// splice reads text from elsewhere in place of a line.
func (f *flower) splice(text string, num int) {
	if f.depth > 3 {
		f.out.add("", num)
		return
	}
	d := newDraft(clean([]byte(text)))
	d.front()
	for i := range d.nums {
		d.nums[i] = num
	}
	inner := &flower{opt: f.opt, in: d, includeBudget: f.includeBudget, depth: f.depth + 1}
	inner.run()
	for i, line := range inner.out.lines {
		f.out.add(line, inner.out.nums[i])
	}
	if inner.code != nil {
		f.out.add(strings.Repeat(string(inner.code.mark), inner.code.length), num)
	}
}

// open reads the start of code, or of a directive of MyST, whose body is Markdown.
func (f *flower) open(c fence, line string, num int) {
	m := mystFence.FindStringSubmatch(c.info)
	if m == nil {
		f.code = &c
		f.out.add(line, num)
		return
	}
	prefix, mark := line[:c.indent], strings.Repeat(string(c.mark), c.length)
	if codeDirectives.Has(m[1]) {
		f.out.add(prefix+mark+m[2], num)
		f.options()
		f.code = &c
		return
	}
	if !noteKinds.Has(strings.ToLower(m[1])) {
		f.code = &c
		f.out.add(line, num)
		return
	}
	f.say(prefix, note(m[1], m[2]), num)
	f.options()
	for f.at < len(f.in.lines) && !c.closes(f.body(f.in.lines[f.at])) {
		f.at++
		f.line(f.body(f.in.lines[f.at-1]), f.in.nums[f.at-1])
	}
	f.at++
	f.say(prefix, "", num)
}

// options skips the options of a directive.
func (f *flower) options() {
	for f.at < len(f.in.lines) && mystOption.MatchString(f.in.lines[f.at]) {
		f.at++
	}
}

var (
	codeDirectives = lazy.Words("code code-block code-cell sourcecode")
	noteKinds      = lazy.Words(`note tip info warning danger caution important hint attention error success question failure bug example
		quote abstract summary admonition seealso see-also todo details versionadded versionchanged deprecated margin sidebar dropdown
		card grid tab-set tab-item topic`)
	// silentKinds are containers that say nothing by themselves.
	silentKinds = lazy.Words(`code-group code-tabs raw tabs tab-set tabset grid div v-pre admonition card cards steps details tab tab-item
		dropdown html markdown region columns column figure-caption caption grid-item center left right`)
)

// note returns how a note begins: its kind, and its title where it has one of its own.
func note(kind, title string) string {
	title = strings.TrimSpace(title)
	if silentKinds.Has(strings.ToLower(kind)) {
		if title != "" && !strings.ContainsAny(title, ":.?! ") {
			return title + ":"
		}
		return title
	}
	name := kindName(kind)
	if title == "" || strings.EqualFold(title, name) {
		return name
	}
	return name + ": " + title
}

// kindName makes words of a kind: "see-also" is "See also".
func kindName(kind string) string {
	if kind == "" {
		return ""
	}
	kind = strings.ToLower(strings.ReplaceAll(kind, "-", " "))
	return strings.ToUpper(kind[:1]) + kind[1:]
}
