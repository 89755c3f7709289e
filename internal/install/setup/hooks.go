package setup

import (
	"slices"
	"strconv"
	"strings"
)

// A hook is an event of a client and what assay calls it.
type hook struct {
	event   string
	matcher string // which of its kinds; empty where it has none
	verb    string // of assay hook CLIENT VERB
}

// hookEvents are the events of a client at which memory has something to do. Cursor takes what a
// hook tells at the start of a session, by its documentation, and with a prompt since version 3.20.
func hookEvents(client string) []hook {
	if client == "cursor" {
		return []hook{
			{"sessionStart", "", "session-start"},
			{"beforeSubmitPrompt", "", "prompt"},
			{"stop", "", "idle"},
			{"sessionEnd", "", "session-end"},
		}
	}
	return []hook{
		{"SessionStart", "startup|resume|compact", "session-start"},
		{"UserPromptSubmit", "", "prompt"},
		{"PreCompact", "", "pre-compact"},
		{"Stop", "", "idle"},
		{"SessionEnd", "", "session-end"},
	}
}

// briefEvent is the event at which a session is offered a brief of its first prompt.
func briefEvent() hook { return hook{"UserPromptSubmit", "", "brief"} }

// When a client ends a hook that does not end by itself, in whole seconds, since clients
// know no parts of one. Hooks that a turn waits for end by themselves within 400 ms.
const (
	tellTimeout  = 1
	briefTimeout = 2 // once in a session
	hookTimeout  = 5
)

// timeout is that of an event.
func (e hook) timeout() int {
	if e.verb == "idle" || e.verb == "session-end" {
		return hookTimeout
	}
	if e.verb == "brief" {
		return briefTimeout
	}
	return tellTimeout
}

// harmless ends the command of a hook. Clients take status 2 for a verdict, and have the
// user's prompt refused: it is also that of a version that does not know the command, and
// of a Go program that cannot start. A program that is missing has another. "exit 0"
// rather than "true" because it means the same to sh, to cmd.exe, which knows no true, and
// to PowerShell 7: a project's configuration is read on all of them.
const harmless = " || exit 0"

// harmlessCursor is the same for Cursor, whose shell on Windows is PowerShell 5, which has no ||.
const harmlessCursor = "; exit 0"

func (h jsonHooks) harmless() string {
	if h.flat() {
		return harmlessCursor
	}
	return harmless
}

// flat reports whether an event has its handlers themselves, and no groups of them.
func (h jsonHooks) flat() bool { return h.client == "cursor" }

// handlers are those of a group; in a flat file, the group itself.
func (h jsonHooks) handlers(group item) []item {
	if h.flat() {
		return []item{group}
	}
	all, _ := group.val.get("hooks")
	return all.items
}

// A jsonHooks is the handlers of ours among the hooks of a JSON file: an object of
// events, each a list of groups, each with a list of handlers.
type jsonHooks struct {
	client string
	exe    string // what the running program is called
	shell  func(program string) string
	older  bool // the commands are as versions before wrote them, which did not end with harmless
	memory bool // put the hooks of memory
	brief  bool // put the hook of briefs
}

// wanted are the hooks that are put.
func (h jsonHooks) wanted() (out []hook) {
	if h.memory {
		out = hookEvents(h.client)
	}
	if h.brief {
		out = append(out, briefEvent())
	}
	return out
}

// forms are what setup may have written: with either kind of hook or both, and as older
// versions did, which had those of memory alone.
func (h jsonHooks) forms() (out []part) {
	for _, with := range []struct{ memory, brief, older bool }{{true, false, false}, {false, true, false}, {true, true, false}, {true, false, true}} {
		h.memory, h.brief, h.older = with.memory, with.brief, with.older
		out = append(out, h)
	}
	return out
}

// A handler is one of ours, and where it is.
type handler struct {
	event, group, hook int // places among the items of the nodes around it
	verb               string
	node               node
	exe                string
	older              bool // it is as an older version wrote it
}

// command is what a client's shell runs for an event.
func (h jsonHooks) command(exe, verb string) string {
	line := h.shell(exe) + " hook " + h.client + " " + verb
	if !h.older {
		line += h.harmless()
	}
	return line
}

// program returns the program of a command if the command is one of ours, of this or
// an older version.
func (h jsonHooks) program(command, verb string) string {
	command = strings.TrimSuffix(command, h.harmless())
	word, ok := strings.CutSuffix(command, " hook "+h.client+" "+verb)
	if !ok {
		return ""
	}
	for _, q := range []string{"'", `"`} {
		if in, ok := strings.CutPrefix(word, q); ok {
			word = strings.TrimSuffix(in, q)
			if q == "'" {
				word = strings.ReplaceAll(word, `'\''`, "'")
			}
		}
	}
	if !isAssay(word, h.exe) {
		return ""
	}
	return word
}

