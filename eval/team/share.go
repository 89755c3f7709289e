package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-dev/assay/internal/code/bucket/buckettest"
)

// A shared is what push and pull say of themselves.
type shared struct {
	Segments, Objects, Files, Changed int
	Bytes                             int64
	Moved                             int64 `json:"moved_bytes"`
}

// sharing measures an index that one checkout pushes and another pulls.
func sharing(ctx context.Context, o options, to io.Writer) error {
	one, two := filepath.Join(o.work, "one"), filepath.Join(o.work, "two")
	files, size, _, err := copyTree(o.tree, one)
	if err != nil {
		return err
	}
	if _, _, _, err := copyTree(o.tree, two); err != nil {
		return err
	}
	var end ending
	s := buckettest.New(&end)
	defer end.now()
	env := []string{"AWS_ENDPOINT_URL_S3=" + s.URL, "AWS_ACCESS_KEY_ID=" + buckettest.Access, "AWS_SECRET_ACCESS_KEY=" + buckettest.Secret, "AWS_REGION=" + buckettest.Region}
	url := "s3://" + buckettest.Bucket + "/tree"
	fmt.Fprintf(to, "tree      %d files, %.1f MB\n", files, float64(size)/1e6)
	step := func(name, dir string, args ...string) error {
		began := time.Now()
		out, err := program(ctx, o, env, dir, append(args, "--json")...)
		if err != nil {
			return err
		}
		took := time.Since(began)
		var r shared
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			return fmt.Errorf("%s: %w: %s", name, err, out)
		}
		if name == "index" {
			fmt.Fprintf(to, "index     %.2f s, of %d files\n", took.Seconds(), r.Files)
			return nil
		}
		fmt.Fprintf(to, "%-9s %.2f s; %d objects moved, %.1f of %.1f MB; %d of %d files read and cut\n", name, took.Seconds(), r.Objects, float64(r.Moved)/1e6, float64(r.Bytes)/1e6, r.Changed, r.Files)
		return nil
	}
	for _, s := range []struct {
		name, dir string
		args      []string
	}{
		{"index", one, []string{"index", "--root", one}},
		{"push", one, []string{"index", "push", url, "--root", one}},
		{"pull", two, []string{"index", "pull", url, "--root", two}},
		{"again", two, []string{"index", "pull", url, "--root", two}},
	} {
		if err := step(s.name, s.dir, s.args...); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(one, "changed.go"), []byte("package changed\n\nfunc Changed() {}\n"), 0o644); err != nil {
		return err
	}
	if err := step("push", one, "index", "push", url, "--root", one); err != nil {
		return err
	}
	return step("pull", two, "index", "pull", url, "--root", two)
}

// An ending is what is done at the end.
type ending []func()

func (e *ending) Cleanup(end func()) { *e = append(*e, end) }

func (e *ending) now() {
	for _, end := range *e {
		end()
	}
}
