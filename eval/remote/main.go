//go:build team

// Command remote measures the index on PostgreSQL (index.Remote) or Weaviate, which builds with the tag
// team have.
//
//	url=$(.ci/postgres DIR)         # a server with pgvector, DIR a new folder
//	go run -tags team ./eval/remote speed -url "$url" -chunks 200000 FOLDER...
//	go run -tags team ./eval/remote kill -url "$url" -server DIR -for 2m
//	go run -tags team ./eval/remote restart|pause|full|clock -url "$url" -server DIR -for 2m
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
// The others do the same with other trouble: restart ends the server, or a node, as one does who
// updates it; pause stops it for half of -every, so that connections stay and nothing answers; full
// fills the file system of -server, a small one, and frees it; clock sets what FAKETIME_TIMESTAMP_FILE
// names, given with -clock, an hour forth and back, where the server runs with libfaketime.
//
// net does the same while the network between is slow, silent and cut in turn.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/code/index"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "remote:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) < 2 {
		return fmt.Errorf("want %s", verbs)
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	url := flags.String("url", "", "the `address` of the server")
	chunks := flags.Int("chunks", 200000, "speed: how many")
	questions := flags.Int("questions", 300, "speed: how many")
	server := flags.String("server", "", "the `folder` of .ci/postgres or .ci/weaviate; speed says what it takes")
	clients := flags.Int("clients", 8, "trouble: how many write, and as many read")
	during := flags.Duration("for", 2*time.Minute, "trouble: how long")
	every := flags.Duration("every", 10*time.Second, "trouble: how often")
	clock := flags.String("clock", "", "clock: the `file` that libfaketime reads")
	if err := flags.Parse(os.Args[2:]); err != nil {
		return err
	}
	ctx := context.Background()
	switch kind := os.Args[1]; {
	case kind == "speed":
		return speed(ctx, *url, *server, *chunks, *questions, flags.Args())
	case kind == "net" || blows[kind] != "":
		return hit(ctx, *url, *clients, blow{kind, *server, *clock, *during, *every})
	}
	return fmt.Errorf("%s: want %s", os.Args[1], verbs)
}

const verbs = "speed, net, kill, restart, pause, full or clock"

// A server holds an index.
type server interface {
	index.Backend
	Drop(ctx context.Context) error
}

func open(ctx context.Context, url, corpus string) (server, error) {
	return openPlace(ctx, index.RemotePlace{URL: url, Corpus: corpus})
}

func openPlace(ctx context.Context, at index.RemotePlace) (server, error) {
	if strings.HasPrefix(at.URL, "http") {
		return index.OpenWeaviate(ctx, at)
	}
	return index.OpenRemote(ctx, at)
}
