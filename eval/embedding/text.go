package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/assay-dev/assay/internal/code/embed/static"
)

// runText gives a model a table for text: rows of numbers as text.py has made them for
// the words and groups of letters of that very model.
func runText(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("text", flag.ContinueOnError)
	from := flags.String("model", "", "the model")
	table := flags.String("rows", "", "the rows for text: little-endian float32, one row after the other")
	out := flags.String("out", "", "the model to write, with these rows for text; it may be the same file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *from == "" || *table == "" || *out == "" || flags.NArg() > 0 {
		return errors.New("-model, -rows and -out are needed, and nothing else")
	}
	data, err := os.ReadFile(*from)
	if err != nil {
		return err
	}
	m, err := static.Open(string(data))
	if err == nil {
		err = m.Check()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", *from, err)
	}
	raw, err := os.ReadFile(*table)
	if err != nil {
		return err
	}
	rows := m.Size + m.Buckets
	if len(raw) == 0 || len(raw)%(4*rows) != 0 {
		return fmt.Errorf("%s: %d bytes are no %d rows of float32: it was made for another model", *table, len(raw), rows)
	}
	numbers := make([]float32, len(raw)/4)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	var b bytes.Buffer
	if err := m.WithText(&b, len(numbers)/rows, numbers); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d bytes, %d dimensions for code, %d for text\n", b.Len(), m.Dims, len(numbers)/rows)
	return os.WriteFile(*out, b.Bytes(), 0o644)
}