// open returns the document, its hooks, and those handlers that are ours.
func (h jsonHooks) open(text []byte) (d *jsonDoc, hooks node, all []handler, err error) {
	if d, err = parseJSON(text, true); err != nil {
		return nil, hooks, nil, err
	}
	hooks, ok := d.root.get("hooks")
	if !ok {
		return d, hooks, nil, nil
	}
	if hooks.kind != '{' {
		return nil, hooks, nil, flawAt(hooks.start, `"hooks" is not an object`)
	}
	for _, e := range append(hookEvents(h.client), briefEvent()) {
		i := hooks.find(e.event)
		if i < 0 {
			continue
		}
		groups := hooks.items[i].val
		if groups.kind != '[' {
			return nil, hooks, nil, flawAt(groups.start, "%q is not a list", e.event)
		}
		for g, group := range groups.items {
			for k, it := range h.handlers(group) {
				c, _ := it.val.get("command")
				if exe := h.program(d.word(c), e.verb); exe != "" {
					all = append(all, handler{i, g, k, e.verb, it.val, exe, !strings.HasSuffix(d.word(c), h.harmless())})
				}
			}
		}
	}
	return d, hooks, all, nil
}

func (h jsonHooks) look(text []byte) (found, error) {
	_, _, all, err := h.open(text)
	if err != nil || len(all) == 0 {
		return found{}, err
	}
	is := found{state: ours, at: all[0].node.start, command: []string{all[0].exe}}
	for _, o := range all {
		is.older, is.brief, is.memory = is.older || o.older, is.brief || o.verb == "brief", is.memory || o.verb != "brief"
	}
	return is, nil
}

func (h jsonHooks) put(text []byte, command []string) ([]byte, error) {
	for _, e := range h.wanted() {
		d, hooks, all, err := h.open(text)
		if err != nil {
			return nil, err
		}
		i := hooks.find(e.event)
		line := h.command(command[0], e.verb)
		if n := slices.IndexFunc(all, func(o handler) bool { return o.event == i && o.verb == e.verb }); i >= 0 && n >= 0 {
			c, _ := all[n].node.get("command")
			if d.word(c) != line {
				text = d.set(c, line)
			}
			// Versions before let a turn wait as long as everything else.
			if d, _, all, err = h.open(text); err != nil {
				return nil, err
			}
			if v, ok := all[n].node.get("timeout"); ok && e.timeout() != hookTimeout && string(text[v.start:v.end]) == strconv.Itoa(hookTimeout) {
				text = d.set(v, e.timeout())
			}
			continue
		}
		group := object{{"command", line}, {"timeout", e.timeout()}}
		if !h.flat() {
			group = object{{"hooks", list{append(object{{"type", "command"}}, group...)}}}
		}
		if e.matcher != "" {
			group = append(object{{"matcher", e.matcher}}, group...)
		}
		switch {
		case hooks.kind == 0:
			text = d.add(d.root, "hooks", object{{e.event, list{group}}})
		case i < 0:
			text = d.add(hooks, e.event, list{group})
		default:
			text = d.add(hooks.items[i].val, "", group)
		}
	}
	return text, nil
}

func (h jsonHooks) cut(text []byte) ([]byte, error) {
	for {
		d, hooks, all, err := h.open(text)
		if err != nil || len(all) == 0 {
			return text, err
		}
		// Groups and events that become empty are removed too.
		o := all[0]
		groups := hooks.items[o.event].val
		handlers, _ := groups.items[o.group].val.get("hooks")
		switch {
		case len(handlers.items) > 1:
			text = d.drop(handlers, o.hook)
		case len(groups.items) > 1:
			text = d.drop(groups, o.group)
		case len(hooks.items) > 1:
			text = d.drop(hooks, o.event)
		default:
			text = d.drop(d.root, d.root.find("hooks"))
		}
	}
}

func (h jsonHooks) private(text []byte) ([]span, error) {
	d, hooks, all, err := h.open(text)
	if err != nil {
		return nil, err
	}
	var shown []span
	for _, o := range all {
		for _, key := range []string{"type", "command", "timeout"} {
			if v, ok := o.node.get(key); ok {
				shown = append(shown, v.span)
			}
		}
		if v, ok := hooks.items[o.event].val.items[o.group].val.get("matcher"); ok {
			shown = append(shown, v.span)
		}
	}
	return omitShown(d.private(), shown), nil
}

func (h jsonHooks) bare(text []byte) bool {
	d, err := parseJSON(text, true)
	if err == nil && h.flat() {
		if i := d.root.find("version"); i >= 0 {
			d.root.items = slices.Delete(d.root.items, i, i+1)
		}
	}
	return err == nil && d.bare()
}
