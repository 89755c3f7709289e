package library

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/text"
)

// program returns code of many statements, of which one has a word of its own.
func program(statements, at int, word string) string {
	var b strings.Builder
	for i := range statements {
		name := fmt.Sprintf("step%d", i)
		if i == at {
			name = word
		}
		fmt.Fprintf(&b, "def %s(a, b):\n    first = a + b\n    return first\n", name)
	}
	return strings.TrimRight(b.String(), "\n")
}

// Whatever a budget is, a snippet fits into it: code is cut between statements, around the words of the question, and says so.
func TestFit(t *testing.T) {
	long := program(400, 300, "paintCircle")
	for _, c := range []struct {
		name, content string
		tokens        int
		has, lacks    []string
	}{
		{"as it is", "Words.\n\n```python\nx = 1\n```", 500, []string{"x = 1\n```"}, []string{"Lines"}},
		{"around a word", "Words.\n\n```python\n" + long + "\n```", 500, []string{"Words.", "```python\ndef ", "def paintCircle(a, b):", "    return first\n```\n\n(Lines ", " of 1200; all of it takes ", "--tokens "}, []string{"step1("}},
		{"without one", "```python\n" + program(400, -1, "") + "\n```", 500, []string{"```python\ndef step0(a, b):", "(Lines 1-"}, nil},
		{"one long statement", "```js\nconst a = {\n" + strings.Repeat("  key: 'value',\n", 900) + "}\n```", 300, []string{"const a = {\n", "'value',\n```\n\n(Lines 1-"}, nil},
		{"prose", strings.Repeat("A sentence of some words. ", 400), 300, []string{"A sentence of some words. …\n\n(The beginning; all of it takes"}, nil},
		{"code in longer fences", "````md\n" + strings.Repeat("```\na\n```\n", 500) + "````", 300, []string{"````md\n", "\n````\n\n(Lines 1-"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Snippet{Title: "T", URL: "https://x/y", Content: c.content}
			got := s.fit(c.tokens, []string{"circle", "paintCircle"})
			if cost := text.Tokens(len(got.Text()) + len(Separator)); cost > c.tokens || got.Cut == (got.Content == c.content) {
				t.Errorf("%d tokens, cut %v:\n%s", cost, got.Cut, got.Content)
			}
			for _, want := range c.has {
				if !strings.Contains(got.Content, want) {
					t.Errorf("lacks %q:\n%s", want, got.Content)
				}
			}
			for _, not := range c.lacks {
				if strings.Contains(got.Content, not) {
					t.Errorf("has %q:\n%s", not, got.Content)
				}
			}
		})
	}
}

// Twins do not fill an answer: if they are long or have one title, snippets that are ranked after them come before the second.
func TestTwinsAreLast(t *testing.T) {
	sync := strings.Repeat("Send a request with the client and read its answer line by line. ", 12)
	async := strings.ReplaceAll(sync, "Send a request", "await Send a request")
	other := strings.Repeat("The pool closes idle connections after a minute, and opens new ones on demand. ", 12)
	tests := []struct {
		name   string
		titles string // of the twins and of the other
		tokens int
		want   string
	}{
		{"long", "sync async other", 1200, "sync other async"},
		{"too long for the budget", "sync async other", 600, "sync other"},
		{"short, of two titles", "sync async other", 20_000, "sync async other"},
		{"short, of one title", "Post Post other", 20_000, "Post other Post"},
		{"one title, but no twins", "Post other Post", 20_000, "Post other Post"},
	}
	contents := map[string]string{"sync": sync, "async": async, "other": other}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var found []ranked
			for i, title := range strings.Fields(tt.titles) {
				content := contents[title]
				if title == "Post" {
					content = []string{sync, async, "Post a form with its fields."}[i]
				}
				found = append(found, ranked{s: Snippet{Title: title, Content: content}, whole: true})
			}
			var a DocsAnswer
			if err := a.take(found, tt.tokens, nil, nil); err != nil {
				t.Fatal(err)
			}
			var titles []string
			for _, s := range a.Snippets {
				titles = append(titles, s.Title)
			}
			if got := strings.Join(titles, " "); got != tt.want || len(a.Snippets)+a.More != len(found) {
				t.Errorf("%s and %d more, want %s", got, a.More, tt.want)
			}
		})
	}
}
