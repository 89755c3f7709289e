package file

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
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
	number := binary.BigEndian.AppendUint64(nil, uint64(process)<<29)
	return base32.StdEncoding.EncodeToString(number)[:ofProcess] + space
}

// IsTemporary says whether TemporaryName can have made a name.
func IsTemporary(name string) bool {
	random, ok := strings.CutPrefix(name, Temporary)
	return ok && len(random) == len(rand.Text()) && strings.Trim(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
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
	number, err := base32.StdEncoding.DecodeString(text[:ofProcess] + "A")
	if err != nil {
		return false
	}
	return gone(int(binary.BigEndian.Uint64(append(number, 0, 0, 0)) >> 29))
}
