package transcript

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// content returns the text of a message's content: a text, a piece, or a list of both. kinds are the types of piece that
// count; none: all do. What a model only thought does not.
func content(raw json.RawMessage, kinds ...string) (string, error) {
	var list []json.RawMessage
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] != '[' {
		list = []json.RawMessage{raw}
	} else if len(raw) > 0 && json.Unmarshal(raw, &list) != nil {
		return "", errNotJSON
	}
	var texts []string
	for _, x := range list {
		var piece struct {
			Type    string `json:"type"`
			Text    string `json:"text"`
			Thought bool   `json:"thought"`
		}
		isText := x[0] == '"'
		if isText {
			piece.Text = word(x)
		} else if json.Unmarshal(x, &piece) != nil {
			return "", errNotJSON
		}
		counts := isText || len(kinds) == 0 || slices.Contains(kinds, piece.Type)
		if counts && piece.Text != "" && !piece.Thought {
			texts = append(texts, piece.Text)
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
