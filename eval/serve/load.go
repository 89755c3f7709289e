package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	answerTime = 30 * time.Second
	maxAnswer  = 4 << 20
)

// A report is what came of a load.
type report struct {
	sent int
	took []time.Duration // of the answers, sorted
	errs []error
	time time.Duration
}

// at returns the latency that a part of the answers did not pass.
func (r *report) at(part float64) time.Duration {
	if len(r.took) == 0 {
		return 0
	}
	i := min(int(part*float64(len(r.took))), len(r.took)-1)
	return r.took[i].Round(10 * time.Microsecond)
}

// load sends questions at the rate asked for, until their time is over.
func load(ctx context.Context, o options, url string, asked [][]byte) report {
	web := &http.Transport{MaxConnsPerHost: o.conns, MaxIdleConnsPerHost: o.conns, DisableCompression: true}
	defer web.CloseIdleConnections()
	client := &http.Client{Transport: web, Timeout: answerTime}
	n := int(o.time.Seconds() * float64(o.rate))
	due := make(chan int, n) // all of them: one that waits here is late, and counts as that
	began := time.Now()
	at := func(i int) time.Time { return began.Add(time.Duration(i) * time.Second / time.Duration(o.rate)) }
	var mu sync.Mutex
	r := report{}
	var wg sync.WaitGroup
	for range o.conns {
		wg.Go(func() {
			for i := range due {
				err := post(ctx, client, url, asked[i%len(asked)])
				took := time.Since(at(i))
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
	for ; r.sent < n && ctx.Err() == nil; r.sent++ {
		time.Sleep(time.Until(at(r.sent)))
		due <- r.sent
	}
	close(due)
	wg.Wait()
	r.time = time.Since(began)
	slices.Sort(r.took)
	return r
}

// post asks one question. An answer without a snippet is an error.
func post(ctx context.Context, client *http.Client, url string, body []byte) error {
	_, err := exchange(ctx, client, url, body)
	return err
}

// exchange asks one question and returns the answer.
func exchange(ctx context.Context, client *http.Client, url string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte("### ")) || bytes.Contains(answer, []byte(`"isError":true`)) {
		return nil, fmt.Errorf("%d to %s: %.300s", res.StatusCode, body, answer)
	}
	return answer, nil
}
