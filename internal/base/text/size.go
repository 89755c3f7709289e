package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// sizeUnits are the units of sizes: K is 1024 bytes, as for memory.
var sizeUnits = []struct {
	letter string
	name   string
	bytes  int64
}{{"G", "GiB", 1 << 30}, {"M", "MiB", 1 << 20}, {"K", "KiB", 1 << 10}}

// ParseSize reads a number of bytes as flags and settings have it: 64M, 1.5G, 65536,
// also with an ending such as MB or MiB. It is at least 1.
func ParseSize(s string) (int64, error) {
	number, unit := strings.ToUpper(strings.TrimSpace(s)), int64(1)
	number = strings.TrimSuffix(strings.TrimSuffix(number, "YTES"), "B")
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(strings.TrimSuffix(number, "I"), u.letter); ok {
			number, unit = rest, u.bytes
			break
		}
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	size := f * float64(unit)
	if err != nil || !(size >= 1) || size >= math.MaxInt64 || strings.Trim(number, "0123456789. ") != "" {
		return 0, fmt.Errorf("%q is not a size, for example 64M or 1G", s)
	}
	return int64(size), nil
}

// Size writes a number of bytes as ParseSize reads it, exactly: 64 MiB.
func Size(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.bytes && n%u.bytes == 0 {
			return fmt.Sprintf("%d %s", n/u.bytes, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Tokens estimates how many tokens a model counts in n bytes of code: 3.44 bytes
// each, measured with cl100k over code of thirteen languages.
func Tokens(n int) int { return (n*25 + 85) / 86 }

// Bytes returns the most bytes of code that Tokens counts as at most that many tokens.
func Bytes(tokens int) int { return tokens * 86 / 25 }

// Count writes a number with its noun: 1 file, 2 files.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Counted formats as fmt.Sprintf does. A {s} or {one|many} is the ending for the number before it: "%d file{s}", "%d entr{y|ies}".
func Counted(format string, args ...any) string {
	plain, rest, more := strings.Cut(format, "{")
	for more {
		verbs := strings.Count(plain, "%") - 2*strings.Count(plain, "%%")
		ending, after, _ := strings.Cut(rest, "}")
		one, many, both := strings.Cut(ending, "|")
		if !both {
			one, many = "", ending
		}
		if verbs > 0 && args[verbs-1] == 1 {
			many = one
		}
		ending, rest, more = strings.Cut(after, "{")
		plain += many + ending
	}
	return fmt.Sprintf(plain, args...)
}
