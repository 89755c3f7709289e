package agents

import "fmt"

// writeResponse answers as POST /v1/responses does.
func writeResponse(s *stream, r *Request, reply Reply, id string) {
	out := tokens(reply.Think + reply.Say)
	whole := map[string]any{
		"id": "resp_" + id, "object": "response", "created_at": 1, "status": "completed", "model": r.Model,
		"usage": map[string]any{
			"input_tokens": input(r, reply), "input_tokens_details": map[string]any{"cached_tokens": 0},
			"output_tokens": out, "output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": input(r, reply) + out,
		},
	}
	items := responseItems(reply, id)
	if !r.Stream {
		whole["output"] = items
		writeJSON(s.w, whole)
		return
	}
	n := 0
	send := func(kind string, v map[string]any) {
		v["type"], v["sequence_number"] = kind, n
		n++
		s.event(kind, v)
	}
	send("response.created", map[string]any{"response": map[string]any{"id": "resp_" + id, "object": "response", "created_at": 1, "status": "in_progress", "model": r.Model, "output": []any{}}})
	for i, item := range items {
		send("response.output_item.added", map[string]any{"output_index": i, "item": begun(item)})
		switch item["type"] {
		case "message":
			part := map[string]any{"type": "output_text", "text": "", "annotations": []any{}}
			at := func(v map[string]any) map[string]any {
				v["item_id"], v["output_index"], v["content_index"] = item["id"], i, 0
				return v
			}
			send("response.content_part.added", at(map[string]any{"part": part}))
			for _, p := range pieces(reply.Say) {
				send("response.output_text.delta", at(map[string]any{"delta": p}))
			}
			send("response.output_text.done", at(map[string]any{"text": reply.Say}))
			send("response.content_part.done", at(map[string]any{"part": map[string]any{"type": "output_text", "text": reply.Say, "annotations": []any{}}}))
		case "reasoning":
			at := func(v map[string]any) map[string]any {
				v["item_id"], v["output_index"], v["summary_index"] = item["id"], i, 0
				return v
			}
			send("response.reasoning_summary_part.added", at(map[string]any{"part": map[string]any{"type": "summary_text", "text": ""}}))
			send("response.reasoning_summary_text.delta", at(map[string]any{"delta": reply.Think}))
			send("response.reasoning_summary_text.done", at(map[string]any{"text": reply.Think}))
			send("response.reasoning_summary_part.done", at(map[string]any{"part": map[string]any{"type": "summary_text", "text": reply.Think}}))
		case "function_call":
			send("response.function_call_arguments.delta", map[string]any{"item_id": item["id"], "output_index": i, "delta": item["arguments"]})
			send("response.function_call_arguments.done", map[string]any{"item_id": item["id"], "output_index": i, "arguments": item["arguments"]})
		}
		send("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	whole["output"] = items
	send("response.completed", map[string]any{"response": whole})
}

// responseItems returns the reply as the items of a response.
func responseItems(reply Reply, id string) (items []map[string]any) {
	if reply.Think != "" {
		items = append(items, map[string]any{"type": "reasoning", "id": "rs_" + id, "summary": []any{map[string]any{"type": "summary_text", "text": reply.Think}}})
	}
	if reply.Say != "" {
		items = append(items, map[string]any{"type": "message", "id": "msg_" + id, "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": reply.Say, "annotations": []any{}}}})
	}
	for i, c := range reply.Calls {
		item := map[string]any{"type": "function_call", "id": fmt.Sprintf("fc_%s_%d", id, i), "call_id": fmt.Sprintf("call_%s_%d", id, i),
			"name": c.Name, "arguments": string(c.Input), "status": "completed"}
		if c.Namespace != "" {
			item["namespace"] = c.Namespace
		}
		items = append(items, item)
	}
	return items
}

// begun returns an item as it is announced: without what it will hold.
func begun(item map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range item {
		out[k] = v
	}
	switch item["type"] {
	case "message":
		out["content"], out["status"] = []any{}, "in_progress"
	case "reasoning":
		out["summary"] = []any{}
	case "function_call":
		out["arguments"], out["status"] = "", "in_progress"
	}
	return out
}
