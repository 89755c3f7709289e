package agents

import (
	"encoding/json"
	"fmt"
)

// writeMessage answers as POST /v1/messages does.
func writeMessage(s *stream, r *Request, reply Reply, id string) {
	stop := "end_turn"
	if len(reply.Calls) > 0 {
		stop = "tool_use"
	}
	var blocks []map[string]any
	if reply.Think != "" {
		blocks = append(blocks, map[string]any{"type": "thinking", "thinking": reply.Think, "signature": "scripted"})
	}
	if reply.Say != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": reply.Say})
	}
	for i, c := range reply.Calls {
		blocks = append(blocks, map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%s_%d", id, i), "name": c.Name, "input": c.Input})
	}
	message := map[string]any{"id": "msg_" + id, "type": "message", "role": "assistant", "model": r.Model, "content": blocks, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": input(r, reply), "output_tokens": tokens(reply.Think + reply.Say), "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}}
	if !r.Stream {
		writeJSON(s.w, message)
		return
	}
	send := func(kind string, v map[string]any) {
		v["type"] = kind
		s.event(kind, v)
	}
	usage := message["usage"]
	message["content"], message["stop_reason"] = []any{}, nil
	send("message_start", map[string]any{"message": message})
	for i, b := range blocks {
		start, deltas := blockDeltas(b)
		send("content_block_start", map[string]any{"index": i, "content_block": start})
		for _, d := range deltas {
			send("content_block_delta", map[string]any{"index": i, "delta": d})
		}
		send("content_block_stop", map[string]any{"index": i})
	}
	send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	send("message_stop", map[string]any{})
}

// blockDeltas returns a block as it is announced and what then fills it.
func blockDeltas(b map[string]any) (start map[string]any, deltas []map[string]any) {
	switch b["type"] {
	case "thinking":
		return map[string]any{"type": "thinking", "thinking": "", "signature": ""}, []map[string]any{
			{"type": "thinking_delta", "thinking": b["thinking"]}, {"type": "signature_delta", "signature": b["signature"]},
		}
	case "text":
		for _, p := range pieces(b["text"].(string)) {
			deltas = append(deltas, map[string]any{"type": "text_delta", "text": p})
		}
		return map[string]any{"type": "text", "text": ""}, deltas
	}
	return map[string]any{"type": "tool_use", "id": b["id"], "name": b["name"], "input": map[string]any{}},
		[]map[string]any{{"type": "input_json_delta", "partial_json": string(b["input"].(json.RawMessage))}}
}
