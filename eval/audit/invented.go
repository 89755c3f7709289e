package main

import (
	_ "embed"
	"strings"
)

// inventions are features that a program might well have, one a line; %s stands for
// a noun of the project's own, so that a feature that never was speaks its language.
//
//go:embed testdata/invented.txt
var inventions string

func invented() []string { return strings.Split(strings.TrimSpace(inventions), "\n") }
