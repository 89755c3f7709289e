package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/script/catalog"
	"github.com/assay-dev/assay/internal/script/stdlib"
)

type options struct {
	assay   string
	modules int
	runs    int
	answer  string
	sets    string
	only    bool
}

func main() {
	var o options
	flag.StringVar(&o.assay, "assay", "", "the assay binary to start (default: this program, which does the same)")
	flag.IntVar(&o.modules, "modules", 5000, "how many modules to write")
	flag.IntVar(&o.runs, "runs", 21, "how often each question is put")
	flag.StringVar(&o.answer, "answer", "", "answer the question in the first argument from the modules of this folder, and end")
	flag.StringVar(&o.sets, "sets", "first,said", "which questions to ask, of first, said, held and blind")
	flag.BoolVar(&o.only, "ranks", false, "measure no time")
	judged := flag.Bool("judged", false, "print what is found for each question, for eval/fit, and end")
	flag.Parse()
	var err error
	if *judged {
		err = judge(context.Background(), os.Stdout)
	} else if o.answer != "" {
		err = o.answerOne(context.Background(), flag.Arg(0), os.Stdout)
	} else {
		err = run(context.Background(), o, os.Stdout)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "modules: %v\n", err)
		os.Exit(1)
	}
}

// places are those of a folder and of the program.
func places(dir string) catalog.Places {
	return catalog.Places{Global: dir, Embedded: stdlib.Names(), Source: stdlib.Source}
}

// answerOne is what the command context does.
func (o options) answerOne(ctx context.Context, question string, w io.Writer) error {
	c, err := places(o.answer).Skim(ctx, question)
	if err != nil {
		return err
	}
	a, err := c.Ask(ctx, question, 5)
	if err != nil {
		return err
	}
	return a.WriteText(w, false)
}

func run(ctx context.Context, o options, w io.Writer) error {
	if o.runs < 1 || o.modules < 1 {
		return errors.New("-runs and -modules are at least 1")
	}
	for _, set := range strings.Split(o.sets, ",") {
		if err := quality(ctx, set, w); err != nil {
			return err
		}
	}
	if o.only {
		return nil
	}
	dir, err := os.MkdirTemp("", "assay-modules-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bytes, err := write(dir, o.modules)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d modules of %d bytes each, and those of the program; median (least) of %d runs\n", o.modules, bytes/int64(o.modules), o.runs)
	if err := o.steps(ctx, dir, w); err != nil {
		return err
	}
	return o.process(ctx, dir, w)
}

// quality prints how often the right module comes first.
func quality(ctx context.Context, set string, w io.Writer) error {
	qs, err := queries(set)
	if err != nil {
		return err
	}
	if len(qs) == 0 {
		return fmt.Errorf("there are no questions %q", set)
	}
	c, err := builtin(ctx)
	if err != nil {
		return err
	}
	all := engines()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		as, err := ask(ctx, c, all[name], qs)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s, %s: %d questions about %d modules, recall@1 %.3f, recall@3 %.3f\n", set, name, len(as), len(c.Modules), recall(as, 1), recall(as, 3))
		for _, a := range as {
			if a.rank != 1 && set != "held" { // nobody is to learn from those
				fmt.Fprintf(w, "%6d  %s: %s, not %s\n", a.rank, a.ask, a.first, strings.Join(a.want, " or "))
			}
		}
	}
	return nil
}

const question = "rotate the secret of a gateway"

// steps prints what the parts of an answer take in a process that runs.
func (o options) steps(ctx context.Context, dir string, w io.Writer) error {
	var read, answered []time.Duration
	var name string
	for range o.runs {
		t := time.Now()
		c, err := places(dir).Skim(ctx, question)
		if err != nil {
			return err
		}
		read = append(read, time.Since(t))
		t = time.Now()
		a, err := c.Ask(ctx, question, 5)
		if err != nil {
			return err
		}
		if len(a.Entries) == 0 {
			return errors.New("nothing was found")
		}
		answered, name = append(answered, time.Since(t)), a.Engine
	}
	fmt.Fprintf(w, "read all headers  %s\nindex and answer  %s  (%s)\n", summary(read), summary(answered), name)
	return nil
}

// process prints what a program takes that starts, answers and ends.
func (o options) process(ctx context.Context, dir string, w io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{self, "-answer", dir, question}
	empty := filepath.Join(dir, "empty")
	if o.assay != "" {
		args = []string{o.assay, "context", question}
	}
	for _, c := range []struct{ label, folder string }{{"cold process      ", dir}, {"  without modules ", empty}} {
		var took, busy []time.Duration
		for i := range o.runs + 1 {
			a := slices.Clone(args)
			if o.assay == "" {
				a[2] = c.folder
			}
			cmd := exec.CommandContext(ctx, a[0], a[1:]...)
			cmd.Env = append(os.Environ(), "ASSAY_MODULES_PATH="+c.folder, "XDG_CACHE_HOME="+filepath.Join(dir, "empty"))
			cmd.Dir = dir
			t := time.Now()
			out, err := cmd.Output()
			if err != nil {
				return fmt.Errorf("%s: %w", strings.Join(a, " "), err)
			}
			if !strings.Contains(string(out), "## Matching Modules") {
				return fmt.Errorf("%s answered %q", strings.Join(a, " "), out)
			}
			if i == 0 { // nothing is kept of the folder
				fmt.Fprintf(w, "%s%.1f ms the first time\n", c.label, float64(time.Since(t).Microseconds())/1000)
				continue
			}
			took = append(took, time.Since(t))
			busy = append(busy, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		}
		fmt.Fprintf(w, "%s%s, of processors %s\n", c.label, summary(took), summary(busy))
	}
	return nil
}

func summary(d []time.Duration) string {
	slices.Sort(d)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return fmt.Sprintf("%6.1f ms (%.1f)", ms(d[len(d)/2]), ms(d[0]))
}
