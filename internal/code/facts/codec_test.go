package facts

import (
	"errors"
	"reflect"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

func sample() *corpus.Facts {
	return &corpus.Facts{
		Module: "pkg", Build: "linux && !cgo", Missed: 2,
		Decls: []corpus.Decl{
			{Kind: corpus.Class, Name: "A", Span: corpus.Span{Start: 10, End: 90}, NameAt: 16, Body: 20, Exported: true, Parent: -1, Bases: []string{"B"}},
			{Kind: corpus.Method, Name: "f", Scope: "A", Span: corpus.Span{Start: 30, End: 80}, NameAt: 44, Body: 50, Traits: corpus.Async,
				Doc: corpus.Span{Start: 30, End: 40}, Params: []string{"self", "x: int"}, Result: "str", Marks: []string{"cached"}, Parent: 0},
		},
		Imports:  []corpus.Import{{Path: "os.path", Names: []corpus.Name{{Name: "join", Alias: "j"}}, Kind: corpus.Conditional, At: 3, In: -1}},
		Calls:    []corpus.Call{{Callee: "join", Receiver: "self.x", At: 55, Args: -1, In: 1}, {Callee: "T", At: 60, Args: 3, New: true, In: 0, Given: "x", Block: 56}, {Callee: "size", At: 70, Args: corpus.Selected, In: 1, Block: 61}},
		Bindings: []corpus.Binding{{Name: "x", Type: "int", At: 46, Param: 2, In: 1}, {Name: "self.y", Value: "T()", At: 60, In: 1}},
	}
}

func counted(d *corpus.Decl) bool { return d.Kind == corpus.Function || d.Kind == corpus.Method }

func TestCodec(t *testing.T) {
	f := sample()
	head, body := Encode(f, counted)
	got, err := Decode(head, body)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, f) {
		t.Errorf("decoded\n%+v\nwant\n%+v", got, f)
	}
	h, err := decodeHead(head, false)
	if err != nil || h.Functions != 1 || h.Public != 0 || h.Decls != 2 || h.Calls != 3 || h.Missed != 2 {
		t.Errorf("head = %+v, %v", h, err)
	}
}

// The declarations alone are read of a record that has what is wanted; of one that is cut off
// or changed nothing is read as if it were sound.
func TestDecodeDecls(t *testing.T) {
	f := sample()
	head, body := Encode(f, counted)
	got, err := DecodeDecls(body, func(s string) bool { return s == f.Decls[1].Name })
	if err != nil || !reflect.DeepEqual(got, f.Decls) {
		t.Errorf("%+v, %v, want %+v", got, err, f.Decls)
	}
	if got, err := DecodeDecls(body, func(s string) bool { return s == "nothing of it" }); got != nil || err != nil {
		t.Errorf("of what has none: %+v, %v", got, err)
	}
	if got, err := DecodeDecls(nil, func(string) bool { return true }); got != nil || err != nil {
		t.Errorf("of nothing: %+v, %v", got, err)
	}
	for n := 1; n < len(body); n++ {
		if _, err := Decode(head, body[:n]); !errors.Is(err, errCorrupt) {
			t.Errorf("a body cut off at %d of %d: %v", n, len(body), err)
		}
	}
	for n := range len(head) {
		if _, err := decodeHead(head[:n], true); n > 0 && !errors.Is(err, errCorrupt) {
			t.Errorf("a head cut off at %d of %d: %v", n, len(head), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	head, body := Encode(sample(), counted)
	f.Add(head, body)
	f.Add(head[:5], body[:20])
	f.Fuzz(func(t *testing.T, head, body []byte) {
		got, err := Decode(head, body)
		if err != nil {
			return
		}
		for i, d := range got.Decls {
			if int(d.Parent) >= i || d.Span.Start < 0 || d.Span.Len() < 0 {
				t.Fatalf("%+v", d)
			}
		}
		for _, c := range got.Calls {
			if int(c.In) >= len(got.Decls) {
				t.Fatalf("%+v", c)
			}
		}
	})
}
