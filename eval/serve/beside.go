package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/eval/served"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rounds are how often each server is asked in turn: what else the machine does falls on both.
const rounds = 5

// beside asks assay and a trivial server of the same SDK in turn, each from o.clients clients that ask
// again as soon as they are answered, and prints what both do a second and what a request costs them.
func beside(ctx context.Context, o options, asked [][]byte, to io.Writer) error {
	ours, err := start(ctx, o.assay, o.db)
	if err != nil {
		return err
	}
	answers, err := record(ctx, ours.URL, asked[:min(len(asked), 500)])
	if err != nil {
		return errors.Join(err, ours.Kill())
	}
	file := filepath.Join(o.work, "answers.json")
	data, err := json.Marshal(answers)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	var theirs *served.Server
	if err == nil {
		var self string
		if self, err = os.Executable(); err == nil {
			theirs, err = served.Start(exec.CommandContext(ctx, self, "-trivial", file), "http")
		}
	}
	if err != nil {
		return errors.Join(err, ours.Kill())
	}
	var rates [2][]float64
	var all [2]report
	var before [2]time.Duration
	for i, s := range []*served.Server{ours, theirs} { // a server has been asked before
		all[i] = crowd(ctx, o.clients, time.Hour, len(asked), s.URL, asked)
		all[i].took, before[i] = nil, s.CPU()
	}
	for range rounds {
		for i, s := range []*served.Server{ours, theirs} {
			r := crowd(ctx, o.clients, o.time/rounds, math.MaxInt, s.URL, asked)
			rates[i] = append(rates[i], float64(len(r.took))/r.time.Seconds())
			all[i].took = append(all[i].took, r.took...)
			all[i].errs = append(all[i].errs, r.errs...)
		}
	}
	fmt.Fprintf(to, "load      %d clients, each asks again when it is answered; %d different questions; %d rounds of %v in turn; answers of %d bytes\n", o.clients, len(asked), rounds, o.time/rounds, mean(answers))
	for i, s := range []*served.Server{ours, theirs} {
		name := []string{"assay", "trivial"}[i]
		peak := s.Memory()
		cpu := s.CPU() - before[i]
		if _, err := s.Stop(); err != nil {
			return fmt.Errorf("the server %s: %w", name, err)
		}
		r := &all[i]
		slices.Sort(r.took)
		slices.Sort(rates[i])
		fmt.Fprintf(to, "%-9s %.0f a second (%.0f to %.0f), p50 %v  p99 %v, CPU %.2f ms a request, %d MiB, %d errors\n", name, rates[i][rounds/2], rates[i][0], rates[i][rounds-1],
			r.at(.5), r.at(.99), 1000*cpu.Seconds()/float64(max(1, len(r.took))), peak.RSS>>20, len(r.errs))
		if len(r.errs) > 0 || len(r.took) == 0 {
			return fmt.Errorf("%s: %v", name, errors.Join(r.errs...))
		}
	}
	part := rates[0][rounds/2] / rates[1][rounds/2]
	tail := float64(all[0].at(.99)) / float64(all[0].at(.5))
	verdict := "met"
	if part < .5 || tail > 3 {
		verdict = "missed"
	}
	fmt.Fprintf(to, "aims      half of the trivial server's rate: %.2f; p99 at most 3 times p50: %.1f; %s\n", part, tail, verdict)
	if verdict == "missed" {
		return errMissed
	}
	return nil
}

// crowd asks from n clients until the time is over or so many questions have been asked.
func crowd(ctx context.Context, n int, long time.Duration, most int, url string, asked [][]byte) report {
	web := &http.Transport{MaxConnsPerHost: n, MaxIdleConnsPerHost: n, DisableCompression: true}
	defer web.CloseIdleConnections()
	client := &http.Client{Transport: web, Timeout: answerTime}
	var next atomic.Int64
	var mu sync.Mutex
	var r report
	began := time.Now()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for ctx.Err() == nil && time.Since(began) < long {
				at := int(next.Add(1))
				if at > most {
					return
				}
				sent := time.Now()
				err := post(ctx, client, url, asked[at%len(asked)])
				took := time.Since(sent)
				mu.Lock()
				if err != nil {
					r.errs = append(r.errs, err)
				} else {
					r.took = append(r.took, took)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	r.time = time.Since(began)
	slices.Sort(r.took)
	return r
}

// record returns the texts that a server answers with.
func record(ctx context.Context, url string, asked [][]byte) (answers []string, err error) {
	for _, body := range asked {
		answer, err := exchange(ctx, http.DefaultClient, url, body)
		if err != nil {
			return nil, err
		}
		var read struct {
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(answer, &read); err != nil || len(read.Result.Content) == 0 {
			return nil, fmt.Errorf("%s to %s: %w", answer, body, err)
		}
		answers = append(answers, read.Result.Content[0].Text)
	}
	return answers, nil
}

func mean(answers []string) int {
	return len(strings.Join(answers, "")) / max(1, len(answers))
}

// trivial serves the texts of a file in turn, whatever is asked, as a server that is written in an
// afternoon does: the SDK's own handler, without sessions, with JSON answers.
func trivial(ctx context.Context, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var answers []string
	if err := json.Unmarshal(data, &answers); err != nil || len(answers) == 0 {
		return fmt.Errorf("%s has no answers: %w", file, err)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "trivial", Version: "1"}, nil)
	var next atomic.Int64
	s.AddTool(&mcp.Tool{Name: "query-docs", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: answers[int(next.Add(1))%len(answers)]}}}, nil
	})
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "trivial: listening on %s, this machine only\n", l.Addr())
	web := &http.Server{ReadHeaderTimeout: answerTime, Handler: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})}
	go func() {
		<-ctx.Done()
		_ = web.Close() // it is over
	}()
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
