package apidoc

import (
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/openapi"
)

// exchangeEntry is the entry of what is sent or received on a channel of an API of messages.
func exchangeEntry(d *openapi.Document, x *openapi.Exchange, title string) Entry {
	head := x.Action + " " + x.Channel
	e := entryOf(head, x.Summary, x.Tags, x.Line, title)
	add := func(kind markup.Kind, lang, text string) {
		if text != "" {
			e.Blocks = append(e.Blocks, markup.Block{Kind: kind, Lang: lang, Text: text, Line: x.Line})
		}
	}
	if d.Server != "" {
		head += "\nserver " + d.Server
	}
	add(markup.Code, "text", head)
	if x.ID != "" {
		add(markup.Prose, "", fmt.Sprintf("Operation `%s`.", x.ID))
	}
	e.Blocks = append(e.Blocks, described(x.Description, x.Line)...)
	add(markup.Prose, "", paramsOf(x.Params))
	for _, m := range x.Messages {
		add(markup.Prose, "", messageSaid("Message", &m))
		if s := m.Example(); s != "{}" && len(s) < maxSaid {
			add(markup.Code, "json", s)
		}
	}
	if x.ReplyTo != "" {
		add(markup.Prose, "", "The reply is sent to `"+x.ReplyTo+"`.")
	}
	for _, m := range x.Reply {
		add(markup.Prose, "", messageSaid("Reply", &m))
	}
	return e
}

// messageSaid tells the name, the headers and the fields of a message.
func messageSaid(kind string, m *openapi.Message) string {
	head := kind + " `" + m.Name + "`"
	if m.Name == "" {
		head = kind
	}
	if m.Type != "" {
		head += " (" + m.Type + ")"
	}
	head += named(m.Payload)
	if s := phrase(m.Description); s != "" {
		head += ": " + s
	}
	lines := append([]string{head}, most(fieldsOf(m.Payload, "", nil))...)
	if headers := fieldsOf(m.Headers, "", nil); len(headers) > 0 {
		lines = append(append(lines, "Headers:"), most(headers)...)
	}
	return strings.Join(lines, "\n")
}
