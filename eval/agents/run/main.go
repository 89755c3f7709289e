// Run starts the scripted model by itself, or the real agents against it.
//
//	go run ./eval/agents/run serve -script FILE [-port N] [-show]
//	go run ./eval/agents/run drive -prefix DIR -work DIR [-agent NAME]
//	go run ./eval/agents/run fixtures -work DIR -out DIR
//
// It installs nothing. An agent that it starts sees no variable of the environment
// but PATH and those it is given, and no home but one below -work.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/assay-dev/assay/eval/agents"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "agents:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	verbs := map[string]func([]string) error{"serve": serve, "drive": drive, "fixtures": fixtures}
	if len(args) == 0 || verbs[args[0]] == nil {
		return errors.New("say serve, drive or fixtures; README.md says how")
	}
	return verbs[args[0]](args[1:])
}

// serve plays a script until standard input ends.
func serve(args []string) error {
	f := flag.NewFlagSet("serve", flag.ExitOnError)
	path := f.String("script", "", "the `file` with the script")
	port := f.Int("port", 0, "where to listen on loopback; 0 is any")
	show := f.Bool("show", false, "at the end, print each request whole")
	if err := f.Parse(args); err != nil {
		return err
	}
	script, err := readScript(*path)
	if err != nil {
		return err
	}
	m, err := agents.Serve(*port, script)
	if err != nil {
		return err
	}
	fmt.Println(m.URL)
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	for _, r := range m.Requests() {
		fmt.Fprintf(os.Stderr, "%s %s: %s\n", r.Wire, r.Model, strings.ReplaceAll(r.User, "\n", " "))
		if *show {
			fmt.Fprintf(os.Stderr, "%s\n\n", r.Body)
		}
	}
	return m.Close()
}

func readScript(path string) (agents.Script, error) {
	f, err := os.Open(path)
	if err != nil {
		return agents.Script{}, err
	}
	defer f.Close()
	return agents.Read(f)
}
