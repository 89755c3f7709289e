package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
)

type options struct {
	mirrors, changes, data string
	read                   string
	out, work              string
	most                   int
	only                   []string
}

func main() {
	var o options
	flag.StringVar(&o.mirrors, "mirrors", "", "folder of bare repositories, OWNER+NAME/repo")
	flag.StringVar(&o.changes, "changes", "", "the changes: a JSON object a line with repo, commit, parent and files")
	flag.StringVar(&o.data, "data", "", "the benchmark of eval/codesearch, with its trees")
	flag.StringVar(&o.read, "read", "", "questions of those who read the code: eval/evidence/testdata/read.jsonl")
	flag.StringVar(&o.out, "out", "", "folder for what is collected; what is there is not collected again (required)")
	flag.StringVar(&o.work, "work", filepath.Join(os.TempDir(), "assay-evidence"), "folder for trees; each is removed when it is done")
	flag.IntVar(&o.most, "most", 15, "changes, and questions made of comments, of a project")
	flag.Func("only", "only projects whose name contains one of these, separated by commas", func(s string) error {
		o.only = strings.Split(s, ",")
		return nil
	})
	flag.Parse()
	if flag.NArg() > 0 || o.out == "" || o.mirrors == "" && o.data == "" {
		fmt.Fprintln(os.Stderr, "usage: go run ./eval/evidence -out DIR [-mirrors DIR -changes FILE] [-data DIR] [flags]")
		flag.PrintDefaults()
		os.Exit(2)
	}
	if err := o.run(context.Background()); err != nil {
		fmt.Fprintf(os.Stderr, "evidence: %v\n", err)
		os.Exit(1)
	}
}

func (o options) run(ctx context.Context) error {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	if o.data != "" {
		if err := o.questions(ctx); err != nil {
			return err
		}
	}
	if o.mirrors == "" {
		return nil
	}
	var err error
	if o.mirrors, err = filepath.Abs(o.mirrors); err != nil { // git clone runs elsewhere
		return err
	}
	if o.read != "" {
		if err := o.readers(ctx); err != nil {
			return err
		}
	}
	changes, err := judged.ReadChanges(o.changes)
	if err != nil {
		return err
	}
	mirrors, err := filepath.Glob(filepath.Join(o.mirrors, "*", "repo"))
	if err != nil {
		return err
	}
	for _, m := range mirrors {
		name := filepath.Base(filepath.Dir(m))
		if len(o.only) > 0 && !slices.ContainsFunc(o.only, func(s string) bool { return strings.Contains(name, s) }) {
			continue
		}
		if err := o.mirror(ctx, name, m, changes[name]); err != nil {
			fmt.Fprintf(os.Stderr, "evidence: %s: %v\n", name, err)
		}
	}
	return nil
}

// save writes the pools of a project and set.
func (o options) save(file string, pools []judged.Pool) error {
	f, err := os.Create(file + ".part")
	if err != nil {
		return err
	}
	err = judged.WritePools(f, pools)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

// file returns where the pools of a project and set are, and whether they are there.
func (o options) file(set, project string) (string, bool) {
	name := filepath.Join(o.out, set+"-"+project+".pools")
	_, err := os.Stat(name)
	return name, err == nil
}
