package vault

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// How the turns of a session begin, in its text form.
var turnMarks = [...]struct {
	mark string
	by   int
}{{"User: ", byUser}, {"Assistant: ", byAssistant}}

// speaks returns who speaks from a line on; nobody: it begins no turn.
func speaks(line string) int {
	if line == transcript.ToolMark {
		return byTool
	}
	for _, t := range turnMarks {
		if strings.HasPrefix(line, t.mark) {
			return t.by
		}
	}
	return nobody
}

// sessionWindows cuts the text form of a session. A window that begins with an answer has the question for its heading.
func sessionWindows(lines []string, size, overlap int) []window {
	out := windows(lines, 1, size, overlap)
	by := speakerOf(lines, nobody)
	for i := range out {
		w := &out[i]
		w.speaker = by[w.first-1]
		if w.speaker > byUser {
			w.heading = questionBefore(lines, w.first-1)
		}
	}
	return out
}

// speakerOf returns whose words each line is; those before the first turn are of by.
func speakerOf(lines []string, by int) []int {
	out := make([]int, len(lines))
	for i, l := range lines {
		if next := speaks(l); next != nobody && (i == 0 || lines[i-1] == "") {
			by = next
		}
		out[i] = by
	}
	return out
}

// questionBefore returns what the user said last before a line, shortened.
func questionBefore(lines []string, at int) string {
	for i := at; i >= 0; i-- {
		if speaks(lines[i]) == byUser {
			return shorten(strings.TrimPrefix(lines[i], "User: "), 200)
		}
	}
	return ""
}

// withoutTools returns the lines of a text, the first of which is a speaker's, that no tool's output is repeated in.
func withoutTools(text string, speaker int) string {
	var kept []string
	lines := strings.Split(text, "\n")
	for i, by := range speakerOf(lines, speaker) {
		if by != byTool {
			kept = append(kept, lines[i])
		}
	}
	return strings.Join(kept, "\n")
}

// only leaves of a chunk of a session what one of them said; false: nothing.
func (c *candidate) only(speaker int) bool {
	if c.kind != sessions {
		return false
	}
	first, last := -1, 0
	var kept []string
	lines := strings.Split(c.text, "\n")
	for i, by := range speakerOf(lines, c.speaker) {
		if by != speaker || lines[i] == "" {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		kept = append(kept, lines[i])
	}
	if len(kept) == 0 {
		return false
	}
	c.last = c.first + last
	c.first += first
	c.text = strings.Join(kept, "\n")
	return true
}

var (
	// requests are sentences by which something is asked for, although no mark says so. All four sets of eval/memory echo fall
	// by .08 to .09 without.
	requests = lazy.Regexp(`(?i)^(?:(?:and|so|ok|hey|hi|hello|please|bitte|also|und|sorry)[, ]+)*(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|has|have|can|could|should|would|will|may|` +
		`tell me|show me|find|explain|remind me|look up|look for|search|list|any |anyone|anybody|` +
		`wer|wie|wo|wann|warum|wieso|was|welche[rsnm]?|gibt es|kann(?:st)?|zeig|such|erklär|haben wir|ist|sind)\b|(?:ですか|ますか|教えて|でしょうか|かな)[。？?]?$`)
	// evades are sentences that are no answer.
	evades = lazy.Regexp(`(?i)\b(?:(?:don'?t|do not|didn'?t|did not|couldn'?t|could not|can'?t|cannot|wasn'?t able|was not able|unable to|haven'?t|have not) (?:\w+ ){0,4}(?:know|find|found|see|seen|locate|have|tell|say|recall|remember|answer|anything)|` +
		`not sure|unclear|nothing (?:in|about|on|found|there|here|relevant|that|was)|nothing\b.{0,40}\b(?:covers|mentions|found)|let me (?:look|check|search|see|find|think|read|start)|i'?ll (?:look|check|search|see|find|take|start|read|investigate)|i(?: would| will|'d)? need (?:more|some|a bit)|` +
		`(?:searching|looking|checking|reading)\b|good question|sorry|one moment|hold on|no (?:record|idea|information|info|notes?|mention|results?|trace|clue|documentation|answer)\b|never (?:came|been) |more (?:context|details?|information)|` +
		`leider|weiß (?:ich )?(?:es )?nicht|keine ahnung|nichts gefunden|moment)|見つかりません|見つからない|わかりません|分かりません|不明|確認します|調べ`)
)

func isQuestion(said string) bool {
	return strings.HasSuffix(said, "?") || strings.HasSuffix(said, "？")
}

// asks reports whether a sentence asks for something, with or without the mark.
func asks(said string) bool { return isQuestion(said) || requests.MatchString(said) }

// asksOnly reports whether what a user said only asks. A sentence with a full stop tells something: "Some reminders
// arrive two times." is half of what is known of it. Set echo of eval/memory is best without any other sign.
func asksOnly(s string) bool {
	all := sentences(s)
	tells := func(said string) bool { return strings.HasSuffix(said, ".") && !asks(said) }
	return len(all) > 0 && !slices.ContainsFunc(all, tells)
}

// evasive reports whether what an agent said is no answer: nothing, or only that it does not know, will see, or asks back.
func evasive(s string) bool {
	if len(s) > 600 {
		return false
	}
	for _, said := range sentences(s) {
		if !isQuestion(said) && !evades.MatchString(said) {
			return false
		}
	}
	return !strings.Contains(s, "```")
}

// concrete is what an answer in other words has: a number, code, a path. Sets blind and proof of eval/memory echo fall by .016
// without.
var concrete = lazy.Regexp("[0-9]|`" + `|\w/\w|\w[.]\w|\w_\w|[a-z][A-Z]`)

// echo measures how far a chunk of a session has the words of a question because it was asked there, and not because it was answered: 1
// is wholly, 0 not at all. A question is no evidence of an answer to it.
func (q *question) echo(c *candidate, stems *stemmer) float64 {
	var asked, told uint64
	var user, answer []string
	by := c.speaker
	ends := func() { // of a turn of the user
		mask := &told
		if asksOnly(strings.Join(user, "\n")) {
			mask = &asked
		}
		for _, l := range user {
			q.find(l, stems, func(_, term int) { *mask |= 1 << term })
		}
		user = nil
	}
	before := ""
	for l := range strings.SplitSeq(c.text, "\n") {
		last := before
		before = l
		if next := speaks(l); next != nobody && last == "" {
			ends()
			by = next
			_, l, _ = strings.Cut(l, ": ")
		}
		switch by {
		case byUser:
			user = append(user, l)
		case byAssistant, byTool:
			answer = append(answer, l)
			q.find(l, stems, func(_, term int) { told |= 1 << term })
		}
	}
	ends()
	all := q.share(asked | told)
	if asked == 0 || all == 0 {
		return 0
	}
	v := 1 - q.share(told)/all
	if concrete.MatchString(strings.Join(answer, "\n")) {
		v /= 4
	}
	return v
}

// exchanged takes a session apart into exchanges of turns.
func exchanged(s *transcript.Session) (out [][]transcript.Turn) {
	for i, t := range s.Turns {
		if i == 0 || t.Role == transcript.User && s.Turns[i-1].Role != transcript.User {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], t)
	}
	return out
}
