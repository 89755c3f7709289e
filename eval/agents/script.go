package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// A Script says what the model answers. A request is answered by the first reply
// that fits it and is not used up, else by Otherwise.
type Script struct {
	Replies   []Reply `json:"replies"`
	Otherwise string  `json:"otherwise,omitempty"` // "OK." where empty
}

// A Reply is one answer of the model.
type Reply struct {
	If    If     `json:"if,omitzero"`
	Keep  bool   `json:"keep,omitempty"`  // it is never used up
	Think string `json:"think,omitempty"` // reasoning, before the text
	Say   string `json:"say,omitempty"`
	Calls []Call `json:"calls,omitempty"`
	// Usage overrides the input tokens that the answer says it cost: a large figure
	// makes an agent compact.
	Usage int `json:"usage,omitempty"`
	// Status other than 0 answers with an error of that HTTP status.
	Status  int `json:"status,omitempty"`
	DelayMS int `json:"delay_ms,omitempty"`
}

// An If is what a request must hold, each a part of it; empty fits any.
type If struct {
	Wire   string `json:"wire,omitempty"`   // chat, responses or messages: the whole word
	System string `json:"system,omitempty"` // in the instructions
	User   string `json:"user,omitempty"`   // in the last message of the user
	Tool   string `json:"tool,omitempty"`   // the name of a tool that is offered: the whole word
}

// A Call is the use of a tool.
type Call struct {
	Name      string          `json:"name"`
	Namespace string          `json:"namespace,omitempty"` // of responses: a tool may be one of several under a name
	Input     json.RawMessage `json:"input"`
}

// Read reads a Script in JSON; a field that it does not know is an error.
func Read(r io.Reader) (Script, error) {
	var s Script
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, fmt.Errorf("read script: %v", err)
	}
	for i, r := range s.Replies {
		for _, c := range r.Calls {
			var object map[string]any
			if err := json.Unmarshal(c.Input, &object); err != nil || c.Name == "" {
				return s, fmt.Errorf("read script: reply %d calls %q with %s: want a name and an object", i, c.Name, c.Input)
			}
		}
	}
	return s, nil
}

func (f If) fits(r *Request) bool {
	if f.Wire != "" && f.Wire != r.Wire || !strings.Contains(r.System, f.System) || !strings.Contains(r.User, f.User) {
		return false
	}
	if f.Tool == "" {
		return true
	}
	for _, t := range r.Tools {
		if t == f.Tool {
			return true
		}
	}
	return false
}

func (r Reply) delay() time.Duration { return time.Duration(r.DelayMS) * time.Millisecond }

// choose returns the reply to r and marks it as used.
func (s *Script) choose(used []bool, r *Request) Reply {
	for i, reply := range s.Replies {
		if used[i] || !reply.If.fits(r) {
			continue
		}
		used[i] = !reply.Keep
		return reply
	}
	if s.Otherwise != "" {
		return Reply{Say: s.Otherwise}
	}
	return Reply{Say: "OK."}
}
