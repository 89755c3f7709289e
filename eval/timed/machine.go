package timed

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Machine describes what this runs on, as far as the system says.
func Machine() string {
	parts := []string{}
	if cpu := field("/proc/cpuinfo", "model name"); cpu != "" {
		parts = append(parts, cpu)
	}
	parts = append(parts, fmt.Sprintf("%d cores", runtime.NumCPU()))
	if kb, ok := strings.CutSuffix(field("/proc/meminfo", "MemTotal"), " kB"); ok {
		if n, err := strconv.ParseFloat(kb, 64); err == nil {
			parts = append(parts, fmt.Sprintf("%.1f GiB", n/(1<<20)))
		}
	}
	system := runtime.GOOS + "/" + runtime.GOARCH
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		system += " " + strings.TrimSpace(string(release))
	}
	return strings.Join(append(parts, system, runtime.Version()), ", ")
}

// field returns the first value of a file of lines "name: value", or "".
func field(file, name string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if k, v, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
