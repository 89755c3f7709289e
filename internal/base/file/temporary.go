package file

import (
	"crypto/rand"
	"strings"
	"time"
)

// Temporary begins the names of files that are soon gone, unless their writer is
// killed: whoever owns the folder removes those that are Abandoned.
const Temporary = ".assay-tmp-"

// abandoned is the age at which nobody is still writing a temporary file.
const abandoned = time.Hour

// letters of a random text: those that say which process it is of, and among which processes of this machine.
const (
	ofProcess = 7
	ofSpace   = 6
)

// TemporaryName returns a new such name. It says which process it is of, where another one could tell whether
// that has ended.
func TemporaryName() string {
	return Temporary + mark(processSpace(), self) + rand.Text()[ofProcess+ofSpace:]
}

// mark returns the letters of a process in a space of numbers of processes; random ones where that is unknown.
func mark(space string, process int) string {
	if space == "" {
		return rand.Text()[:ofProcess+ofSpace]
	}
	return letters(uint64(process), ofProcess) + space
}

// alphabet is that of rand.Text (RFC 4648, base32).
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// letters writes the last 5*n bits of a number as n letters.
func letters(number uint64, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[n-1-i] = alphabet[number>>(5*i)&31]
	}
	return string(text)
}

// IsTemporary says whether TemporaryName can have made a name.
func IsTemporary(name string) bool {
	random, ok := strings.CutPrefix(name, Temporary)
	return ok && len(random) == len(rand.Text()) && strings.Trim(random, alphabet) == ""
}

// IsBesideTemporary says whether a name is a temporary one with an ending, as SQLite and
// locks give theirs.
func IsBesideTemporary(name string) bool {
	return IsTemporary(name[:min(len(name), len(Temporary)+len(rand.Text()))])
}

// Abandoned reports whether nobody is still writing a file of a temporary name: it was last changed long ago,
// or the process of the name has ended. A file of another machine, or of another container, is known by its
// age alone.
func Abandoned(name string, changed, now time.Time) bool {
	return IsTemporary(name) && (now.Sub(changed) > abandoned || ended(name))
}

// ended reports whether the process of a name is of this machine and no more.
func ended(name string) bool {
	text := strings.TrimPrefix(name, Temporary)
	space := processSpace()
	if space == "" || text[ofProcess:ofProcess+ofSpace] != space {
		return false
	}
	process := 0
	for _, letter := range []byte(text[:ofProcess]) {
		process = process<<5 | strings.IndexByte(alphabet, letter)
	}
	return gone(process)
}
