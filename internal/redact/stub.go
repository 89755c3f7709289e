// Package redact stub.
package redact

func Text(s []byte) ([]byte, int) { return s, 0 }
