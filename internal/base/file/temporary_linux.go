package file

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// self is the number of this process.
var self = os.Getpid()

// processSpace names the processes whose numbers mean the same as here: those since this machine was started,
// in this container. It is empty where that cannot be known.
var processSpace = sync.OnceValue(func() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(append(boot, namespace...))
	return letters(binary.BigEndian.Uint64(sum[:]), ofSpace)
})

// gone reports whether there is no process of a number.
func gone(process int) bool { return process > 0 && errors.Is(unix.Kill(process, 0), unix.ESRCH) }
