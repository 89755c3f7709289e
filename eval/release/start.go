package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/timed"
)

// compareStarts runs programs in turns with the same arguments, and prints the least and the
// median of what each took. They are copies, as what is installed is: a file that the
// linker has just written is mapped in smaller pieces, which costs 2 ms.
func compareStarts(programs, args []string, rounds int) error {
	tmp, err := os.MkdirTemp("", "start")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var copies []string
	for i, p := range programs {
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		at := filepath.Join(tmp, fmt.Sprint(i))
		if err := os.WriteFile(at, text, 0o755); err != nil {
			return err
		}
		copies = append(copies, at)
	}
	cpu, wall := make([][]time.Duration, len(copies)), make([][]time.Duration, len(copies))
	for range rounds {
		for i, c := range copies {
			u, err := timed.Program{Out: io.Discard}.Run(context.Background(), c, args...)
			if err != nil {
				return err
			}
			cpu[i], wall[i] = append(cpu[i], u.CPU), append(wall[i], u.Wall)
		}
	}
	fmt.Printf("%s, %d rounds: least and median in ms, of a processor and of the clock\n", strings.Join(args, " "), rounds)
	for i, p := range programs {
		slices.Sort(cpu[i])
		slices.Sort(wall[i])
		ms := func(d []time.Duration) string {
			return fmt.Sprintf("%6.2f %6.2f", 1e3*d[0].Seconds(), 1e3*d[len(d)/2].Seconds())
		}
		fmt.Printf("  %s   %s  %s\n", ms(cpu[i]), ms(wall[i]), filepath.Base(p))
	}
	return nil
}
