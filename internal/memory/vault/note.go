package vault

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// Categories returns what a note can be of, in the order in which they are shown.
func Categories() []string {
	return []string{"preferences", "facts", "decisions", "entities", "other"}
}

// DigestCategory is the category of the digests of sessions.
const DigestCategory = sessionsDir

// sessionsDir is the folder and the category of the digests of sessions.
const sessionsDir = "sessions"

const (
	maxNote  = 32 << 20 // bytes of a file
	maxFront = 64 << 10 // of front matter
)

// A page is a text taken apart, as it will be found: a note or a transcript.
type page struct {
	title     string
	category  string
	project   string
	session   string // of a digest: agent/id
	keywords  string // tags and aliases, as words
	asked     string // the questions that it answers, a line each, and in the last its keywords and other names
	links     []link
	created   time.Time
	day       day // it is about, or was written on; 0 where nothing says so
	evergreen bool
	standing  standing
	hash      []byte // of the text as it was cleaned
	body      []byte // of its words alone: equal in copies
	windows   []window
}

// The front matter that is understood; what else there is, is left alone.
type front struct {
	title, category, project, session, source string
	topic                                     string   // the key of its matter
	digest                                    string   // the sum of a digest when it was written
	imported, importedSum                     string   // its key at the source of its import, and the sum of its text there
	keywords                                  []string // tags, other names and keywords
	asked                                     []string // questions that the note answers
	also                                      []string // keywords and other names
	links                                     []link   // tags, aliases and relations too
	problem                                   string   // why some of it cannot be read
	created, dated                            time.Time
	evergreen, fixed                          bool // fixed: it says whether it is evergreen
	standing                                  standing
}

// readNote takes a cleaned note apart. rel is its path below the vault.
func readNote(rel string, clean []byte, size, overlap int) page {
	head, body, line := cutFront(clean)
	f := readFront(head)
	lines := strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
	p := page{title: f.title, category: f.category, project: f.project, session: f.session, keywords: strings.Join(f.keywords, " "),
		asked: f.askedLines(), links: f.links, created: f.created, standing: f.standing}
	if p.category == "" {
		if top, _, ok := strings.Cut(rel, "/"); ok {
			p.category = top
		}
	}
	stem := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	if p.title == "" {
		p.title = firstHeading(lines)
	}
	if p.title == "" {
		p.title = spoken(stem)
	}
	p.day = dayOf(f.dated)
	if p.day == 0 {
		p.day = dateIn(rel)
	}
	if p.day == 0 {
		for _, l := range lines[:min(len(lines), 5)] {
			if p.day = dateIn(l[:min(len(l), 300)]); p.day != 0 {
				break
			}
		}
	}
	if p.day == 0 {
		p.day = dayOf(f.created)
	}
	switch p.category {
	case "preferences", "facts", "decisions", "entities":
		p.evergreen = true
	default:
		p.evergreen = p.day == 0 || strings.EqualFold(stem, "memory") || strings.EqualFold(stem, "readme")
	}
	if f.fixed {
		p.evergreen = f.evergreen
	}
	for _, l := range linksIn(lines, line) {
		if l.kind == supersedes || l.kind == succeeded { // of the note's folder, as Markdown has it
			if below, ok := strings.CutPrefix(l.target, "./"); ok {
				l.target = path.Join(path.Dir(rel), below)
			}
		}
		p.links = append(p.links, l)
	}
	if l := copyOf(rel); l.kind != "" {
		p.links = append(p.links, l)
	}
	p.windows = windows(lines, line, size, overlap)
	if len(p.windows) == 0 && p.title != "" {
		// An empty note is still found by its name.
		p.windows = []window{{first: line, last: line, text: ""}}
	}
	sum := sha256.Sum256(clean)
	p.hash, p.body = sum[:16], bodyHash(string(body))
	return p
}

// cutFront separates the front matter, which is between two lines of three dashes
// at the very beginning. line is the number of the first line after it.
func cutFront(b []byte) (head, body []byte, line int) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	rest, ok := bytes.CutPrefix(b, []byte("---"))
	if !ok {
		return nil, b, 1
	}
	end := bytes.IndexByte(rest, '\n')
	if end < 0 || len(bytes.TrimSpace(rest[:end])) > 0 {
		return nil, b, 1
	}
	rest = rest[end+1:]
	line = 2
	for at := 0; at < len(rest) && at < maxFront; {
		n := bytes.IndexByte(rest[at:], '\n')
		stop, next := len(rest), len(rest)
		if n >= 0 {
			stop, next = at+n, at+n+1
		}
		line++
		if l := bytes.TrimRight(rest[at:stop], " \t\r"); string(l) == "---" || string(l) == "..." {
			return rest[:at], rest[next:], line
		}
		at = next
	}
	return nil, b, 1
}

