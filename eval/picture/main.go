// Command picture draws what documents show: the figures of the latest runs as charts, and a session on a
// terminal as it is. Nothing in them is typed by hand.
//
//	go build ./cmd/assay
//	go run ./eval/picture -assay ./assay        # writes docs/peers.svg, docs/sizes.svg and docs/session.svg
//	go run ./eval/picture -assay ./assay -diff  # ends with status 1 where they are otherwise
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	assay := flag.String("assay", "./assay", "the program")
	docs := flag.String("docs", "docs", "the folder of the pictures")
	runs := flag.String("runs", "eval/runs", "the folder of the runs")
	diff := flag.Bool("diff", false, "compare with the pictures that are there, and write none")
	flag.Parse()
	if err := draw(*assay, *runs, *docs, *diff); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// chart draws the latest of some runs.
func chart(runs, ending string, draw func(from, text string) (string, error)) (string, error) {
	all, err := filepath.Glob(filepath.Join(runs, "*-"+ending))
	if err != nil || len(all) == 0 {
		return "", fmt.Errorf("no %s in %s: %v", ending, runs, err)
	}
	last := all[len(all)-1] // their names begin with the day
	text, err := os.ReadFile(last)
	if err != nil {
		return "", err
	}
	return draw(filepath.ToSlash(filepath.Join("eval/runs", filepath.Base(last))), string(text))
}

// draw writes the pictures, or compares them.
func draw(assay, runs, docs string, diff bool) error {
	compared, err := chart(runs, "peers.txt", peers)
	if err != nil {
		return err
	}
	grown, err := chart(runs, "sizes.txt", sizes)
	if err != nil {
		return err
	}
	said, err := record(assay)
	if err != nil {
		return err
	}
	for name, picture := range map[string]string{"peers.svg": compared, "sizes.svg": grown, "session.svg": session(said)} {
		at := filepath.Join(docs, name)
		if !diff {
			if err := os.WriteFile(at, []byte(picture), 0o644); err != nil {
				return err
			}
			continue
		}
		if was, err := os.ReadFile(at); err != nil || string(was) != picture {
			return fmt.Errorf("%s is not what would be drawn today (%v): go run ./eval/picture", at, err)
		}
	}
	return nil
}
