package assay

import (
	"regexp"
	"strings"
	"testing"
)

// Every module that NOTICE names has its licence's text in the program, and each text is one.
func TestTexts(t *testing.T) {
	texts, err := Texts()
	if err != nil {
		t.Fatal(err)
	}
	modules := regexp.MustCompile(`(?m)^(\S+) v\S+ \(`).FindAllStringSubmatch(Notice, -1)
	if len(modules) < 10 {
		t.Fatalf("NOTICE names %d modules", len(modules))
	}
	for _, m := range modules {
		if !strings.Contains(texts, "\n======== "+m[1]+": ") {
			t.Errorf("no text of %s: go run ./eval/notice", m[1])
		}
	}
	for _, words := range []string{"======== Go: LICENSE", "Permission is hereby granted, free of charge", "Redistributions in binary form must reproduce", "Permission to use, copy, modify, and", "Mozilla Public License"} {
		if !strings.Contains(texts, words) {
			t.Errorf("no %q in the texts", words)
		}
	}
	if len(licences) > 48<<10 {
		t.Errorf("the texts take %d bytes of the program", len(licences))
	}
}
