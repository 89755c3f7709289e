package docs

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A question without a library goes to all that the project depends on, at its versions.
func TestInstalled(t *testing.T) {
	dir := tree(t, map[string]string{
		"package.json":                    `{"dependencies":{"queue":"^1.0.0","paint":"^2.0.0","absent":"1"}}`,
		"node_modules/queue/package.json": `{"name":"queue","version":"1.4.0","repository":"github:who/queue"}`, "node_modules/queue/README.md": "# Queue\n\nPut jobs into a queue, and retry those that fail.\n",
		"node_modules/queue/dist/index.d.ts": "/** Adds a job. */\nexport declare function enqueue(job: Job): void;\n",
		"node_modules/paint/package.json":    `{"name":"paint","version":"2.0.1"}`, "node_modules/paint/README.md": "# Paint\n\nDraw a circle in a colour.\n",
	})
	f := feature(t, dir)
	if _, err := f.Query(t.Context(), QueryInput{ID: "how are failed jobs retried"}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("before anything was read: %v", err)
	}
	got, err := f.Ingest(t.Context(), IngestInput{Installed: true})
	if err != nil || len(got.Libraries) != 2 || len(got.Skipped) != 1 || got.Skipped[0].Package != "absent" {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, in := range []QueryInput{{ID: "how are failed jobs retried"}, {ID: ".", Query: "how are failed jobs retried"}} {
		a, err := f.Query(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Libraries, []string{"/npm/paint/2.0.1", "/who/queue/1.4.0"}) || a.Snippets[0].Library != "/who/queue/1.4.0" || a.Snippets[0].Path != "README.md" {
			t.Errorf("%+v", a)
		}
		var b bytes.Buffer
		if err := a.WriteText(&b, false); err != nil || !strings.HasPrefix(b.String(), "Library: /who/queue/1.4.0\n\n### Queue\n") {
			t.Errorf("%s, %v", b.String(), err)
		}
	}
	// "circle" is a word of one library alone; what the others say of "draw" counts less.
	a, err := f.Query(t.Context(), QueryInput{ID: ".", Query: "enqueue"})
	if err != nil || len(a.Snippets) == 0 || a.Snippets[0].Title != "enqueue" {
		t.Errorf("%+v, %v", a, err)
	}
	again, err := f.Ingest(t.Context(), IngestInput{Installed: true})
	if err != nil || !again.Libraries[0].Unchanged || !again.Libraries[1].Unchanged {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := f.Query(t.Context(), QueryInput{ID: "."}); fault.KindOf(err) != fault.Usage {
		t.Errorf("no question: %v", err)
	}
	if _, err := f.Ingest(t.Context(), IngestInput{Installed: true, Where: Where{ID: "/a/b"}}); fault.KindOf(err) != fault.Usage {
		t.Errorf("with an ID: %v", err)
	}
	empty := feature(t, t.TempDir())
	if _, err := empty.Ingest(t.Context(), IngestInput{Installed: true}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("without a project: %v", err)
	}
}
