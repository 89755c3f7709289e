//go:build !team

// Command remote measures the index on PostgreSQL, which builds with the tag team have.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "remote: build it with the tag: go run -tags team ./eval/remote")
	os.Exit(2)
}
