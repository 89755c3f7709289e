//go:build team

// Command remote measures the index on PostgreSQL (index.Remote) or Weaviate, which builds with the tag
// team have.
//
//	url=$(.ci/postgres DIR)         # a server with pgvector, DIR a new folder
//	go run -tags team ./eval/remote speed -url "$url" -chunks 200000 FOLDER...
//	go run -tags team ./eval/remote kill -url "$url" -server DIR -for 2m
//	go run -tags team ./eval/remote net -url "$url" -for 2m
//
// .ci/weaviate says how one starts nodes of Weaviate; of those one after the other is killed.
//
// speed puts the source files below folders into a new corpus and into an index of the
// folder form, and asks both the same questions: words of a chunk and the vector of it, by
// which as many candidates are proposed as a search ranks. It says how fast chunks went in,
// how long a question takes in either, and how many of the candidates are the same.
//
// kill has clients write and read while the server is killed with SIGKILL again and again
// and started anew. A write that was acknowledged and is not there afterwards, or that a
// reader which began later did not see, is a loss, and the exit status is 1.
//
// net does the same while the network between is slow, silent and cut in turn.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/core/index"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "remote:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) < 2 {
		return fmt.Errorf("want speed, kill or net")
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	url := flags.String("url", "", "the `address` of the server")
	chunks := flags.Int("chunks", 200000, "speed: how many")
	questions := flags.Int("questions", 300, "speed: how many")
	server := flags.String("server", "", "kill: the `folder` of .ci/postgres or .ci/weaviate")
	clients := flags.Int("clients", 8, "kill: how many write, and as many read")
	during := flags.Duration("for", 2*time.Minute, "kill: how long")
	every := flags.Duration("every", 10*time.Second, "kill: how often")
	if err := flags.Parse(os.Args[2:]); err != nil {
		return err
	}
	ctx := context.Background()
	switch os.Args[1] {
	case "speed":
		return speed(ctx, *url, *chunks, *questions, flags.Args())
	case "kill":
		return kill(ctx, *url, *server, *clients, *during, *every, false)
	case "net":
		return kill(ctx, *url, *server, *clients, *during, *every, true)
	}
	return fmt.Errorf("%s: want speed, kill or net", os.Args[1])
}

// A server holds an index.
type server interface {
	index.Backend
	Drop(ctx context.Context) error
}

func open(ctx context.Context, url, corpus string) (server, error) {
	at := index.RemotePlace{URL: url, Corpus: corpus}
	if strings.HasPrefix(url, "http") {
		return index.OpenWeaviate(ctx, at)
	}
	return index.OpenRemote(ctx, at)
}

// killOnce ends the server, or one of its nodes, with SIGKILL, and starts it again.
func killOnce(url, folder string, turn int) error {
	script, verbs := ".ci/postgres", [][]string{{"kill"}, {"start"}}
	if strings.HasPrefix(url, "http") {
		node := fmt.Sprint(1 + turn%(1+strings.Count(url, ",")))
		script, verbs = ".ci/weaviate", [][]string{{"kill", node}, {"again", node}}
	}
	for _, verb := range verbs {
		c := exec.Command(script, append([]string{folder}, verb...)...)
		// A node outlives the script, and would keep a pipe open.
		out, err := os.CreateTemp("", "remote-")
		if err != nil {
			return err
		}
		defer os.Remove(out.Name())
		defer out.Close()
		c.Stdout, c.Stderr = out, out
		if err := c.Run(); err != nil {
			says, _ := os.ReadFile(out.Name())
			return fmt.Errorf("%s the server: %w: %s", verb[0], err, says)
		}
	}
	return nil
}
