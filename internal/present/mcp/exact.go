package mcp

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The SDK reads an id as a float64 and makes an int64 of it, so that
// 12345678901234567890 and 1.5 would be answered under ids that no client has. Such an
// id, and a token of progress, goes through the SDK as a string, from which the bytes
// that came are restored in the answer.

// exactly begins the string that an id is replaced by; the rest is the id in hexadecimal.
const exactly = "assay:exact:"

// safeInteger is the largest integer up to which a float64 has them all.
const safeInteger = 1 << 53

// lossy reports whether the SDK would not give the same id back.
func lossy(id json.RawMessage) bool {
	switch {
	case len(id) == 0:
		return false
	case id[0] == '"':
		var s string
		return json.Unmarshal(id, &s) != nil || strings.ContainsRune(s, utf8.RuneError) || strings.HasPrefix(s, exactly)
	case id[0] == '-' || id[0] >= '0' && id[0] <= '9':
		n, err := strconv.ParseInt(string(id), 10, 64)
		return err != nil || n > safeInteger || n < -safeInteger || strconv.FormatInt(n, 10) != string(id)
	}
	return false // it is refused
}

// keepIDs returns a message, or each of a batch, with its ids in a form that survives the SDK. A request
// whose id is null would be taken for a notification, and its client wait for ever.
func keepIDs(raw []byte) ([]byte, *jsonrpc.Error) {
	if batch, ok := many(raw); ok {
		for i := range batch {
			var wrong *jsonrpc.Error
			if batch[i], wrong = keepIDs(batch[i]); wrong != nil {
				return nil, wrong
			}
		}
		return joined(batch), nil
	}
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if malformed := json.Unmarshal(raw, &head); malformed != nil {
		return raw, nil //nolint:nilerr // the reader of messages says what is wrong with it
	}
	if head.Method != "" && string(head.ID) == "null" && !strings.HasPrefix(head.Method, "notifications/") {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid Request: the id of a request is a string or a number, not null"}
	}
	const cancelled = "notifications/cancelled"
	if !lossy(head.ID) && head.Method != cancelled && !bytes.Contains(raw, []byte("progressToken")) {
		return raw, nil // as nearly all are: a large message is not copied
	}
	msg, ok := members(raw)
	if !ok {
		return raw, nil
	}
	changed := keep(msg, "id")
	if params, ok := members(msg["params"]); ok {
		deep := head.Method == cancelled && keep(params, "requestId")
		if meta, ok := members(params["_meta"]); ok && keep(meta, "progressToken") {
			deep = set(params, "_meta", meta)
		}
		changed = deep && set(msg, "params", params) || changed
	}
	if !changed {
		return raw, nil
	}
	if out, err := json.Marshal(msg); err == nil { // it was just read
		raw = out
	}
	return raw, nil
}

// many returns the messages of a batch.
func many(raw []byte) (batch []json.RawMessage, ok bool) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return batch, len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &batch) == nil
}

func joined(batch []json.RawMessage) []byte {
	out := []byte("[")
	for i, m := range batch {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m...)
	}
	return append(out, ']')
}

func members(raw json.RawMessage) (m map[string]json.RawMessage, ok bool) {
	return m, len(raw) > 0 && raw[0] == '{' && json.Unmarshal(raw, &m) == nil
}

// keep replaces a value that would not survive, and reports whether it did.
func keep(in map[string]json.RawMessage, key string) bool {
	if !lossy(in[key]) {
		return false
	}
	in[key] = json.RawMessage(`"` + exactly + hex.EncodeToString(in[key]) + `"`)
	return true
}

func set(in map[string]json.RawMessage, key string, value map[string]json.RawMessage) bool {
	data, err := json.Marshal(value)
	if err == nil {
		in[key] = data
	}
	return err == nil
}

// restoreIDs puts the bytes that came back into a message that the SDK wrote. It looks
// only at its beginning, where nothing that is from a file can be.
func restoreIDs(data []byte) []byte {
	if !bytes.Contains(data, []byte(exactly)) {
		return data
	}
	if batch, ok := many(data); ok {
		for i := range batch {
			batch[i] = restoreIDs(batch[i])
		}
		return joined(batch)
	}
	start := bytes.Index(data, []byte(`{"jsonrpc":"2.0",`))
	if start < 0 {
		return data
	}
	for _, before := range []string{`{"jsonrpc":"2.0","id":`, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`} {
		rest, ok := bytes.CutPrefix(data[start:], []byte(before+`"`+exactly))
		if !ok {
			continue
		}
		end := bytes.IndexByte(rest, '"')
		if end < 0 {
			return data
		}
		id, err := hex.DecodeString(string(rest[:end]))
		if err != nil {
			return data
		}
		return bytes.Join([][]byte{data[:start], []byte(before), id, rest[end+1:]}, nil)
	}
	return data
}
