package library

import "testing"

// Code without a language has the one that it alone can be in, and none where that is not clear.
func TestGuess(t *testing.T) {
	for _, tc := range []struct{ code, want string }{
		{"from flask import Flask\n\napp = Flask(__name__)", "python"},
		{">>> 1 + 1\n2", "python"},
		{"result = session.execute(stmt)\nfor row in result:\n    print(row)", "python"},
		{"app.config.update(\n    TESTING=True,\n)", "python"},
		{"class Meta(Base):\n    id = 1", "python"},
		{"$ pip install flask\nDone", "console"},
		{"pip install flask\ncd app && \\\n  make", "bash"},
		{"{\"a\": [1, 2]}", "json"},
		{"SELECT a FROM b WHERE c = 1", "sql"},
		{"<?php\n$x = 1;", "php"},
		{"<div class=\"a\">\n  <p>b</p>\n</div>", "html"},
		{"package main\n\nfunc main() {\n}", "go"},
		{"const x = require('x')\nx()", "javascript"},
		{"[pytest]\naddopts = -q", "ini"},
		{"name: x\nsteps:\n  - run: y", "yaml"},
		{"use std::io;\n\nfn main() {\n}", "rust"},
		{"#include <stdio.h>", "c"},
		{"project/\n    __init__.py\n    models.py", ""},
		{"Error: nothing was found\n  at line 3", ""},
		{"1.2.3", ""},
		{"A -> B -> C", ""},
		{"", ""},
	} {
		if got := guess(tc.code); got != tc.want {
			t.Errorf("guess(%q) = %q, want %q", tc.code, got, tc.want)
		}
	}
}
