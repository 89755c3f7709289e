package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/memory/vault"
)

// A talk is one of the conversations of a published file.
type talk struct {
	Conversation map[string]json.RawMessage `json:"conversation"`
	QA           []struct {
		Question string `json:"question"`
		Category int    `json:"category"`
		Evidence []any  `json:"evidence"`
	} `json:"qa"`
}

var (
	sessionKey = regexp.MustCompile(`^session_(\d+)$`)
	spoken     = regexp.MustCompile(`D(\d+):\d+`)
)

// corpus makes a talk into notes, one a session, and the questions that have an
// answer.
func (t *talk) corpus() (c corpus, err error) {
	for key, raw := range t.Conversation {
		m := sessionKey.FindStringSubmatch(key)
		if m == nil {
			continue
		}
		var turns []struct {
			Speaker string `json:"speaker"`
			Text    string `json:"text"`
			Caption string `json:"blip_caption"`
		}
		if err := json.Unmarshal(raw, &turns); err != nil {
			return c, fmt.Errorf("%s: %w", key, err)
		}
		if len(turns) == 0 {
			continue
		}
		var when string
		if d, ok := t.Conversation[key+"_date_time"]; ok {
			if err := json.Unmarshal(d, &when); err != nil {
				return c, fmt.Errorf("%s: %w", key, err)
			}
		}
		var b strings.Builder
		fmt.Fprintf(&b, "Date: %s\n", when)
		for _, turn := range turns {
			fmt.Fprintf(&b, "\n%s: %s\n", turn.Speaker, turn.Text)
			if turn.Caption != "" {
				fmt.Fprintf(&b, "[shares a picture: %s]\n", turn.Caption)
			}
		}
		c.notes = append(c.notes, file{m[1] + ".md", b.String()})
	}
	slices.SortFunc(c.notes, func(a, b file) int { return strings.Compare(a.name, b.name) })
	for _, qa := range t.QA {
		q := question{Ask: qa.Question, Kind: "category " + strconv.Itoa(qa.Category)}
		for _, e := range qa.Evidence {
			for _, m := range spoken.FindAllStringSubmatch(fmt.Sprint(e), -1) {
				if name := m[1] + ".md"; !slices.Contains(q.In, name) && slices.ContainsFunc(c.notes, func(f file) bool { return f.name == name }) {
					q.In = append(q.In, name)
				}
			}
		}
		if qa.Category != 5 && len(q.In) > 0 {
			c.questions = append(c.questions, q)
		}
	}
	return c, nil
}

// published prints the figures of the conversations in a file.
func published(ctx context.Context, w io.Writer, path string, verbose bool) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var all []talk
	if err := json.Unmarshal(b, &all); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	total := result{corpus: corpus{name: path}}
	for i := range all {
		c, err := all[i].corpus()
		if err != nil {
			return fmt.Errorf("conversation %d: %w", i+1, err)
		}
		r, err := measure(ctx, c)
		if err != nil {
			return err
		}
		total.notes = append(total.notes, c.notes...)
		total.questions = append(total.questions, c.questions...)
		for _, m := range []vault.Mode{vault.Hybrid, vault.Words, vault.Meaning} {
			total.rows[m] = append(total.rows[m], r.rows[m]...)
		}
	}
	slices.SortStableFunc(total.questions, func(a, b question) int { return strings.Compare(a.Kind, b.Kind) })
	total.write(w)
	if verbose {
		total.writeBad(w)
	}
	return nil
}
