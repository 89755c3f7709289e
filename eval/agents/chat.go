package agents

import "fmt"

// writeChat answers as POST /v1/chat/completions does.
func writeChat(s *stream, r *Request, reply Reply, id string) {
	var calls []any
	for i, c := range reply.Calls {
		calls = append(calls, map[string]any{"index": i, "id": fmt.Sprintf("call_%s_%d", id, i), "type": "function",
			"function": map[string]any{"name": c.Name, "arguments": string(c.Input)}})
	}
	finish := "stop"
	if calls != nil {
		finish = "tool_calls"
	}
	out := tokens(reply.Think + reply.Say)
	usage := map[string]any{"prompt_tokens": input(r, reply), "completion_tokens": out, "total_tokens": input(r, reply) + out}
	frame := func(object string, choice map[string]any) map[string]any {
		return map[string]any{"id": "chatcmpl-" + id, "object": object, "created": 1, "model": r.Model, "choices": []any{choice}}
	}
	if !r.Stream {
		message := map[string]any{"role": "assistant", "content": reply.Say}
		if calls != nil {
			message["tool_calls"] = calls
		}
		whole := frame("chat.completion", map[string]any{"index": 0, "message": message, "finish_reason": finish})
		whole["usage"] = usage
		writeJSON(s.w, whole)
		return
	}
	send := func(delta map[string]any, finish any) {
		s.event("", frame("chat.completion.chunk", map[string]any{"index": 0, "delta": delta, "finish_reason": finish}))
	}
	send(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, p := range pieces(reply.Think) {
		send(map[string]any{"reasoning_content": p}, nil)
	}
	for _, p := range pieces(reply.Say) {
		send(map[string]any{"content": p}, nil)
	}
	for _, c := range calls {
		send(map[string]any{"tool_calls": []any{c}}, nil)
	}
	send(map[string]any{}, finish)
	s.event("", map[string]any{"id": "chatcmpl-" + id, "object": "chat.completion.chunk", "created": 1, "model": r.Model, "choices": []any{}, "usage": usage})
	fmt.Fprint(s.w, "data: [DONE]\n\n")
}
