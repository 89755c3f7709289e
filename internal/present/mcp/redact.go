package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/assay-dev/assay/internal/base/record"
	"github.com/assay-dev/assay/internal/base/redact"
)

// withheld is what a model is told in place of secrets: it would keep and repeat them.
const withheld = "note: secrets are withheld here as [redacted:KIND]; the command line shows them\n"

// redacted takes the secrets out of the strings of a JSON document and leaves every
// other byte as it is. Names of members and cursors, which look like keys, stay.
func redacted(data []byte) (out []byte, n int) {
	at, after := 0, "" // after: the name of the member whose value comes next
	for i := 0; i < len(data); {
		if data[i] != '"' {
			i++
			continue
		}
		end := i + 1
		for end < len(data) && data[end] != '"' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(data))
		literal := data[i:end]
		i = end
		var s string
		if json.Unmarshal(literal, &s) != nil {
			continue
		}
		if rest := bytes.TrimLeft(data[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			after = s
			continue
		}
		name := after
		if after = ""; name == "cursor" {
			continue
		}
		clean, k := redact.Text([]byte(s))
		if k == 0 {
			continue
		}
		text, err := record.Marshal(string(clean))
		if err != nil {
			continue
		}
		n += k
		out = append(append(out, data[at:end-len(literal)]...), text...)
		at = end
	}
	if n == 0 {
		return data, 0
	}
	return append(out, data[at:]...), n
}
