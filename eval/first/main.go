// First measures the first answer in a tree that has no index: whether a server names the file that it
// names once all of the tree is indexed, and how long that takes.
//
//	go run ./eval/first -assay ./assay -tree DIR -questions FILE
//
// FILE has a question on each line and, behind a tab, the path of the file that answers it, if that is known.
// Each question is asked of a server of its own that has just started, with an empty folder for its index. The
// tree is only read.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

type options struct {
	assay, tree, questions, tool string
}

func main() {
	var o options
	flag.StringVar(&o.assay, "assay", "./assay", "the assay binary")
	flag.StringVar(&o.tree, "tree", "", "folder that is asked about (required)")
	flag.StringVar(&o.questions, "questions", "", "file of questions (required)")
	flag.StringVar(&o.tool, "tool", "hybrid_search", "the tool that is called")
	flag.Parse()
	if o.tree == "" || o.questions == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "first: %v\n", err)
		os.Exit(1)
	}
}

// A question is one line of the file.
type question struct{ query, file string }

func readQuestions(name string) ([]question, error) {
	b, err := os.ReadFile(name)
	var out []question
	for line := range strings.Lines(string(b)) {
		query, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if query != "" {
			out = append(out, question{query, strings.TrimSpace(file)})
		}
	}
	return out, err
}

func run(ctx context.Context, o options, w io.Writer) error {
	questions, err := readQuestions(o.questions)
	if err != nil {
		return err
	}
	if o.assay, err = filepath.Abs(o.assay); err != nil {
		return err
	}
	if o.tree, err = filepath.EvalSymlinks(o.tree); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "first")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	full := filepath.Join(dir, "full")
	index := exec.CommandContext(ctx, o.assay, "index", "--quiet", "--index-dir", full, o.tree)
	index.Stderr = os.Stderr
	if err := index.Run(); err != nil {
		return fmt.Errorf("assay index: %w", err)
	}
	var f figures
	for i, q := range questions {
		fresh := filepath.Join(dir, fmt.Sprint(i))
		first, err := ask(ctx, o, fresh, q.query)
		if err != nil {
			return fmt.Errorf("%s: %w", q.query, err)
		}
		if err := os.RemoveAll(fresh); err != nil {
			return err
		}
		last, err := ask(ctx, o, full, q.query)
		if err != nil {
			return fmt.Errorf("%s: %w", q.query, err)
		}
		if !last.complete {
			return fmt.Errorf("%s: the finished index is not finished", q.query)
		}
		f.add(q, first, last)
		fmt.Fprintf(w, "%5.2f s, %5.2f of processors  %6d files  %-5v  %s\n    first %s\n    last  %s\n",
			first.took.Seconds(), first.cpu.Seconds(), first.read, f.same(), q.query, first.path, last.path)
	}
	f.write(w)
	return nil
}

// An answer is of a server.
type answer struct {
	path     string // of the first hit, below the tree; empty without any
	took     time.Duration
	cpu      time.Duration // of the server until then; 0 where /proc does not say
	read     int           // files that were read; 0: all
	complete bool
}

// figures are those of several questions.
type figures struct {
	n, alike, known, rightFirst, rightLast int
	lastAlike                              bool
	took, cpu                              []time.Duration
}

func (f *figures) add(q question, first, last answer) {
	f.n++
	f.took, f.cpu = append(f.took, first.took), append(f.cpu, first.cpu)
	if f.lastAlike = first.path == last.path; f.lastAlike {
		f.alike++
	}
	if q.file == "" {
		return
	}
	f.known++
	if first.path == q.file {
		f.rightFirst++
	}
	if last.path == q.file {
		f.rightLast++
	}
}

func (f *figures) same() string {
	if f.lastAlike {
		return "same"
	}
	return "other"
}

func (f *figures) write(w io.Writer) {
	if f.n == 0 {
		return
	}
	slices.Sort(f.took)
	slices.Sort(f.cpu)
	fmt.Fprintf(w, "first file as with the whole index: %d of %d", f.alike, f.n)
	if f.known > 0 {
		fmt.Fprintf(w, "; the right file first: %d of %d, with the whole index %d", f.rightFirst, f.known, f.rightLast)
	}
	fmt.Fprintf(w, "; seconds to the answer: median %.2f, most %.2f; of processors until then: median %.2f, most %.2f\n",
		f.took[f.n/2].Seconds(), f.took[f.n-1].Seconds(), f.cpu[f.n/2].Seconds(), f.cpu[f.n-1].Seconds())
}

// cpuOf returns the processor time of a process, as Linux tells it.
func cpuOf(pid int) time.Duration {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// ask starts a server in the tree and asks it a question.
func ask(ctx context.Context, o options, index, query string) (a answer, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, o.assay, "serve")
	cmd.Dir, cmd.Env = o.tree, append(os.Environ(), "ASSAY_INDEX_DIR="+index)
	in, err := cmd.StdinPipe()
	if err != nil {
		return a, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return a, err
	}
	if err := cmd.Start(); err != nil {
		return a, err
	}
	defer func() {
		stop()
		_ = cmd.Wait() // it was ended
	}()
	c := caller{in: in, out: bufio.NewReader(out)}
	client := map[string]any{"name": "first", "version": "1"}
	hello := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": client}
	if _, err := c.call("initialize", hello); err != nil {
		return a, err
	}
	if err := c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return a, err
	}
	start := time.Now()
	raw, err := c.call("tools/call", map[string]any{"name": o.tool, "arguments": map[string]any{"query": query, "threshold": 0}})
	a.took, a.cpu = time.Since(start), cpuOf(cmd.Process.Pid)
	if err != nil {
		return a, err
	}
	return a, a.fill(raw, o.tree)
}

// fill reads the result of a search.
func (a *answer) fill(raw json.RawMessage, tree string) error {
	var r struct {
		Structured struct {
			Hits []struct {
				Path string `json:"path"`
			} `json:"hits"`
			Complete bool `json:"complete"`
			Indexing struct {
				Done int `json:"done"`
			} `json:"indexing"`
		} `json:"structuredContent"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return err
	}
	a.complete, a.read = r.Structured.Complete, r.Structured.Indexing.Done
	if len(r.Structured.Hits) == 0 {
		return nil
	}
	rel, err := filepath.Rel(tree, r.Structured.Hits[0].Path)
	a.path = filepath.ToSlash(rel)
	return err
}

// A caller speaks JSON-RPC, one message a line.
type caller struct {
	in  io.Writer
	out *bufio.Reader
	id  int
}

func (c *caller) send(message any) error {
	b, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(b, '\n'))
	return err
}

// call sends a request and returns its result.
func (c *caller) call(method string, params any) (json.RawMessage, error) {
	c.id++
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &m); err != nil || m.ID != c.id {
			continue // a notification, or a request to the client
		}
		if m.Error != nil {
			return nil, errors.New(string(m.Error))
		}
		return m.Result, nil
	}
}
