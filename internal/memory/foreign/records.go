package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A record is a memory as a program exports it. What it is called differs; a field that
// is missing or of another kind is empty.
type record map[string]json.RawMessage

// str returns the first of some fields that is a text, or a number as one.
func (r record) str(keys ...string) string {
	for _, k := range keys {
		raw := bytes.TrimSpace(r[k])
		var s string
		if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
			if len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
				return string(raw)
			}
			continue
		}
		if s = strings.TrimSpace(s); s != "" {
			return s
		}
	}
	return ""
}

// list returns a field that is a list of texts, or a text that is one in JSON.
func (r record) list(key string) []string {
	raw := bytes.TrimSpace(r[key])
	if s := r.str(key); s != "" {
		raw = []byte(s)
	}
	var out []string
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out[:min(len(out), 200)]
}

func (r record) object(key string) record {
	var out record
	if json.Unmarshal(r[key], &out) != nil {
		return nil
	}
	return out
}

// when returns the latest of some times.
func (r record) when(keys ...string) (at time.Time) {
	for _, k := range keys {
		if t := moment(r.str(k)); t.After(at) {
			at = t
		}
	}
	return at
}

// moment reads a time as exports write it: RFC 3339 and what is like it, or seconds or
// milliseconds since 1970.
func moment(s string) time.Time {
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		if n > 1e11 {
			n /= 1000
		}
		if n < 1e8 || n > 1e11 {
			return time.Time{}
		}
		return time.Unix(int64(n), 0).UTC()
	}
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05-07:00", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1990 && t.Year() < 10000 {
			return t.UTC()
		}
	}
	return time.Time{}
}

// json reads an export in JSON, or in lines of it; false: it is none that is known.
func (e *Export) json(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var whole record
	if json.Unmarshal(data, &whole) == nil {
		return e.object(whole)
	}
	var all []record
	if json.Unmarshal(data, &all) == nil {
		return e.mem0(all)
	}
	for l := range bytes.Lines(data) {
		var r record
		if l = bytes.TrimSpace(l); len(l) == 0 {
			continue
		}
		if json.Unmarshal(l, &r) != nil {
			e.Skipped["not JSON"]++
			continue
		}
		all = append(all, r)
	}
	return len(all) > 0 && e.mem0(all)
}

// object reads an export that is one object, by the names of its lists.
func (e *Export) object(whole record) bool {
	all := func(key string) (out []record) {
		// A list with something else in it is read as far as it goes.
		var raw []json.RawMessage
		if json.Unmarshal(whole[key], &raw) != nil {
			return nil
		}
		for _, x := range raw {
			var r record
			if json.Unmarshal(x, &r) != nil || r == nil {
				e.Skipped["no record"]++
				continue
			}
			out = append(out, r)
		}
		return out
	}
	_, observed := whole["observations"]
	_, summed := whole["summaries"]
	switch {
	case e.Format == ClaudeMem || e.Format == "" && observed && summed:
		e.Format = ClaudeMem
		for _, r := range all("observations") {
			e.add(observation(r))
		}
		for _, r := range all("summaries") {
			e.add(summary(r))
		}
		return observed || summed
	case e.Format == Engram || e.Format == "" && observed:
		e.Format = Engram
		for _, r := range all("observations") {
			if r.str("deleted_at") != "" {
				e.Skipped["deleted"]++
				continue
			}
			e.add(engram(r))
		}
		return observed
	case whole["results"] != nil:
		return e.mem0(all("results"))
	case whole["memories"] != nil:
		return e.mem0(named(all("memories"), all("categories")))
	}
	return e.mem0([]record{whole})
}

