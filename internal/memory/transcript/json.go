package transcript

import (
	"encoding/json"
	"strings"
	"time"
)

// content returns the text of a message's content, which is a text or a list of
// pieces; kinds are the types of piece that count.
func content(raw json.RawMessage, kinds ...string) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	if raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	}
	var pieces []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(raw, &pieces); err != nil {
		return "", err
	}
	var texts []string
	for _, p := range pieces {
		for _, k := range kinds {
			if p.Type == k && p.Text != "" {
				texts = append(texts, p.Text)
			}
		}
	}
	return strings.Join(texts, "\n\n"), nil
}

// stamp returns the time that is written in RFC 3339, or none.
func stamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.Year() < 2000 || t.Year() > 9999 {
		return time.Time{}
	}
	return t.UTC()
}

// milli returns the time that is written as milliseconds since 1970, or none.
func milli(ms int64) time.Time {
	if ms <= 0 || ms > 1<<47 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// word returns the string that a value is, or "".
func word(value []byte) string {
	var s string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}
