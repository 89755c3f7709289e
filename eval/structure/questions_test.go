package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestQuestions reads the list of questions.
func TestQuestions(t *testing.T) {
	all, err := questions(questionList)
	if err != nil || len(all) != 20 {
		t.Fatalf("%d questions, %v; want 20", len(all), err)
	}
	of := map[string]int{}
	for _, q := range all {
		of[q.project]++
		switch q.asked {
		case "references", "callers", "implementation", "definition":
		default:
			t.Errorf("%s: the server is asked for %q", q.words, q.asked)
		}
	}
	if len(of) != 3 {
		t.Errorf("questions are of %v, want three projects", of)
	}
	if _, err := questions("a | b | references c | d\n"); err == nil {
		t.Error("a question without a place is read")
	}
}

func TestLocated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte("package a\n\nfunc Is() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if line, column, err := located(file, "func Is", "Is"); line != 2 || column != 5 || err != nil {
		t.Errorf("located = %d, %d, %v; want 2, 5", line, column, err)
	}
	if _, _, err := located(file, "func No", "No"); err == nil {
		t.Error("what is not there is found")
	}
}
