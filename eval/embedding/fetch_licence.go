package main

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

var licenceField = regexp.MustCompile(`(?m)^License: *(\S+)`)

// learn notes what a file says of the package's licence.
func (u *unpacker) learn(name string, text []byte) {
	if !legal(name) || len(u.licences) > 12 {
		return
	}
	switch base := strings.ToLower(path.Base(name)); {
	case base == "package.json":
		var p struct {
			License any `json:"license"`
		}
		if json.Unmarshal(text, &p) != nil {
			return
		}
		if s, ok := p.License.(string); ok {
			u.licences[s] = true
		}
	case base == "copyright":
		fields := licenceField.FindAllSubmatch(text, 40)
		for _, f := range fields {
			u.licences[strings.TrimRight(string(f[1]), ",")] = true
		}
		if len(fields) == 0 {
			u.guess(string(text))
		}
	case strings.Count(name, "/") < 4:
		u.guess(string(text))
	}
}

// phrases tell licences apart; the first that fits counts.
var phrases = []struct{ phrase, licence string }{
	{"GNU AFFERO GENERAL PUBLIC LICENSE", "AGPL"},
	{"GNU Lesser General Public License", "LGPL"},
	{"GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"},
	{"GNU GENERAL PUBLIC LICENSE", "GPL"},
	{"GNU General Public License", "GPL"},
	{"Mozilla Public License", "MPL-2.0"},
	{"Apache License", "Apache-2.0"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"Redistribution and use in source and binary forms", "BSD"},
	{"Permission to use, copy, modify, and", "ISC"},
	{"This is free and unencumbered software", "Unlicense"},
	{"public domain", "public-domain"},
}

func (u *unpacker) guess(text string) {
	for _, p := range phrases {
		if strings.Contains(text, p.phrase) {
			u.licences[p.licence] = true
			return
		}
	}
}

// licence returns what was learnt, at most six names.
func (u *unpacker) licence() string {
	all := slices.Sorted(maps.Keys(u.licences))
	if len(all) == 0 {
		return "unknown"
	}
	if len(all) > 6 {
		all = append(all[:6], "…")
	}
	return strings.Join(all, ", ")
}
