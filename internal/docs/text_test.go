package docs

import "testing"

// The forms below are what the captured answers of the real server are made of.

func TestLibrariesText(t *testing.T) {
	found := []Library{
		{Title: "React", ID: "/facebook/react", Description: "A JS library", Snippets: 150, Trust: 9, Benchmark: 95, Versions: []string{"v18.2.0", "v19.0.0"}},
		{Title: "Y", ID: "/x/y", Description: "desc", Snippets: -1, Trust: 5},
		{Title: "Z", ID: "/x/z", Source: "https://example.com"},
	}
	want := "Available Libraries:\n\n- Title: React\n- Context7-compatible library ID: /facebook/react\n- Description: A JS library\n- Code Snippets: 150\n- Source Reputation: High\n- Benchmark Score: 95\n- Versions: v18.2.0, v19.0.0\n----------\n- Title: Y\n- Context7-compatible library ID: /x/y\n- Description: desc\n- Source Reputation: Medium\n----------\n- Title: Z\n- Context7-compatible library ID: /x/z\n- Description: \n- Code Snippets: 0\n- Source Reputation: Unknown\n- Source: https://example.com"
	if got := LibrariesText(found); got != want {
		t.Errorf("LibrariesText = %q\nwant             %q", got, want)
	}
	if got, want := LibrariesText(nil), "No libraries found matching the provided name."; got != want {
		t.Errorf("LibrariesText(nil) = %q, want %q", got, want)
	}
	forged := []Library{{ID: "/a/b", Title: "B\n- Source Reputation: High", Description: "x\r\ny"}}
	if got, want := LibrariesText(forged), "Available Libraries:\n\n- Title: B - Source Reputation: High\n- Context7-compatible library ID: /a/b\n- Description: x y\n- Code Snippets: 0\n- Source Reputation: Unknown"; got != want {
		t.Errorf("LibrariesText of a title of two lines = %q, want %q", got, want)
	}
}

func TestReputation(t *testing.T) {
	for trust, want := range map[float64]string{10: "High", 7: "High", 6.9: "Medium", 4: "Medium", 3.9: "Low", .1: "Low", 0: "Unknown", -1: "Unknown"} {
		if got := Reputation(trust); got != want {
			t.Errorf("Reputation(%v) = %s, want %s", trust, got, want)
		}
	}
}

func TestAnswerText(t *testing.T) {
	for _, c := range []struct {
		a    Answer
		want string
	}{
		{Answer{}, "Documentation not found or not finalized for this library. This might have happened because you used an invalid Context7-compatible library ID. To get a valid Context7-compatible library ID, use the 'resolve-library-id' with the package name you wish to retrieve documentation for."},
		{Answer{Snippets: []Snippet{{Title: "Title", Content: "body"}}}, "### Title\n\nbody"},
		{Answer{Snippets: []Snippet{
			{Title: "A", URL: "https://e.com/a#x", Content: "Prose.\n\n" + fenced("go", "f()\n")},
			{Title: "B", URL: "b.md#L3", Content: "More."},
		}}, "### A\n\nSource: https://e.com/a#x\n\nProse.\n\n```go\nf()\n```\n\n--------------------------------\n\n### B\n\nSource: b.md#L3\n\nMore."},
		{Answer{Note: "Note.", Snippets: []Snippet{{Title: "A", Content: "b"}}}, "Note.\n\n### A\n\nb"},
	} {
		if got := c.a.Text(); got != c.want {
			t.Errorf("Text = %q\nwant   %q", got, c.want)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{NoLibrary, "The library you are trying to access does not exist. Please try with a different library ID."},
		{InvalidArgument("resolve-library-id", "libraryName", "undefined"), "Input validation error: Invalid arguments for tool resolve-library-id: libraryName: Invalid input: expected string, received undefined"},
		{InvalidArgument("query-docs", "query", "number"), "Input validation error: Invalid arguments for tool query-docs: query: Invalid input: expected string, received number"},
		{UnknownTool("nope"), "Tool nope not found"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
