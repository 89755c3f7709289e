package apidoc

import (
	"slices"
	"strings"
	"testing"
)

const someAssembly = `<?xml version="1.0"?>
<doc>
  <assembly><name>Some.Json</name></assembly>
  <members>
    <member name="T:Some.Json.Writer"><summary>Writes JSON.</summary></member>
    <member name="M:Some.Json.Writer.#ctor(System.IO.Stream)"><summary>Makes a writer.</summary><param name="to">Where to.</param></member>
    <member name="M:Some.Json.Writer.Put(System.String,System.Collections.Generic.Dictionary{System.String,System.Int32})">
      <summary>Puts a <see cref="T:System.String"/>.</summary><param name="name">Its name.</param><param name="map">A map.</param>
      <returns>The writer.</returns><exception cref="T:System.ArgumentException">There is no name.</exception>
    </member>
    <member name="M:Some.Json.Writer.Put(System.String)"><summary>Puts one alone.</summary><param name="name">Its name.</param></member>
    <member name="M:Some.Json.Maps` + "`2.Get``1(`0,``0@)" + `"><summary>Gets it.</summary><typeparam name="T">Of it.</typeparam><param name="key">K.</param><param name="it">I.</param></member>
    <member name="P:Some.Json.Writer.Options.Depth"><summary>How deep.</summary></member>
    <member name="F:Some.Json.Writer._hidden"><summary>Hidden.</summary></member>
    <member name="P:Some.Json.Writer.Silent"></member>
  </members>
</doc>`

func TestMembers(t *testing.T) {
	var got []string
	for _, e := range Read("lib/net8.0/Some.Json.xml", Assembly, []byte(someAssembly), nil) {
		line := strings.Join(e.Trail, " > ")
		for _, b := range e.Blocks {
			line += " | " + strings.ReplaceAll(b.Text, "\n", " ; ")
		}
		if e.Title != e.Trail[len(e.Trail)-1] || e.Line < 5 {
			t.Errorf("%+v", e)
		}
		got = append(got, line)
	}
	want := []string{
		"Some.Json > Writer | Writer | Writes JSON.",
		"Some.Json > Writer > Writer.Writer | Writer(Stream to) | Makes a writer. | Parameters: ; - `to`: Where to.",
		"Some.Json > Writer > Writer.Put | Put(string name, Dictionary<string,int> map) ; Put(string name) | Puts a `System.String`. | Puts one alone. | Parameters: ; - `name`: Its name. ; - `map`: A map. | Returns: The writer. | Errors: ; - `System.ArgumentException`: There is no name.",
		"Some.Json > Maps > Maps.Get | Get(T key, T it) | Gets it. | Parameters: ; - `T`: Of it. ; - `key`: K. ; - `it`: I.",
		"Some.Json > Writer.Options > Writer.Options.Depth | Depth | How deep.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := Read("lib/net8.0/x.xml", Assembly, []byte("<project><member name=\"x\">y</member></project>"), nil); len(got) > 0 {
		t.Errorf("of another file: %+v", got)
	}
}

// One framework's file is read of a package, and none of a tree that is no package.
func TestOneTarget(t *testing.T) {
	all := []string{"README.md", "lib/net462/A.xml", "lib/net6.0/A.xml", "lib/net10.0/A.xml", "lib/netstandard2.0/A.xml", "lib/netstandard2.0/B.xml", "lib/net8.0/de/A.xml", "lib/net35/C.xml", "lib/net45/C.xml"}
	if got, want := OneTarget(all), []string{"README.md", "lib/net10.0/A.xml", "lib/netstandard2.0/B.xml", "lib/net8.0/de/A.xml", "lib/net45/C.xml"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for p, want := range map[string]string{"lib/net8.0/A.xml": Assembly, "ref/net8.0/A.xml": Assembly, "lib/net8.0/de/A.xml": "", "A.xml": "", "src/net8.0/A.xml": ""} {
		if got := Language(p, true); got != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
		if got := Language(p, false); got != "" {
			t.Errorf("%s of no package: %q", p, got)
		}
	}
}

func FuzzMembers(f *testing.F) {
	f.Add([]byte(someAssembly))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, e := range members(data) {
			if e.Title == "" || e.Line < 1 || len(e.Trail) == 0 {
				t.Errorf("%+v", e)
			}
		}
	})
}
