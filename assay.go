// Package assay holds the notices that the program must be distributed with.
package assay

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

// Licence is the licence of the program.
//
//go:embed LICENSE
var Licence string

// Notice names the work of others that the program contains.
//
//go:embed NOTICE
var Notice string

//go:embed licences.gz
var licences []byte

// Texts returns the licences of the work that Notice names, whole, as their terms want it of
// copies without sources.
func Texts() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(licences))
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	return string(b), err
}
