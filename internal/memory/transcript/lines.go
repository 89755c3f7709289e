package transcript

import (
	"bufio"
	"bytes"
	"context"
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

// members calls f with the members of the JSON object that b starts with, in
// order, each with its key and its value as they are written, until f says no or b
// ends. The value that b ends in is handed on as far as it goes. It is not for
// telling whether b is JSON: it finds where values end, and passes over long ones
// without looking into them.
func members(b []byte, f func(key, value []byte) bool) {
	i := blanks(b, 0)
	if i >= len(b) || b[i] != '{' {
		return
	}
	for i++; ; i++ {
		if i = blanks(b, i); i >= len(b) || b[i] != '"' {
			return
		}
		end := stringEnd(b, i)
		if end < 0 {
			return
		}
		key := b[i+1 : end-1]
		if i = blanks(b, end); i >= len(b) || b[i] != ':' {
			return
		}
		i = blanks(b, i+1)
		if end = valueEnd(b, i); end < 0 {
			end = len(b)
		}
		if !f(key, b[i:end]) {
			return
		}
		if i = blanks(b, end); i >= len(b) || b[i] != ',' {
			return
		}
	}
}

func blanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the end of the string that starts at i, or -1.
func stringEnd(b []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		slashes := 0
		for slashes < n && b[i+n-1-slashes] == '\\' {
			slashes++
		}
		if i += n + 1; slashes%2 == 0 {
			return i
		}
	}
}

// valueEnd returns the end of the value that starts at i, or -1.
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				if i = stringEnd(b, i); i < 0 {
					return -1
				}
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return -1
	}
	for start := i; ; i++ {
		if i == len(b) {
			return -1
		}
		switch b[i] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			if i == start {
				return -1
			}
			return i
		}
	}
}
