package subword

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A charsMap is SentencePiece's table of replacements: a trie as a double array
// (github.com/s-yata/darts-clone), whose values are offsets into texts that end
// with a zero byte.
type charsMap struct {
	units []uint32
	texts string
}

func readCharsMap(encoded string) (*charsMap, error) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, errors.New("precompiled_charsmap is not base64")
	}
	if len(data) < 4 {
		return nil, errors.New("precompiled_charsmap is cut")
	}
	size := int64(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if size%4 != 0 || size == 0 || size > int64(len(data)) {
		return nil, errors.New("precompiled_charsmap is cut")
	}
	m := &charsMap{units: make([]uint32, size/4), texts: string(data[size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return m, nil
}

// replacement returns what the shortest known beginning of s becomes. That the
// shortest decides, and for the whole of s, is how the reference has it.
func (m *charsMap) replacement(s string) (string, bool) {
	offset := func(u uint32) uint32 { return (u >> 10) << ((u & (1 << 9)) >> 6) }
	at := offset(m.units[0])
	for i := 0; i < len(s) && s[i] != 0; i++ {
		at ^= uint32(s[i])
		if int64(at) >= int64(len(m.units)) {
			return "", false
		}
		u := m.units[at]
		if u&(1<<31|0xff) != uint32(s[i]) {
			return "", false
		}
		at ^= offset(u)
		if u>>8&1 == 1 {
			if int64(at) >= int64(len(m.units)) {
				return "", false
			}
			from := int64(m.units[at] & (1<<31 - 1))
			if from > int64(len(m.texts)) {
				return "", false
			}
			text, _, _ := strings.Cut(m.texts[from:min(from+1024, int64(len(m.texts)))], "\x00")
			return text, utf8.ValidString(text)
		}
	}
	return "", false
}

func (m *charsMap) normal(s string) string {
	var b strings.Builder
	for len(s) > 0 && b.Len() <= maxText {
		n := cluster(s)
		if n < 6 {
			if text, ok := m.replacement(s[:n]); ok {
				b.WriteString(text)
				s = s[n:]
				continue
			}
		}
		for _, r := range s[:n] {
			c := string(r)
			if text, ok := m.replacement(c); ok {
				c = text
			}
			b.WriteString(c)
		}
		s = s[n:]
	}
	return b.String()
}

// cluster returns the length of the first user-perceived character of s, as far
// as it matters where only short ones do: one with its marks, or the end of a line.
func cluster(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	r, n := utf8.DecodeRuneInString(s)
	if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) {
		return n
	}
	for n < len(s) {
		r, k := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsMark(r) && !unicode.Is(unicode.Join_Control, r) {
			break
		}
		n += k
	}
	return n
}
