package transcript

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// eachLine calls f with each line of r that is not empty, without its end. The line
// is f's until it returns. Of a line longer than maxLine no more than that is held;
// f is not called for it, and long counts it.
func eachLine(ctx context.Context, r io.Reader, f func(line []byte)) (long int, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	var held []byte
	dropped := false
	for {
		if err := ctx.Err(); err != nil {
			return long, err
		}
		part, err := in.ReadSlice('\n')
		whole := err == nil
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
			return long, err
		}
		switch {
		case dropped:
		case len(held)+len(part) > maxLine:
			dropped = true
			long++
		case len(held) == 0 && whole:
			if line := bytes.TrimSpace(part); len(line) > 0 {
				f(line)
			}
		default:
			held = append(held, part...)
		}
		if whole || errors.Is(err, io.EOF) {
			if line := bytes.TrimSpace(held); len(line) > 0 && !dropped {
				f(line)
			}
			held, dropped = held[:0], false
		}
		if errors.Is(err, io.EOF) {
			return long, nil
		}
	}
}

// hasAny reports whether a line has one of some parts.
func hasAny(line []byte, parts [][]byte) bool {
	return slices.ContainsFunc(parts, func(p []byte) bool { return bytes.Contains(line, p) })
}

// members calls f with each key of the JSON object that dec is at, until f, which decodes the value, returns an
// error: so far is read what is cut off.
func members(dec *json.Decoder, f func(key string) error) error {
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return cmp.Or(err, errNotJSON)
	}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if err := f(key); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}
