package codec

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

type place struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

type own string

func (own) MarshalJSON() ([]byte, error) { return []byte(`"\ufffd"`), nil }

type embedded struct {
	File string `json:"file,omitempty"`
}

type answer struct {
	*place
	embedded
	Name    string
	Hidden  string     `json:"-"`
	Hits    []place    `json:"hits,omitempty"`
	Paths   []string   `json:"paths,omitempty"`
	Cycles  [][]string `json:"cycles,omitempty"`
	By      map[string]*place
	Own     own             `json:"own"`
	Any     any             `json:"any,omitempty"`
	Raw     json.RawMessage `json:"raw,omitempty"`
	private string
}

func TestMarshal(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   any
		want string
	}{
		{"valid", place{"a/é<&>\uFFFD.go", 1}, "{\"path\":\"a/é<&>\uFFFD.go\",\"line\":1}"},
		{"path", &place{"caf\xe9.go", 1}, `{"path":"caf\ufffd.go","path_bytes":"Y2Fm6S5nbw==","line":1}`},
		{"two alike", []place{{Path: "\xfe"}, {Path: "\xff"}}, `[{"path":"\ufffd","path_bytes":"/g=="},{"path":"\ufffd","path_bytes":"/w=="}]`},
		{"none where nothing is lost", struct{ A, B string }{`\ufffd`, "\xff"}, `{"A":"\\ufffd","B":"\ufffd","B_bytes":"/w=="}`},
		{"embedded", answer{place: &place{Path: "\xff"}, embedded: embedded{"\xfe"}, Hidden: "\xff", private: "\xff"},
			`{"path":"\ufffd","path_bytes":"/w==","file":"\ufffd","file_bytes":"/g==","Name":"","By":null,"own":"\ufffd"}`},
		{"nested", answer{Name: "\xff", Hits: []place{{Path: "a"}, {Path: "\xff<"}}, Paths: []string{"a", "\xff"}, Cycles: [][]string{{"a"}, {"b", "\xff"}}, By: map[string]*place{"k": {Path: "\xff"}}, Any: place{Path: "\xff"}, Raw: json.RawMessage(`{"path":"\ufffd"}`)},
			`{"Name":"\ufffd","Name_bytes":"/w==","hits":[{"path":"a"},{"path":"\ufffd<","path_bytes":"/zw="}],"paths":["a","\ufffd"],"paths_bytes":[null,"/w=="],` +
				`"cycles":[["a"],["b","\ufffd"]],"cycles_bytes":[null,[null,"/w=="]],"By":{"k":{"path":"\ufffd","path_bytes":"/w=="}},"own":"\ufffd","any":{"path":"\ufffd","path_bytes":"/w=="},"raw":{"path":"\ufffd"}}`},
		{"a name that is taken", struct {
			Index string `json:"index"`
			Bytes int    `json:"index_bytes"`
		}{"\xff", 7}, `{"index":"\ufffd","index_name_bytes":"/w==","index_bytes":7}`},
		{"a string alone", "\xff", `"\ufffd"`},
	} {
		got, err := Marshal(tt.in)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: Marshal = %s, %v\nwant %s", tt.name, got, err, tt.want)
		}
	}
	if _, err := Marshal(func() {}); err == nil {
		t.Error("a function was written as JSON")
	}
}

func TestLines(t *testing.T) {
	var b bytes.Buffer
	if err := WriteLines(&b, []place{{Path: "a"}, {Path: "\xff"}}); err != nil {
		t.Fatal(err)
	}
	if want := "{\"path\":\"a\"}\n{\"path\":\"\\ufffd\",\"path_bytes\":\"/w==\"}\n"; b.String() != want {
		t.Errorf("Lines = %q, want %q", b.String(), want)
	}
}

// Whatever the name, it can be read back.
func FuzzMarshal(f *testing.F) {
	f.Add("caf\xe9.go")
	f.Add("\uFFFD\\ufffd\xff\"<")
	f.Fuzz(func(t *testing.T, path string) {
		data, err := Marshal([]place{{Path: path}})
		var back []struct {
			Path  string `json:"path"`
			Bytes []byte `json:"path_bytes"`
		}
		if err != nil || json.Unmarshal(data, &back) != nil {
			t.Fatalf("Marshal(%q) = %s, %v", path, data, err)
		}
		got := back[0].Path
		if back[0].Bytes != nil {
			got = string(back[0].Bytes)
		}
		if got != path || (back[0].Bytes == nil) != utf8.ValidString(path) {
			t.Errorf("Marshal(%q) = %s", path, data)
		}
	})
}

func TestUnmarshal(t *testing.T) {
	type question struct {
		Path  string   `json:"path"`
		Paths []string `json:"paths,omitempty"`
	}
	want := question{"caf\xe9", []string{"a", "\xff", "é"}}
	data, err := Marshal(want)
	var got question
	if err != nil || Unmarshal(data, &got) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Unmarshal(%s) = %q, want %q", data, got, want)
	}
	for _, bad := range []string{`{"path":"\ufffd","path_bytes":1}`, `{"paths":["\ufffd"],"paths_bytes":"a"}`, `{"path":"\ufffd"`, `[]`} {
		if err := Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("Unmarshal(%s) = %q", bad, got)
		}
	}
	got = question{}
	if err := Unmarshal([]byte(`{"path":"\ufffd","else_bytes":"/w==","paths_bytes":["/w=="]}`), &got); err != nil || got.Path != "\uFFFD" || got.Paths != nil {
		t.Errorf("Unmarshal of members that belong to none = %q, %v", got, err)
	}
}