// readFront reads what it understands: it is the user's file, and nothing to fail for.
func readFront(head []byte) (f front) {
	m, problem := parseFront(head)
	if len(m) == 0 {
		return f
	}
	f.problem = problem
	str := func(keys ...string) string {
		for _, k := range keys {
			if s, ok := m[k].(string); ok {
				return strings.TrimSpace(s[:min(len(s), 1000)])
			}
		}
		return ""
	}
	when := func(keys ...string) time.Time {
		for _, k := range keys {
			switch v := m[k].(type) {
			case time.Time:
				return v
			case string:
				if t, err := time.Parse(time.RFC3339, v); err == nil {
					return t
				}
				if d := dateIn(v); d != 0 {
					return timeOf(d)
				}
			}
		}
		return time.Time{}
	}
	f.title, f.category, f.project = str("title"), strings.ToLower(str("category")), str("project")
	f.session, f.source, f.digest = str("session"), str("source"), str("digest")
	f.imported, f.importedSum = str(importedKey), str(importedSum)
	f.standing = standingOf(m, when)
	f.topic = topicOf(str("topic"))
	f.links = append(relations(m), f.topicLinks(str("type") == "memory")...)
	f.created, f.dated = when("created_at", "created", "date"), when("date")
	if v, ok := m["evergreen"].(bool); ok {
		f.evergreen, f.fixed = v, true
	}
	for _, k := range [...]string{"tags", "tag", "aliases", "alias", keywordsKey} {
		for _, word := range listed(m[k]) {
			f.keywords = append(f.keywords, word)
			if k != "tags" && k != "tag" {
				f.also = append(f.also, word)
			}
			switch k {
			case "tags", "tag":
				for tag := range strings.FieldsFuncSeq(word, func(r rune) bool { return strings.ContainsRune(", []\"'", r) }) {
					if tag = tagOf(tag); tag != "" {
						f.links = append(f.links, link{kind: linkTag, target: tag})
					}
				}
			case "aliases", "alias":
				f.links = append(f.links, link{kind: linkAlias, target: nameOf(word)})
			}
		}
	}
	for _, q := range listed(m[askedKey]) {
		if q = strings.Join(strings.Fields(q), " "); q != "" && len(f.asked) < maxQuestions {
			f.asked = append(f.asked, q[:min(len(q), maxName)])
		}
	}
	return f
}

// askedLines returns the questions, keywords and other names of a note, as page has them.
func (f *front) askedLines() string {
	lines := f.asked
	if len(f.also) > 0 {
		lines = append(slices.Clip(lines), strings.Join(strings.Fields(strings.Join(f.also, " ")), " "))
	}
	return strings.Join(lines, "\n")
}

// topicLinks returns the matter that a note is about: its topic, else the title that it was stored with. Only
// notes that memory stored have one, because people also write under one topic or title what all holds.
func (f *front) topicLinks(stored bool) []link {
	topic := f.topic
	if topic == "" && f.imported == "" {
		topic = topicOf(f.title)
	}
	if !stored || f.session != "" || f.category == sessionsDir || topic == "" { // a session is of its day
		return nil
	}
	return []link{{kind: linkTopic, target: topic}}
}

// listed returns the words of a value of front matter: one, or a list.
func listed(v any) (out []string) {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, x := range v[:min(len(v), 50)] {
			switch x := x.(type) {
			case string:
				out = append(out, x)
			case []any: // an unquoted wikilink is a list in a list to YAML
				if len(x) == 1 {
					if inner, ok := x[0].(string); ok {
						out = append(out, "[["+inner+"]]")
					}
				}
			}
		}
	}
	return out
}

func firstHeading(lines []string) string {
	for _, l := range lines[:min(len(lines), 30)] {
		if level, title := heading(strings.TrimSpace(l)); level == 1 {
			return title
		}
	}
	return ""
}

var stamp = lazy.Regexp(`[-_ ]?(?:19|20)\d{6}[-T]?\d{4,6}Z?$|^(?:19|20)\d\d-\d\d-\d\d[-_ ]`)

// spoken is the name of a file as a title.
func spoken(stem string) string {
	stem = cmp.Or(stamp.ReplaceAllString(stem, ""), stem)
	if dateIn(stem) != 0 {
		return stem // the dashes of a date are no blanks
	}
	return strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(stem))
}

// bodyHash is equal for texts that differ in nothing but case, white space, markup
// and the punctuation of sentences; nil for one without words. The title that Store
// writes above a text does not count.
func bodyHash(body string) []byte {
	h := sha256.New()
	any := false
	for line := range strings.Lines(prose(body)) {
		for _, w := range strings.Fields(unmarked(line)) {
			w = strings.Map(func(r rune) rune {
				if strings.ContainsRune("`*_~\"'“”‘’„«»()[]", r) {
					return -1
				}
				return r
			}, strings.TrimRight(w, ".,;:!?。、"))
			if w = strings.TrimRight(w, ".,;:!?。、"); w == "" {
				continue
			}
			any = true
			h.Write([]byte(text.Fold(w)))
			h.Write([]byte{' '})
		}
	}
	if !any {
		return nil
	}
	return h.Sum(nil)[:16]
}

// unmarked returns a line without the marks of headings, quotations and lists before it. A sign directly
// before a number is none.
func unmarked(line string) string {
	for {
		line = strings.TrimLeft(line, " \t>")
		rest := strings.TrimLeft(line, "#*+-")
		if rest == line || rest != "" && rest[0] >= '0' && rest[0] <= '9' && line[len(line)-len(rest)-1] != '*' {
			return line
		}
		line = rest
	}
}

// slug returns a title as the name of a file: small letters, digits and dashes, in
// any script, of at most 60 bytes.
func slug(title string) string {
	var b strings.Builder
	dash := false
	for _, r := range text.Fold(title) {
		if !alnumRune(r) {
			dash = b.Len() > 0
			continue
		}
		if b.Len()+5 > 60 {
			break
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
