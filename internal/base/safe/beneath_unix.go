//go:build unix && !linux

package safe

func beneath(at int, rel string, flags int, perm uint32) (int, error) {
	return walk(at, rel, flags, perm)
}
