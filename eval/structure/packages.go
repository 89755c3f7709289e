package main

// A subject is a package that the golden figures are measured on, at a version
// that its registry keeps.
type subject struct {
	name, version string
	from          string // npm, Debian, or Debian's sources
	root          string // the folder of the sources in it
	language      string // whose programs tell the truth: ecma, python or java
	site          []pin  // Debian packages that it imports
}

// A pin is a package and its version.
type pin struct{ name, version string }

const (
	npmOrigin    = "npm"
	debianOrigin = "Debian"
	sourceOrigin = "Debian's sources"
)

// suite is the release of Debian whose packages are taken.
const suite = "bookworm"

const (
	debianPython = "usr/lib/python3/dist-packages"
	mavenSources = "src/main/java"
)

var (
	typescript = pin{"typescript", "5.9.3"}
	pyright    = pin{"pyright", "1.1.414"} // 1.1.407 stops answering
	mypy       = []pin{
		{"python3-mypy", "1.0.1-1"},
		{"python3-mypy-extensions", "0.4.3-4"},
		{"python3-typing-extensions", "4.4.0-1"},
		{"python3-typeshed", "0.0~git20221107.4f381af-1"},
	}
)

// subjects are the packages, in the order of the golden file. The Go modules are
// those of go.mod and measured by go test.
var subjects = []subject{
	{name: "mobx", version: "6.13.7", from: npmOrigin, root: "src", language: "ecma"},
	{name: "rxjs", version: "7.8.2", from: npmOrigin, root: "src", language: "ecma"},
	{name: "python3-werkzeug", version: "2.2.2-3+deb12u1", from: debianOrigin, root: debianPython, language: "python",
		site: []pin{{"python3-markupsafe", "2.1.2-1+b1"}}},
	{name: "python3-docutils", version: "0.19+dfsg-6", from: debianOrigin, root: debianPython, language: "python",
		site: []pin{{"python3-roman", "3.3-3"}, {"python3-pygments", "2.14.0+dfsg-1"}}},
	{name: "commons-io", version: "2.11.0-2", from: sourceOrigin, root: mavenSources, language: "java"},
	{name: "jsoup", version: "1.15.3-1", from: sourceOrigin, root: mavenSources, language: "java"},
}

func names() (out []string) {
	for _, s := range subjects {
		out = append(out, s.name)
	}
	return out
}
