package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// Every module that the program is linked from on this system is in NOTICE as its own
// files have it, and nothing else is out of date.
func TestNotice(t *testing.T) {
	have, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	// go test caches a pass unless the test itself opened what changed.
	if _, err := os.ReadFile(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	want, err := render(root, []target{{runtime.GOOS, runtime.GOARCH}})
	if err != nil {
		t.Fatal(err)
	}
	// Modules of other systems may not be in this machine's module cache; .ci/run
	// compares those.
	for _, line := range missing(have, want) {
		t.Errorf("%s lacks %q: go run ./eval/notice", file, line)
	}
	texts, err := distinctTexts(root, []target{{runtime.GOOS, runtime.GOARCH}})
	if err != nil {
		t.Fatal(err)
	}
	packedTexts, err := unpackTexts(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range missing(packedTexts, texts) {
		t.Errorf("%s lacks %q: go run ./eval/notice", packed, line)
	}
	modules, err := linked(root, []target{{runtime.GOOS, runtime.GOARCH}})
	if err != nil || len(modules) < 10 {
		t.Fatalf("linked = %v, %v: want the modules of the program", modules, err)
	}
	for _, m := range modules {
		if !strings.Contains(string(have), "\n"+m.path+" "+m.version+" (") {
			t.Errorf("%s does not name %s %s: go run ./eval/notice", file, m.path, m.version)
		}
	}
}

func TestLicences(t *testing.T) {
	const redistribution = "Redistributions in binary form must reproduce\n   the above copyright notice"
	for _, c := range []struct {
		text string
		want []string
	}{
		{"MIT License\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy", []string{"MIT"}},
		{"Apache License\n   Version 2.0, January 2004\n Permission is hereby granted, free of charge, to any person obtaining a copy", []string{"Apache-2.0", "MIT"}},
		{redistribution + " may be used to endorse or promote products derived from\nthis software", []string{"BSD-3-Clause"}},
		{redistribution, []string{"BSD-2-Clause"}},
		{"All rights reserved.", nil},
	} {
		if got := licencesOf([]byte(c.text)); !slices.Equal(got, c.want) {
			t.Errorf("licencesOf(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCopyrights(t *testing.T) {
	got := copyrights([]byte("Copyright (c)  2012 A\n// Copyright 2009 B. All rights reserved.\r\n> Copyright © 2020 C\nCopyright (c) 2012 A\n" +
		"copyright notice, this list of conditions\n   Copyright [yyyy] [name of copyright owner]\n"))
	if want := []string{"Copyright (c) 2012 A", "Copyright 2009 B. All rights reserved.", "Copyright © 2020 C"}; !slices.Equal(got, want) {
		t.Errorf("copyrights = %q, want %q", got, want)
	}
}

func TestEntryWithoutLicence(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m := module{"example.com/m", "v1.0.0", dir}
	if e, err := entry(m); err == nil {
		t.Errorf("a module without a licence is %q", e)
	}
	put("LICENSE", "Mozilla Public License Version 2.0")
	if e, err := entry(m); err == nil {
		t.Errorf("a module without an owner is %q", e)
	}
	put("m.go", "// Copyright 2013 The Authors.\npackage m\n\n// Copyright 1999 Nobody\n")
	if e, err := entry(m); err != nil || e != "example.com/m v1.0.0 (MPL-2.0)\n    Copyright 2013 The Authors.\n\n" {
		t.Errorf("entry = %q, %v", e, err)
	}
}
