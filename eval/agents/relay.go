package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

// A relay passes messages between an agent and assay's MCP server, one a line, and records the calls of tools.
type relay struct {
	looker
	out     *safe.Root
	mu      sync.Mutex
	toAgent io.Writer
	open    map[string]call // calls without an answer, by the ID of the request
	began   map[string]time.Time
	used    int
}

// A message is the part of JSON-RPC that a relay reads.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
	Result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error struct {
		Message string `json:"message"`
	} `json:"error"`
}

// runRelay serves an agent that was given the MCP server.
func runRelay(ctx context.Context, args []string, w io.Writer) error {
	r := relay{toAgent: w, open: map[string]call{}, began: map[string]time.Time{}}
	_, err := r.parse("relay", args)
	if err != nil {
		return err
	}
	if r.out, err = safe.OutputFolder(r.outDir, 0o755); err != nil {
		return err
	}
	defer r.out.Close()
	if r.used, err = r.callsUsed(r.out); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, r.assay, "serve", "--root", r.tree)
	cmd.Dir, cmd.Stderr = r.tree, os.Stderr
	if cmd.Env, err = cleanEnv(r.dir); err != nil {
		return err
	}
	toServer, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	fromServer, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	requests := make(chan error, 1)
	go func() {
		requests <- errors.Join(eachLine(os.Stdin, func(line []byte) error { return r.request(line, toServer) }), toServer.Close())
	}()
	answered := eachLine(fromServer, r.respond)
	ended := cmd.Wait()
	select {
	case err = <-requests:
	default: // the agent is still there, but the server is not
	}
	return errors.Join(answered, ended, err)
}

func eachLine(in io.Reader, do func(line []byte) error) error {
	for buffered := bufio.NewReader(in); ; {
		line, err := buffered.ReadBytes('\n')
		if len(line) > 0 {
			if err := do(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// request passes a message of the agent on, unless it is one call too many.
func (r *relay) request(line []byte, toServer io.Writer) error {
	var m message
	if json.Unmarshal(line, &m) != nil || m.Method != "tools/call" {
		_, err := toServer.Write(line)
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c := call{Arm: r.arm, Task: r.task.ID, Run: r.run, Args: []string{m.Params.Name, string(m.Params.Arguments)}}
	if r.used >= maxCalls {
		c.Refused = fmt.Sprintf("all %d calls of the task are used: write the answer", maxCalls)
		if err := appendRun(r.out, callsFile, c); err != nil {
			return err
		}
		return json.NewEncoder(r.toAgent).Encode(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": map[string]any{
			"isError": true, "content": []any{map[string]any{"type": "text", "text": c.Refused}}}})
	}
	r.used++
	c.Calls = 1
	r.open[string(m.ID)], r.began[string(m.ID)] = c, time.Now()
	_, err := toServer.Write(line)
	return err
}

// respond passes a message of the server on, and records the call that it answers.
func (r *relay) respond(line []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var m message
	if json.Unmarshal(line, &m) == nil && m.Method == "" {
		if c, ok := r.open[string(m.ID)]; ok {
			delete(r.open, string(m.ID))
			c.Bytes = len(m.Error.Message)
			for _, part := range m.Result.Content {
				c.Bytes += len(part.Text)
			}
			c.Millis = time.Since(r.began[string(m.ID)]).Milliseconds()
			if err := appendRun(r.out, callsFile, c); err != nil {
				return err
			}
		}
	}
	_, err := r.toAgent.Write(line)
	return err
}
