package agents

import (
	"encoding/json"
	"strings"
)

// A Request is what an agent asked of its model.
type Request struct {
	Wire   string // chat, responses or messages
	Model  string
	System string // instructions, joined
	User   string // the last message of the user, its pieces joined
	Tools  []string
	Stream bool
	Body   json.RawMessage
}

// The three formats, as far as they are read. Content is a text or a list of
// pieces.
type (
	wireRequest struct {
		Model        string          `json:"model"`
		Stream       bool            `json:"stream"`
		System       json.RawMessage `json:"system"`       // messages
		Instructions json.RawMessage `json:"instructions"` // responses
		Messages     []wireMessage   `json:"messages"`     // chat and messages
		Input        json.RawMessage `json:"input"`        // responses: a text or messages
		Tools        []wireTool      `json:"tools"`
	}
	wireMessage struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	wireTool struct {
		Name     string `json:"name"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
)

func parse(wire string, body []byte) (*Request, error) {
	var w wireRequest
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, err
	}
	r := &Request{Wire: wire, Model: w.Model, Stream: w.Stream, Body: body}
	system := []string{text(w.System), text(w.Instructions)}
	messages := w.Messages
	if len(w.Input) > 0 {
		if json.Unmarshal(w.Input, &messages) != nil {
			messages = []wireMessage{{Role: "user", Content: w.Input}}
		}
	}
	for _, m := range messages {
		switch m.Role {
		case "system", "developer":
			system = append(system, text(m.Content))
		case "user":
			if t := text(m.Content); t != "" { // else the result of a tool
				r.User = t
			}
		}
	}
	r.System = strings.TrimSpace(strings.Join(system, "\n"))
	for _, t := range w.Tools {
		r.Tools = append(r.Tools, t.Name+t.Function.Name)
	}
	return r, nil
}

// text returns the text of a content.
func text(content json.RawMessage) string {
	var s string
	if len(content) == 0 || json.Unmarshal(content, &s) == nil {
		return s
	}
	var pieces []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &pieces) != nil {
		return ""
	}
	var all []string
	for _, p := range pieces {
		if p.Text != "" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}
