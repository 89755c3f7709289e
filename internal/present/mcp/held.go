package mcp

import (
	"bytes"
	"crypto/rand"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/base/codec"
)

// The SDK writes an answer as JSON once and goes over that four times more, each time copying
// it: for the text, the result, the response, the message and the stream. Of a text of some thousand
// bytes a short name goes through it, and the text takes its place as the response is written.

// minHeld is how long a text has to be.
const minHeld = 512

// heldTexts are those of one HTTP request, which may have several calls. It is safe for concurrent use.
type heldTexts struct {
	mu    sync.Mutex
	names string // what the names begin with: nobody can say it beforehand
	texts []string
}

// hold takes the long texts out of a result.
func (h *heldTexts) hold(res *mcp.CallToolResult) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, c := range res.Content {
		t, ok := c.(*mcp.TextContent)
		if !ok || len(t.Text) < minHeld {
			continue
		}
		if h.names == "" {
			h.names = "assay:held:" + rand.Text() + ":"
		}
		held := *t
		held.Text = h.names + strconv.Itoa(len(h.texts)) + ":"
		h.texts = append(h.texts, t.Text)
		res.Content[i] = &held
	}
}

// restore returns what the SDK wrote with the texts in their places, and whether there were any.
func (h *heldTexts) restore(data []byte) (whole []byte, held bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.names == "" {
		return data, false
	}
	for i, s := range h.texts {
		before, after, ok := bytes.Cut(data, []byte(`"`+h.names+strconv.Itoa(i)+`:"`))
		if !ok {
			continue
		}
		text, err := codec.Marshal(s)
		if err != nil { // of a string there is none
			continue
		}
		whole = make([]byte, 0, len(before)+len(text)+len(after))
		whole = append(append(append(whole, before...), text...), after...)
		data, held = whole, true
	}
	return data, held
}
