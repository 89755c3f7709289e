package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// printed is a frame as its language prints it.
func printed(f *function, line int) string {
	at := "/home/ci/build/" + f.file
	scope := f.name[:max(0, len(f.name)-len(f.own)-1)]
	switch f.language {
	case "python":
		return fmt.Sprintf("  File %q, line %d, in %s\n    %s\n", at, line, f.own, strings.TrimSpace(f.text[line-f.first]))
	case "java":
		name := f.own
		if f.constructs {
			name = "<init>"
		}
		class := strings.ReplaceAll(scope, ".", "$")
		if f.pkg != "" {
			class = f.pkg + "." + class
		}
		return fmt.Sprintf("\tat %s.%s(%s:%d)\n", class, name, path.Base(f.file), line)
	case "go":
		if scope != "" {
			scope = "(*" + scope + ")."
		}
		return fmt.Sprintf("example.com/%s.%s%s(0xc0000b2000, 0x1)\n\t%s:%d +0x1d\n", path.Dir(f.file), scope, f.own, at, line)
	case "rust":
		where := strings.ReplaceAll(strings.TrimSuffix(f.file, ".rs"), "/", "::")
		if scope != "" {
			where += "::" + strings.ReplaceAll(scope, ".", "::")
		}
		return fmt.Sprintf("   3: %s::%s\n             at /home/ci/build/%s:%d:17\n", where, f.own, f.file, line)
	case "ruby":
		name := f.own
		if scope != "" {
			name = strings.ReplaceAll(scope, ".", "::") + "#" + name
		}
		return fmt.Sprintf("\tfrom %s:%d:in '%s'\n", at, line, name)
	}
	if scope != "" {
		_, scope, _ = cutLast(scope, ".")
		if f.constructs {
			return fmt.Sprintf("    at new %s (%s:%d:13)\n", scope, at, line)
		}
		return fmt.Sprintf("    at %s.%s (%s:%d:13)\n", scope, f.own, at, line)
	}
	return fmt.Sprintf("    at %s (%s:%d:13)\n", f.own, at, line)
}

// cutLast is strings.Cut at the last separator; what has none is all behind it.
func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// traceText is a trace as its language prints it, from what failed outwards, but for
// Python's, whose last frame is the one that failed.
func traceText(frames []*traced) string {
	frames = slices.Clone(frames)
	var head, tail string
	switch frames[0].language {
	case "python":
		head, tail = "Traceback (most recent call last):\n", "RuntimeError: it failed\n"
		slices.Reverse(frames)
	case "java":
		head = "Exception in thread \"main\" java.lang.IllegalStateException: it failed\n"
	case "go":
		head = "panic: it failed\n\ngoroutine 1 [running]:\n"
	case "rust":
		head = "thread 'main' panicked:\nit failed\nstack backtrace:\n"
	case "ruby":
		return strings.TrimPrefix(strings.Replace(joined(frames), "'\n", "': it failed (RuntimeError)\n", 1), "\tfrom ")
	default:
		head = "Error: it failed\n"
	}
	return head + joined(frames) + tail
}

func joined(frames []*traced) string {
	var t strings.Builder
	for _, f := range frames {
		t.WriteString(f.text)
	}
	return t.String()
}
