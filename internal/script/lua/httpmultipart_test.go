package lua

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// formServer answers a form of parts with what was in it.
func formServer(t *testing.T) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			t.Error(err)
			return
		}
		for _, name := range slices.Sorted(maps.Keys(r.MultipartForm.Value)) {
			fmt.Fprintf(w, "%s=%q ", name, r.MultipartForm.Value[name])
		}
		for _, name := range slices.Sorted(maps.Keys(r.MultipartForm.File)) {
			for _, h := range r.MultipartForm.File[name] {
				f, err := h.Open()
				if err != nil {
					t.Error(err)
					return
				}
				b, _ := io.ReadAll(f)
				fmt.Fprintf(w, "%s:%s(%s)=%q ", name, h.Filename, h.Header.Get("Content-Type"), b)
			}
		}
	}).URL
}

func TestMultipart(t *testing.T) {
	url, dir := formServer(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.bin"), []byte("\x00\xffb"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, multipart, want string }{
		{"a map, as form has it", `{title = "x", n = 3, ok = true}`, `n=["3"] ok=["true"] title=["x"] `},
		{"a list of values", `{tag = {"a", "b", 3}}`, `tag=["a" "b" "3"] `},
		{"a file by its path", `{title = "x", upload = {path = "a.bin"}}`, `title=["x"] upload:a.bin(application/octet-stream)="\x00\xffb" `},
		{"a file with name and type", `{upload = {path = "a.bin", filename = "b.png", type = "image/png"}}`, `upload:b.png(image/png)="\x00\xffb" `},
		{"several files of one name", `{upload = {{path = "a.bin"}, {content = "z", filename = "z.txt"}}}`, `upload:a.bin(application/octet-stream)="\x00\xffb" upload:z.txt(application/octet-stream)="z" `},
		{"a list and a map at once", `{{name = "note", content = "hi"}, title = "x"}`, `note=["hi"] title=["x"] `},
		{"nothing", `{}`, "t.lua:1: http.post: multipart: there are no parts"},
		{"a hole", `{{name = "a", content = "b"}, nil, {name = "c", content = "d"}}`, "t.lua:1: http.post: multipart: part 2 must be a table"},
		{"a part with a number of its own", `{[3] = {name = "c", content = "d"}}`, "t.lua:1: http.post: multipart: the list of parts has a hole: part 1 is nil"},
		{"an unknown field", `{upload = {pth = "a.bin"}}`, `t.lua:1: http.post: multipart: upload: unknown field "pth": did you mean path?`},
		{"both a text and a file", `{upload = {path = "a.bin", content = "x"}}`, `t.lua:1: http.post: multipart: upload needs either content or path`},
		{"a value that is no text", `{title = print}`, "t.lua:1: http.post: multipart: title must be a string, a number, a boolean, a table with content or path, or a list of them"},
		{"null", `{title = json.null}`, "t.lua:1: http.post: multipart: title must be a string, a number, a boolean, a table with content or path, or a list of them"},
		{"a part of the list without a name", `{{content = "x"}}`, "t.lua:1: http.post: multipart: part 1 needs a name"},
		{"a file that is not there", `{upload = {path = "none"}}`, `t.lua:1: http.post: multipart: upload: reading "none": no such file or directory`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			says(t, Options{Dir: dir}, url, `return http.post(U, nil, {multipart = `+tt.multipart+`}).body`, any(tt.want))
		})
	}
}

// A script under a policy sends files of its scratch folder, and no others.
func TestMultipartPolicy(t *testing.T) {
	url, dir, scratch := formServer(t), t.TempDir(), t.TempDir()
	for _, d := range []string{dir, scratch} {
		if err := os.WriteFile(filepath.Join(d, "a.txt"), []byte("in "+filepath.Base(d)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "a.txt"), filepath.Join(scratch, "link")); err != nil {
		t.Fatal(err)
	}
	policy := func(folder string) Options {
		return Options{Dir: dir, Policy: &Policy{Hosts: []string{url[len("http://"):]}, Methods: []string{"POST"}, Scratch: folder}}
	}
	const send = `return http.post(U, nil, {multipart = {upload = {path = "%s"}}}).body`
	says(t, policy(scratch), url, fmt.Sprintf(send, "a.txt"), any(fmt.Sprintf("upload:a.txt(application/octet-stream)=%q ", "in "+filepath.Base(scratch))))
	for path, o := range map[string]Options{"a.txt": policy(""), "../" + filepath.Base(dir) + "/a.txt": policy(scratch), filepath.Join(dir, "a.txt"): policy(scratch), "link": policy(scratch)} {
		o.Globals = map[string]any{"U": url}
		if got, err := eval(t, o, fmt.Sprintf(send, path)); err == nil {
			t.Errorf("%s was sent: %v", path, got)
		}
	}
}
