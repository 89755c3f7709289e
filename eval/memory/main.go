package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	if err := command(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "memory: %v\n", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, w io.Writer) error {
	name := ""
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("memory "+name, flag.ContinueOnError)
	switch name {
	case "":
		verbose := flags.Bool("v", false, "list the questions that are not answered first")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return find(ctx, w, *verbose)
	case "paraphrases":
		verbose := flags.Bool("v", false, "list the questions that are not answered first")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return inOtherWords(ctx, w, *verbose)
	case "speed":
		notes := flags.Int("notes", 20_000, "notes of the vault that is made")
		sessions := flags.Int("sessions", 0, "sessions of Claude Code beside it")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return speed(ctx, w, *notes, *sessions)
	case "soak":
		s := soak{w: w}
		flags.IntVar(&s.processes, "processes", 16, "processes at once")
		flags.DurationVar(&s.last, "for", time.Minute, "how long they last")
		flags.IntVar(&s.kills, "kills", 1000, "processes to kill")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return s.run(ctx)
	case "current", "times", "echo":
		verbose := flags.Bool("v", false, "list what is not as it should be")
		plain := flags.Bool("plain", false, "of current: notes as a person keeps them, not as memory store writes them")
		pairs := flags.String("pairs", "", "of current: a `file` of pairs instead of those of testdata")
		mirrors := flags.String("mirrors", "", "of current: the `folder` of the repositories (OWNER+NAME/repo) that the pairs of a .jsonl are in")
		if err := flags.Parse(args); err != nil {
			return err
		}
		switch {
		case name != "current":
			return map[string]func(context.Context, io.Writer, bool) error{"times": times, "echo": echo}[name](ctx, w, *verbose)
		case *pairs != "":
			return elsewhere(ctx, w, *pairs, *mirrors, *plain, *verbose)
		}
		return current(ctx, w, *plain, *verbose)
	case "several":
		mirrors := flags.String("mirrors", "", "the `folder` of the repositories, as OWNER+NAME/repo")
		most := flags.Int("most", 60, "questions of a project")
		verbose := flags.Bool("v", false, "list what plain BM25 finds and the search does not")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return several(ctx, w, *mirrors, flags.Args(), *most, *verbose)
	case "handbooks":
		mirrors := flags.String("mirrors", "", "the `folder` of the repositories, as OWNER+NAME/repo")
		half := flags.String("half", "test", "the projects to ask about: train or test")
		verbose := flags.Bool("v", false, "list the questions that are not answered first")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return inHandbooks(ctx, w, *mirrors, *half, *verbose)
	case "judged":
		mirrors := flags.String("mirrors", "", "the `folder` of the repositories that the pages of handbooks are in: without it these are left out")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return judge(ctx, w, *mirrors)
	case "forms":
		half := flags.String("half", "", "dev or test: half of the questions")
		notes := flags.String("notes", "", "a `folder` of notes and questions instead of those of testdata")
		verbose := flags.Bool("v", false, "list each question whose right note is not first, and each wrong answer that is called sure")
		if err := flags.Parse(args); err != nil {
			return err
		}
		if *notes != "" {
			return formsElsewhere(ctx, w, *notes, *verbose)
		}
		return forms(ctx, w, *half, *verbose)
	case "driver":
		return drive(ctx, args, w)
	}
	return fmt.Errorf("there is no command %q: there are current, times, echo, paraphrases, handbooks, several, forms, speed, soak and judged", name)
}

// inOtherWords prints the figures of the notes that are asked for in other words.
func inOtherWords(ctx context.Context, w io.Writer, verbose bool) error {
	c, err := others()
	if err != nil {
		return err
	}
	return show(ctx, w, c, verbose)
}

// show prints the figures of a set.
func show(ctx context.Context, w io.Writer, c corpus, verbose bool) error {
	r, err := measure(ctx, c)
	if err != nil {
		return err
	}
	r.write(w)
	if verbose {
		r.writeBad(w)
	}
	return nil
}

// find prints the figures of the sets.
func find(ctx context.Context, w io.Writer, verbose bool) error {
	for _, load := range []func() (corpus, error){own, talks} {
		c, err := load()
		if err != nil {
			return err
		}
		if err := show(ctx, w, c, verbose); err != nil {
			return err
		}
	}
	c, err := own()
	if err != nil {
		return err
	}
	t, err := recall(ctx, c)
	if err != nil {
		return err
	}
	t.write(w)
	return sure(ctx, w, c)
}
