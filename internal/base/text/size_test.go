package text

import "testing"

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{
		"64M": 64 << 20, "1G": 1 << 30, "1.5g": 3 << 29, "512 KiB": 512 << 10, "64MB": 64 << 20, "65536": 65536, "10b": 10, " 2m ": 2 << 20, "1": 1, "1.9": 1, "1.5K": 1536, "3 bytes": 3, "9223372036854774784": 1<<63 - 1024,
	} {
		if got, err := ParseSize(s); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "0", "0.1", "-1M", "+1M", "M", "1T", "1e3", "inf", "0x10", "NaN", "99999999999G", "1 M M", "1i", "9223372036854775807", "0.9", "8589934592G"} {
		if got, err := ParseSize(s); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", s, got)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{64 << 20: "64 MiB", 1 << 30: "1 GiB", 1536 << 20: "1536 MiB", 1000: "1000 bytes", 3 << 10: "3 KiB", 1: "1 bytes", 1<<10 + 1: "1025 bytes", 1 << 10: "1 KiB", 1<<20 + 1<<10: "1025 KiB"} {
		if got := Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
		if back, err := ParseSize(Size(n)); err != nil || back != n {
			t.Errorf("ParseSize(%q) = %d, %v", Size(n), back, err)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files", -1: "-1 files"} {
		if got := Count(n, "file", "files"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	tests := []struct {
		name, format string
		args         []any
		want         string
	}{
		{"one", "%d file{s}", []any{1}, "1 file"},
		{"many", "%d file{s}", []any{0}, "0 files"},
		{"two endings", "%d entr{y|ies} {is|are} left", []any{1}, "1 entry is left"},
		{"two endings of many", "%d entr{y|ies} {is|are} left", []any{21}, "21 entries are left"},
		{"the last number counts", "%d of %d hit{s}, %s", []any{1, 2, "{s}"}, "1 of 2 hits, {s}"},
		{"what is no number does not", "%d hit{s} of %q at %.1f%% word{s}", []any{1, "a", 2.5}, `1 hit of "a" at 2.5% words`},
		{"nothing to count", "100%% {a|b", nil, "100% b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Counted(tt.format, tt.args...); got != tt.want {
				t.Errorf("Counted(%q) = %q, want %q", tt.format, got, tt.want)
			}
		})
	}
}
