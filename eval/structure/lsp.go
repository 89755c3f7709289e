package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A server is a language server that is asked over its standard streams.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// A location is a place as a language server says it, lines and columns from 0.
type location struct {
	URI   string `json:"uri"`
	Range struct {
		Start struct {
			Line      int `json:"line"`
			Character int `json:"character"`
		} `json:"start"`
	} `json:"range"`
}

func fileURI(root, rel string) string {
	return (&url.URL{Scheme: "file", Path: filepath.Join(root, rel)}).String()
}

// startServer starts a language server for a folder.
func startServer(command, root string) (*server, error) {
	args := strings.Fields(command)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Stderr = root, io.Discard
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, in: in, out: bufio.NewReader(out)}
	folder := fileURI(root, "")
	_, err = s.call("initialize", map[string]any{"processId": os.Getpid(), "rootUri": folder, "capabilities": map[string]any{},
		"workspaceFolders": []map[string]any{{"uri": folder, "name": "root"}}})
	if err == nil {
		err = s.send(map[string]any{"jsonrpc": "2.0", "method": "initialized", "params": map[string]any{}})
	}
	return s, err
}

func (s *server) stop() {
	_ = s.in.Close()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

func (s *server) send(message map[string]any) error {
	raw, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(raw), raw)
	return err
}

// open tells the server of a file.
func (s *server) open(root, rel, language string) error {
	text, err := os.ReadFile(filepath.Join(root, rel))
	if err != nil {
		return err
	}
	return s.send(map[string]any{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": map[string]any{
		"textDocument": map[string]any{"uri": fileURI(root, rel), "languageId": language, "version": 1, "text": string(text)}}})
}

// references asks where that is used which stands at a place, its declaration included.
func (s *server) references(root, rel string, line, column int) ([]location, error) {
	raw, err := s.call("textDocument/references", map[string]any{"textDocument": map[string]any{"uri": fileURI(root, rel)},
		"position": map[string]any{"line": line, "character": column}, "context": map[string]any{"includeDeclaration": true}})
	if err != nil {
		return nil, err
	}
	var out []location
	return out, json.Unmarshal(raw, &out)
}

// call sends a request and reads up to its answer. What the server asks meanwhile gets null.
func (s *server) call(method string, params any) (json.RawMessage, error) {
	s.id++
	id := s.id
	if err := s.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := s.read(&m); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			var answer any
			if m.Method == "workspace/configuration" {
				var asked struct{ Items []any }
				_ = json.Unmarshal(m.Params, &asked) // of none there is none
				answer = make([]any, len(asked.Items))
			}
			if err := s.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": answer}); err != nil {
				return nil, err
			}
		case string(m.ID) == fmt.Sprint(id):
			if m.Error != nil {
				return nil, fmt.Errorf("%s: %s", method, m.Error)
			}
			return m.Result, nil
		}
	}
}

func (s *server) read(into any) error {
	length := 0
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			return err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if _, err := fmt.Sscanf(line, "Content-Length: %d", &length); err != nil && strings.HasPrefix(line, "Content-Length") {
			return err
		}
	}
	raw := make([]byte, length)
	if _, err := io.ReadFull(s.out, raw); err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}
