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
