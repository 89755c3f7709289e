package openapi

import (
	"fmt"
	"strings"
	"testing"
)

const lightsOf2 = `asyncapi: 2.6.0
info: {title: Lights}
defaultContentType: application/json
servers: {production: {url: 'broker.example.com:{port}', protocol: mqtt}}
channels:
  light/{id}/measured:
    description: what was measured
    parameters: {id: {$ref: '#/components/parameters/id'}}
    publish:
      operationId: receiveMeasured
      summary: Tell a brightness
      tags: [{name: lights}]
      message: {$ref: '#/components/messages/measured'}
    bindings: {mqtt: {}}
  light/{id}/set:
    subscribe: {message: {oneOf: [{name: on, payload: {type: boolean}}, {$ref: '#/components/messages/measured'}, {$ref: '#/gone'}]}}
components:
  parameters: {id: {description: the light, schema: {type: string}}}
  messages:
    measured: {summary: a brightness, headers: {type: object, properties: {app: {type: integer}}}, payload: {$ref: '#/components/schemas/lumens'}, examples: [{name: none}, {payload: {lumens: 7}}]}
  schemas: {lumens: {type: object, required: [lumens], properties: {lumens: {type: integer}}}}
`

const lightsOf3 = `asyncapi: 3.0.0
info: {title: Lights}
servers: {production: {host: 'broker.example.com', protocol: mqtt, pathname: /v1}}
channels:
  measured:
    address: light/{id}/measured
    parameters: {id: {description: the light, enum: [a, b]}}
    messages: {lumens: {contentType: application/json, payload: {schemaFormat: application/schema+json, schema: {type: object, properties: {lumens: {type: integer}}}}}, other: {payload: {type: string}}}
  answers: {address: answers, messages: {done: {payload: {type: boolean}}}}
operations:
  receiveMeasured:
    action: receive
    title: Tell a brightness
    channel: {$ref: '#/channels/measured'}
    messages: [{$ref: '#/channels/measured/messages/lumens'}]
    reply: {channel: {$ref: '#/channels/answers'}}
  receiveAll: {action: receive, channel: {$ref: '#/channels/measured'}}
`

func TestExchanges(t *testing.T) {
	names := func(all []Message) (out string) {
		for i := range all {
			out += fmt.Sprintf("%s %s %s; ", all[i].Name, all[i].Type, all[i].Example())
		}
		return out
	}
	for _, c := range []struct{ name, file, server, want string }{
		{"version 2", lightsOf2, "broker.example.com:{port}", `publish light/{id}/measured receiveMeasured "Tell a brightness" [lights] 9: [id] measured application/json {"lumens": 7}; -> 
subscribe light/{id}/set  "" [] 16: [] on application/json true; measured application/json {"lumens": 7}; -> 
`},
		{"version 3", lightsOf3, "mqtt://broker.example.com/v1", `receive light/{id}/measured receiveMeasured "Tell a brightness" [] 11: [id] lumens application/json {"lumens": 1}; -> answers done  true; 
receive light/{id}/measured receiveAll "" [] 17: [id] lumens application/json {"lumens": 1}; other  "text"; -> 
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Read([]byte(c.file))
			if err != nil || d.Title != "Lights" || d.Server != c.server || !Is([]byte(c.file)) {
				t.Fatal(d, err)
			}
			got := ""
			for _, x := range d.Exchanges {
				params := []string{}
				for _, p := range x.Params {
					params = append(params, p.Name)
				}
				got += fmt.Sprintf("%s %s %s %q %v %d: %v %s-> %s %s\n", x.Action, x.Channel, x.ID, x.Summary, x.Tags, x.Line, params, names(x.Messages), x.ReplyTo, names(x.Reply))
			}
			got = strings.ReplaceAll(got, "->  \n", "-> \n")
			if got != c.want {
				t.Errorf("it reads\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A file that is no description of messages is told apart from one that has none.
func TestExchangesRefused(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"version 1", "asyncapi: 1.2.0\ntopics: {}\n", `the file says version "1.2.0" of AsyncAPI; 2 and 3 can be read`},
		{"channels as a list", "asyncapi: 2.0.0\nchannels: [a]\n", "read AsyncAPI: its channels are not an object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Read([]byte(c.file)); err == nil || err.Error() != c.want {
				t.Errorf("it says %v", err)
			}
		})
	}
	if d, err := Read([]byte("asyncapi: 3.0.0\noperations: {a: {channel: {$ref: '#/operations/a'}}, b: text}\nchannels: {}\n")); err != nil || len(d.Exchanges) != 1 || d.Exchanges[0].Messages != nil {
		t.Errorf("%+v, %v", d, err)
	}
}
