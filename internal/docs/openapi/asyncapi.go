package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An Exchange is what is sent or received on one channel of an API of messages: AsyncAPI 2 and 3.
type Exchange struct {
	Action      string // as the file says it: "publish", "subscribe" (2), "send", "receive" (3)
	Channel     string // its address, "orders/{id}"
	ID          string
	Summary     string
	Description string
	Tags        []string
	Params      []Param // of the address
	Messages    []Message
	Reply       []Message // what answers, AsyncAPI 3
	ReplyTo     string    // the address that it is sent to, "" where the file has none
	Line        int
}

// A Message is one of those that an exchange may carry.
type Message struct {
	Name, Description string
	Type              string // "application/json", "" where the file does not say
	Headers, Payload  Schema

	example *node
}

// Example returns a payload that the file gives, or one made of its schema, as JSON.
func (m *Message) Example() string { return example(m.example, m.Payload) }

// exchanges reads a file of AsyncAPI.
func (d *Document) exchanges() error {
	switch all := d.root.at("channels"); {
	case !strings.HasPrefix(d.Version, "2.") && !strings.HasPrefix(d.Version, "3."):
		return fmt.Errorf("the file says version %q of AsyncAPI; 2 and 3 can be read", d.Version)
	case all.kind == list || all.kind == scalar:
		return errors.New("read AsyncAPI: its channels are not an object")
	case len(all.keys) > maxOperations || len(d.root.at("operations").keys) > maxOperations:
		return fmt.Errorf("more than %d channels or operations: cut the file into several", maxOperations)
	case d.old():
		d.exchangesOfChannels(all)
	default:
		d.exchangesOfOperations()
	}
	if servers := d.root.at("servers"); len(servers.keys) > 0 {
		s := d.resolve(servers.at(servers.keys[0]))
		d.Server = s.str("url")
		if host := s.str("host"); host != "" {
			d.Server = cmp.Or(s.str("protocol"), "https") + "://" + host + s.str("pathname")
		}
	}
	return nil
}

// exchangesOfChannels reads version 2, whose channels have their operations.
func (d *Document) exchangesOfChannels(all *node) {
	for _, address := range all.keys {
		channel := d.resolve(all.at(address))
		for _, action := range channel.keys {
			op := channel.at(action)
			if action != "publish" && action != "subscribe" || op.kind != object {
				continue
			}
			e := d.exchange(action, address, channel, op)
			e.ID = op.str("operationId")
			messages := op.at("message", "oneOf").items
			if len(messages) == 0 {
				messages = []*node{op.at("message")}
			}
			e.Messages = d.messages(messages, nil)
			d.Exchanges = append(d.Exchanges, e)
		}
	}
}

// exchangesOfOperations reads version 3, whose operations name their channels.
func (d *Document) exchangesOfOperations() {
	all := d.root.at("operations")
	for _, id := range all.keys {
		op := d.resolve(all.at(id))
		if op.kind != object {
			continue
		}
		channel := d.resolve(op.at("channel"))
		e := d.exchange(op.str("action"), channel.str("address"), channel, op)
		e.ID, e.Line = id, all.at(id).line
		e.Messages = d.messages(carried(op, channel))
		if reply := d.resolve(op.at("reply")); reply.there() {
			to := d.resolve(reply.at("channel"))
			e.Reply = d.messages(carried(reply, to))
			e.ReplyTo = cmp.Or(to.str("address"), d.resolve(reply.at("address")).str("location"))
		}
		d.Exchanges = append(d.Exchanges, e)
	}
}

// carried returns the messages that an operation names, or all those of its channel with their keys there.
func carried(op, channel *node) (all []*node, keys []string) {
	if named := op.at("messages").items; len(named) > 0 {
		return named, nil
	}
	of := channel.at("messages")
	for _, name := range of.keys {
		all = append(all, of.at(name))
	}
	return all, of.keys
}

func (d *Document) exchange(action, address string, channel, op *node) Exchange {
	e := Exchange{Action: action, Channel: address, Summary: cmp.Or(op.str("summary"), op.str("title")), Line: op.line}
	e.Description = cmp.Or(op.str("description"), channel.str("description"), channel.str("summary"))
	for _, t := range op.at("tags").items {
		e.Tags = append(e.Tags, d.resolve(t).str("name"))
	}
	params := channel.at("parameters")
	for _, name := range params.keys {
		p := d.resolve(params.at(name))
		schema := p // version 3 has default and enum in the parameter
		if p.at("schema").there() {
			schema = p.at("schema")
		}
		e.Params = append(e.Params, Param{Name: name, In: "channel", Required: true, Description: p.str("description"), Schema: d.schema(schema)})
	}
	return e
}

// messages reads what a list of messages, or of references to some, stands for. Keys are their names where they have none.
func (d *Document) messages(all []*node, keys []string) (out []Message) {
	for i, one := range all[:min(len(all), maxFields)] {
		n := d.resolve(one)
		if !n.there() {
			continue
		}
		payload := n.at("payload")
		if inner := payload.at("schema"); payload.at("schemaFormat").there() { // version 3, of another form than JSON Schema too
			payload = inner
		}
		key := ""
		if i < len(keys) {
			key = keys[i]
		}
		m := Message{Name: cmp.Or(n.str("name"), Schema{d, one}.Name(), key, n.str("messageId"), n.str("title")), Headers: d.schema(n.at("headers")), Payload: d.schema(payload)}
		m.Description = cmp.Or(n.str("summary"), n.str("description"), n.str("title"))
		m.Type = cmp.Or(n.str("contentType"), d.root.str("defaultContentType"))
		if i := slices.IndexFunc(n.at("examples").items, func(x *node) bool { return x.at("payload").there() }); i >= 0 {
			m.example = n.at("examples").items[i].at("payload")
		}
		out = append(out, m)
	}
	return out
}
