package transcript

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// A Seen says of files, as they were when they were listed, whether they hold a session: what
// is in it need not be opened the next time. It knows a file by 63 bits of its agent, its place,
// its size and its time.
type Seen map[uint64]bool

func (s Seen) key(agent string, at place, stamp string) uint64 {
	h := fnv.New64a()
	for _, part := range [...]string{agent, at.root, at.dir, at.name, stamp} {
		_, _ = h.Write([]byte(part)) // which never fails
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64() &^ 1
}

// String returns s as ParseSeen reads it.
func (s Seen) String() string {
	keys := make([]uint64, 0, len(s))
	for k, session := range s {
		if session {
			k |= 1
		}
		keys = append(keys, k)
	}
	slices.Sort(keys)
	b := make([]byte, 0, 8*len(keys))
	for _, k := range keys {
		b = binary.LittleEndian.AppendUint64(b, k)
	}
	return base64.RawStdEncoding.EncodeToString(b)
}

// ParseSeen reads what String wrote: of anything else, nothing.
func ParseSeen(s string) Seen {
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil || len(b)%8 != 0 {
		return nil
	}
	out := make(Seen, len(b)/8)
	for ; len(b) > 0; b = b[8:] {
		k := binary.LittleEndian.Uint64(b)
		out[k&^1] = k&1 == 1
	}
	return out
}

// ListSeen is List of a source, which leaves files closed that old knows, and adds those that it
// lists to now. Of what it left closed a Ref has neither title nor folder.
func ListSeen(ctx context.Context, src Source, old, now Seen) (refs []Ref, skipped int, err error) {
	if s, ok := src.(interface {
		listSeen(ctx context.Context, old, now Seen) ([]Ref, int, error)
	}); ok {
		return s.listSeen(ctx, old, now)
	}
	return src.List(ctx)
}