// observation is what claude-mem keeps of a tool's use: a title, facts and a narrative.
func observation(r record) Note {
	var b strings.Builder
	paragraph(&b, r.str("subtitle"))
	paragraph(&b, r.str("narrative", "text"))
	items(&b, "", r.list("facts"))
	items(&b, "Files", append(r.list("files_modified"), r.list("files_read")...))
	return Note{Key: fmt.Sprintf("%s:observation:%s@%s", ClaudeMem, r.str("id"), r.str("created_at_epoch", "created_at")), Title: r.str("title"), Text: b.String(),
		Category: category(r.str("type")), Project: r.str("project"), Tags: tags(append(r.list("concepts"), r.str("type"))...), Created: r.when("created_at_epoch", "created_at")}
}

// summary is what claude-mem keeps of a session.
func summary(r record) Note {
	var b strings.Builder
	for _, part := range [...]struct{ key, title string }{{"request", "Asked"}, {"investigated", "Investigated"}, {"learned", "Learned"}, {"completed", "Done"}, {"next_steps", "Next"}, {"notes", "Notes"}} {
		if s := r.str(part.key); s != "" {
			fmt.Fprintf(&b, "## %s\n\n%s\n\n", part.title, s)
		}
	}
	return Note{Key: fmt.Sprintf("%s:summary:%s@%s", ClaudeMem, r.str("id"), r.str("created_at_epoch", "created_at")), Title: firstLine(r.str("request")), Text: b.String(),
		Project: r.str("project"), Tags: []string{"session-summary"}, Created: r.when("created_at_epoch", "created_at")}
}

// engram is an observation of engram's. One that is written again keeps its name.
func engram(r record) Note {
	id := cmp.Or(r.str("sync_id"), r.str("id")+"@"+r.str("created_at"))
	return Note{Key: Engram + ":" + id, Title: r.str("title"), Text: r.str("content"), Category: category(r.str("type")), Project: r.str("project"),
		Topic: r.str("topic_key"), Tags: tags(r.str("type")), Created: r.when("created_at", "updated_at")}
}

// named puts the names of categories into OpenMemory's records, which have their numbers.
func named(all, categories []record) []record {
	names := map[string]string{}
	for _, c := range categories {
		names[c.str("id")] = c.str("name")
	}
	for _, r := range all {
		var of []string
		for _, id := range r.list("category_ids") {
			if names[id] != "" {
				of = append(of, names[id])
			}
		}
		if len(of) > 0 {
			r["categories"], _ = json.Marshal(of) // of strings: it cannot fail
		}
	}
	return all
}

// mem0 reads the memories of mem0 and OpenMemory: a sentence each. What its owner deleted
// or put away stays so.
func (e *Export) mem0(all []record) bool {
	if e.Format != "" && e.Format != Mem0 {
		return false
	}
	known := false
	for _, r := range all {
		text := r.str("memory", "content", "text", "data")
		if text == "" || r.str("id", "hash") == "" {
			e.Skipped["no memory in it"]++
			continue
		}
		known = true
		if state := r.str("state"); state == "deleted" || state == "archived" || r.str("deleted_at") != "" {
			e.Skipped[map[bool]string{true: "archived", false: "deleted"}[state == "archived"]]++
			continue
		}
		meta := r.object("metadata")
		words := append(r.list("categories"), meta.str("category"), meta.str("type"))
		n := Note{Key: Mem0 + ":" + r.str("id", "hash"), Text: text, Tags: tags(words...), Project: meta.str("project", "repo", "repository"), Created: r.when("created_at", "updated_at")}
		for _, w := range words {
			if n.Category = category(w); n.Category != "" {
				break
			}
		}
		e.add(n)
	}
	if known {
		e.Format = Mem0
	}
	return known
}

func paragraph(b *strings.Builder, s string) {
	if s != "" {
		b.WriteString(s + "\n\n")
	}
}

func items(b *strings.Builder, title string, all []string) {
	if len(all) == 0 {
		return
	}
	if title != "" {
		b.WriteString(title + ":\n")
	}
	for _, s := range all {
		b.WriteString("- " + strings.Join(strings.Fields(s), " ") + "\n")
	}
	b.WriteByte('\n')
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
