package main

import "testing"

// Every label and project of the natural set can be read, and each label is of a project.
func TestNaturalData(t *testing.T) {
	projects := map[string]string{}
	all, err := rows("projects.tsv", 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		projects[p[1]] = p[0]
	}
	for _, file := range []string{"shadows.tsv", "drift.tsv"} {
		labels, err := rows(file, 6)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range labels {
			if projects[l[0]] == "" || l[4] != "true" && l[4] != "false" || l[5] == "" {
				t.Errorf("%s: %q", file, l)
			}
		}
	}
}
