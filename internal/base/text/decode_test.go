package text

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// encoded returns a text as UTF-16, without a mark.
func encoded(order binary.AppendByteOrder, s string) (b []byte) {
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func TestDecode(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	program := "package a\r\n\r\n// Größe 中文 👩‍💻\r\nfunc Parse() {}\r\n"
	chinese := strings.Repeat("中文字\n", 100)
	var numbers, noise []byte
	for i := range 2000 {
		numbers = le.AppendUint16(numbers, uint16(i))
		noise = le.AppendUint16(noise, uint16(i*40503))
	}
	for _, tt := range []struct {
		name     string
		raw      []byte
		text     string
		encoding string
	}{
		{"UTF-8", []byte(program), program, ""},
		{"empty", nil, "", ""},
		{"Latin-1", []byte("Gr\xf6\xdfe"), "Gr\xf6\xdfe", ""},
		{"little endian", append([]byte("\xff\xfe"), encoded(le, program)...), program, UTF16LE},
		{"big endian", append([]byte("\xfe\xff"), encoded(be, program)...), program, UTF16BE},
		{"little endian without a mark", encoded(le, program+program), program + program, UTF16LE},
		{"big endian without a mark", encoded(be, program), program, UTF16BE},
		{"no ASCII", append([]byte("\xff\xfe"), encoded(le, chinese)...), chinese, UTF16LE},
		{"a mark alone", []byte("\xff\xfe"), "", UTF16LE},
		{"an odd byte", append(append([]byte("\xff\xfe"), encoded(le, "abc")...), 'x'), "abc\uFFFD", UTF16LE},
		{"an odd byte after the mark", []byte("\xfe\xffx"), "\uFFFD", UTF16BE},
		{"an odd byte without a mark", append(encoded(le, program), 'x'), program + "\uFFFD", UTF16LE},
		{"half a pair", append(append([]byte("\xff\xfe"), encoded(le, "ab")...), "\x3d\xd8c\x00\x00\xdc"...), "ab\uFFFDc\uFFFD", UTF16LE},
		{"half a pair at the end", append(append([]byte("\xfe\xff"), encoded(be, "ab")...), "\xd8\x3d"...), "ab\uFFFD", UTF16BE},
		{"a pair over the end of the head", append([]byte("\xff\xfe"), encoded(le, strings.Repeat("a", 510)+"👩"+program)...), strings.Repeat("a", 510) + "👩" + program, UTF16LE},
		{"UTF-32", []byte("\xff\xfe\x00\x00a\x00\x00\x00"), "\xff\xfe\x00\x00a\x00\x00\x00", ""},
		{"numbers", numbers, string(numbers), ""},
		{"noise with a mark", append([]byte("\xff\xfe"), noise...), "\xff\xfe" + string(noise), ""},
		{"zeros", make([]byte, 4096), string(make([]byte, 4096)), ""},
		{"no ASCII, big endian", append([]byte("\xfe\xff"), encoded(be, chinese)...), chinese, UTF16BE},
		{"no ASCII without a mark", encoded(le, chinese), string(encoded(le, chinese)), ""},
		{"three of four in ASCII", encoded(le, "abc中abc中abc中"), "abc中abc中abc中", UTF16LE},
		{"fewer in ASCII", encoded(le, "abc中abc中ab中中"), string(encoded(le, "abc中abc中ab中中")), ""},
		{"as few as are looked at", encoded(be, "packages"), "packages", UTF16BE},
		{"fewer", encoded(be, "package"), string(encoded(be, "package")), ""},
		{"tabs and the like", append([]byte("\xff\xfe"), encoded(le, "a\b\t\n\v\f\r\x1b ~b")...), "a\b\t\n\v\f\r\x1b ~b", UTF16LE},
		{"a control character", append([]byte("\xff\xfe"), encoded(le, "ab\x0e")...), "\xff\xfea\x00b\x00\x0e\x00", ""},
		{"a bell", append([]byte("\xff\xfe"), encoded(le, "ab\a")...), "\xff\xfea\x00b\x00\a\x00", ""},
		{"DEL", append([]byte("\xff\xfe"), encoded(le, "ab\x7f")...), "\xff\xfea\x00b\x00\x7f\x00", ""},
		{"no character", []byte("\xfe\xff\x00a\xff\xfe"), "\xfe\xff\x00a\xff\xfe", ""},
		{"a last character", []byte("\xfe\xff\x00a\xff\xfd"), "a\uFFFD", UTF16BE},
		{"for programs alone", []byte("\xfe\xff\xfd\xd0\xfd\xef"), "\xfe\xff\xfd\xd0\xfd\xef", ""},
		{"beside those", []byte("\xfe\xff\xfd\xcf\xfd\xf0"), "\ufdcf\ufdf0", UTF16BE},
		{"two halves of pairs", []byte("\xfe\xff\xd8\x3d\x00a\xd8\x3d\x00b"), "\xfe\xff\xd8\x3d\x00a\xd8\x3d\x00b", ""},
		{"one half of a pair", []byte("\xfe\xff\xd8\x3d\x00a\x00b"), "\uFFFDab", UTF16BE},
		{"pairs", append([]byte("\xfe\xff"), encoded(be, "👩💻👩💻")...), "👩💻👩💻", UTF16BE},
		{"a few bytes", []byte("a\x00b\x00"), "a\x00b\x00", ""},
		{"a program with a zero", []byte("package a\x00" + program), "package a\x00" + program, ""},
	} {
		got, encoding := Decode(tt.raw)
		if string(got) != tt.text || encoding != tt.encoding {
			t.Errorf("%s: Decode = %.80q, %q, want %.80q, %q", tt.name, got, encoding, tt.text, tt.encoding)
		}
	}
}

// What is decoded is UTF-8, within its bound, and what is not stays as it is; every pair
// of bytes is read as the standard library reads it.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00\x3d\xd8"))
	f.Add([]byte("\xfe\xff\x00a\xd8\x3d\xdc\x69x"))
	f.Add(encoded(binary.BigEndian, "package main\n\nfunc main() {}\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, encoding := Decode(raw)
		if encoding == "" {
			if !bytes.Equal(got, raw) {
				t.Fatalf("Decode(%q) = %q without an encoding", raw, got)
			}
			return
		}
		var order binary.ByteOrder = binary.LittleEndian
		if encoding == UTF16BE {
			order = binary.BigEndian
		}
		var units []uint16
		for i := 0; i+1 < len(raw); i += 2 {
			units = append(units, order.Uint16(raw[i:]))
		}
		want := strings.TrimPrefix(string(utf16.Decode(units)), "\uFEFF")
		if len(raw)%2 == 1 {
			want += "\uFFFD"
		}
		if string(got) != want || !utf8.Valid(got) || len(got) > len(raw)*3/2+3 {
			t.Errorf("Decode(%q) = %q, %s, want %q", raw, got, encoding, want)
		}
	})
}
