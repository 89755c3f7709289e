//go:build team

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A cost is what a corpus took, as speed says it.
type cost struct {
	form         string  // folder, postgres, weaviate1, weaviate3
	chunks       int     // how many there are
	build        float64 // seconds until all is found, merged and indexed
	cpu          float64 // seconds of processors for that, of both sides
	disk, memory float64 // bytes; memory is what the server holds of its own, 0 where nothing is known
	p50, p99     float64 // ms of a question
	ask          float64 // ms of processors of one, of both sides
}

func (c cost) String() string {
	return fmt.Sprintf("cost       form=%s chunks=%d build=%.2f cpu=%.2f disk=%.0f memory=%.0f p50=%.2f p99=%.2f ask=%.2f", c.form, c.chunks, c.build, c.cpu, c.disk, c.memory, c.p50, c.p99, c.ask)
}

// formOf is what the form of an index behind an address is called.
func formOf(url string) string {
	if strings.HasPrefix(url, "http") {
		return fmt.Sprint("weaviate", 1+strings.Count(url, ","))
	}
	return "postgres"
}

// ms is a percentile in milliseconds.
func ms(d []time.Duration, percent int) float64 { return float64(at(d, percent)) / 1e6 }

// diskOf returns the bytes of what a server keeps below its folder, or of an index. What PostgreSQL
// has written ahead is not counted: it is bounded, whatever there is.
func diskOf(dir string) (n float64) {
	for _, part := range parts(dir) {
		_ = filepath.WalkDir(part, func(_ string, d fs.DirEntry, err error) error { // files come and go
			if err != nil {
				return nil //nolint:nilerr // as above
			}
			if d.IsDir() && d.Name() == "pg_wal" {
				return fs.SkipDir
			}
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
				n += float64(info.Size())
			}
			return nil
		})
	}
	return n
}

// parts are the folders of data: of a server of .ci/postgres or nodes of .ci/weaviate, else all.
func parts(dir string) []string {
	if dir == "" {
		return nil
	}
	all, _ := filepath.Glob(filepath.Join(dir, "node?"))
	if at := filepath.Join(dir, "data"); len(all) == 0 {
		if _, err := os.Stat(at); err == nil {
			return []string{at}
		}
		return []string{dir}
	}
	return all
}

// processes are those of a server of .ci/postgres or .ci/weaviate, and what they started.
func processes(dir string) (pids []string) {
	if dir == "" {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(dir, "pid?"))
	for _, at := range append(files, filepath.Join(dir, "data", "postmaster.pid")) {
		if text, err := os.ReadFile(at); err == nil {
			pid, _, _ := strings.Cut(string(text), "\n")
			pids = append(pids, strings.TrimSpace(pid))
		}
	}
	own := slices.Clone(pids)
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, at := range all {
		if f := stat(at); len(f) > 1 && slices.Contains(own, f[1]) { // the parent
			pids = append(pids, filepath.Base(filepath.Dir(at)))
		}
	}
	return pids
}

// stat reads what a process says of itself, from its state on; nothing where it has ended.
func stat(at string) []string {
	text, err := os.ReadFile(at)
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return strings.Fields(rest)
}

// cpuOf returns the seconds of processors that a server has used, what it waited for included.
func cpuOf(dir string) (seconds float64) {
	for _, pid := range processes(dir) {
		if f := stat("/proc/" + pid + "/stat"); len(f) > 14 {
			for _, ticks := range f[11:15] { // of itself and of those that it has waited for
				n, _ := strconv.ParseFloat(ticks, 64)
				seconds += n / 100
			}
		}
	}
	return seconds
}

// memoryOf returns what the processes of a server hold together, what they share counted once.
func memoryOf(dir string) (n float64) {
	for _, pid := range processes(dir) {
		text, err := os.ReadFile("/proc/" + pid + "/smaps_rollup")
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			name, of, _ := strings.Cut(line, ":")
			if name == "Pss_Anon" || name == "Pss_Shmem" {
				kib, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(of), " kB"), 64)
				n += kib * 1024
			}
		}
	}
	return n
}
