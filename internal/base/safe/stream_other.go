//go:build !unix

package safe

import "os"

// isStream reports whether a name is of a stream to which a file may be delivered.
func isStream(name string) bool { return name == os.DevNull }

func openStream(name string) (*os.File, error) { return os.OpenFile(name, os.O_WRONLY, 0) }
