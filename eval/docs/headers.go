package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	headerComment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	headerFunc    = regexp.MustCompile(`(?m)^[A-Za-z_][\w \t*&:<>,]*?[ \t*&]([A-Za-z_]\w*)[ \t]*\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)[^;{}()]*;`)
	headerHidden  = regexp.MustCompile(`namespace[ \t]+(?:\w+_)?(?:detail|internal|impl)\w*[ \t]*\{`)
	headerMacro   = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Z]\w*)\(`)
	headerType    = regexp.MustCompile(`(?m)^(?:typedef[ \t]+)?(?:struct|class|enum(?:[ \t]+class)?|union)[ \t]+(?:[A-Z_]+[ \t]+)?([A-Za-z]\w*)[^;()]*\{`)
)

// withoutHidden removes the namespaces of a header that are for its own use.
func withoutHidden(text string) string {
	for {
		m := headerHidden.FindStringIndex(text)
		if m == nil {
			return text
		}
		depth, end := 1, m[1]
		for ; end < len(text) && depth > 0; end++ {
			switch text[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		text = text[:m[0]] + text[end:]
	}
}

// declaredInHeaders returns how many functions, macros with parameters and types the headers below the include folder of a library
// of C or C++ declare at the beginning of a line, and how many of these names are among titles.
func declaredInHeaders(dir string, titles map[string]int) (declared, found int, err error) {
	last := map[string]bool{}
	for title := range titles {
		last[title[strings.LastIndexAny(title, ":.")+1:]] = true
	}
	seen := map[string]bool{}
	err = filepath.WalkDir(filepath.Join(dir, "include"), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(filepath.Ext(p), ".h") {
			return err
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		plain := withoutHidden(headerComment.ReplaceAllString(string(text), ""))
		for _, re := range []*regexp.Regexp{headerFunc, headerMacro, headerType} {
			for _, m := range re.FindAllStringSubmatch(plain, -1) {
				if name := m[1]; !seen[name] && !strings.HasPrefix(name, "_") && name != "defined" {
					seen[name] = true
					declared++
					if last[name] {
						found++
					}
				}
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) { // it is in another language
		err = nil
	}
	return declared, found, err
}
