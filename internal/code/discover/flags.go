package discover

import (
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// PathFlags returns what the path of a document alone tells of it.
func PathFlags(p string) corpus.Flags {
	dir, name := path.Split(p)
	prose := proseExt(path.Ext(lower(name)))
	var f corpus.Flags
	for top := true; dir != ""; top = false {
		part, rest, _ := strings.Cut(dir, "/")
		dir = rest
		if low := lower(part); prose && (low == "spec" || low == "specs") {
			continue // what is specified there is not tests
		}
		f |= folderFlags(part, top)
		if top && part == "testing" && path.Ext(name) == ".py" {
			f |= corpus.Test // in other languages it is the name of libraries for tests
		}
	}
	return f | nameFlags(name)
}

func proseExt(ext string) bool {
	switch ext {
	case ".md", ".mdx", ".rst", ".txt", ".adoc", ".rdoc", ".org", ".html", ".tex":
		return true
	}
	return false
}

// folderFlags returns what a folder's name says of what is in it.
func folderFlags(name string, top bool) corpus.Flags {
	switch low := lower(name); low {
	case "test", "tests", "__tests__", "spec", "specs", "testdata", "test-data", "test_data", "testutil", "testutils",
		"test-utils", "test_utils", "fixture", "fixtures", "__fixtures__", "mock", "mocks", "__mocks__", "__snapshots__", "e2e", "unittests":
		return corpus.Test
	case "benches":
		return corpus.Example
	case "vendor", "vendors", "vendored", "_vendor", "_vendored", "third_party", "third-party", "thirdparty", "3rdparty", "3rd_party", "3rd-party", "node_modules", "bower_components",
		"jspm_packages", "godeps", "pods", "carthage", "site-packages", "dist-packages", ".yarn":
		return corpus.Vendored
	case "external", "externals", "extern", "deps":
		// Further down these are words like others.
		if top {
			return corpus.Vendored
		}
		return 0
	case "generated", "__generated__", ".generated":
		return corpus.Generated
	}
	first, last, _ := ends(name)
	return wordFlags(first, last)
}

// wordFlags returns what the first and the last word of a name say.
func wordFlags(first, last string) (f corpus.Flags) {
	switch last {
	case "test", "tests":
		f |= corpus.Test
	case "example", "examples", "demo", "demos", "sample", "samples", "bench", "benchmark", "benchmarks", "playground", "playgrounds":
		f |= corpus.Example
	}
	for _, w := range [...]string{first, last} {
		switch w {
		case "compat", "compatibility", "legacy", "deprecated", "obsolete":
			f |= corpus.Compat
		case "win", "win32", "win64", "windows", "winnt", "winapi", "plan9", "solaris", "sunos", "aix", "illumos", "os390", "zos", "ibmi", "cygwin", "haiku":
			f |= corpus.Platform
		}
	}
	return f
}

// nameFlags returns what a file's name says.
func nameFlags(name string) (f corpus.Flags) {
	low := lower(name)
	switch {
	case lockName(low) || dataName(low, 0):
		f |= corpus.Lock
	case generatedName(low):
		f |= corpus.Generated
	}
	if strings.Contains(low, ".min.") || strings.HasSuffix(low, "-min.js") || strings.HasSuffix(low, "-min.css") {
		f |= corpus.Minified
	}
	for _, end := range [...]string{".d.ts", ".d.mts", ".d.cts", ".pyi"} {
		if strings.HasSuffix(low, end) {
			f |= corpus.Stub
		}
	}
	ext := path.Ext(low)
	switch {
	case proseExt(ext):
		return f // "how-to-test.md" is about tests, not one
	case ext == ".go":
		// The tool chain knows tests by this end alone.
		if strings.HasSuffix(low, "_test.go") {
			f |= corpus.Test
			if strings.HasPrefix(low, "example_") {
				f |= corpus.Example
			}
		}
		first, last, _ := ends(name[:len(name)-len(ext)])
		return f | wordFlags(first, last)&(corpus.Compat|corpus.Platform)
	case ext == ".bats", ext == ".snap":
		return f | corpus.Test
	}
	stem := name[:len(name)-len(ext)]
	first, last, camel := ends(stem)
	f |= wordFlags(first, last)
	switch {
	case low == "conftest.py", last == "unittest", last == "testcase",
		first == "test" && len(stem) > len("test_") && strings.ContainsRune("_-.", rune(stem[len("test")])),
		(last == "spec" || last == "specs") && !camel && len(stem) > len(last):
		f |= corpus.Test
	case camel && last == "spec" || camel && last == "suite":
		switch ext {
		case ".scala", ".kt", ".groovy", ".hs", ".swift":
			f |= corpus.Test
		}
	}
	return f
}

// ends returns the first and the last word of a name in lower case: words are
// parted by signs or start with a capital. Camel says that a capital starts the
// last.
func ends(name string) (first, last string, camel bool) {
	name = strings.Trim(name, "_-. ")
	cut := strings.IndexAny(name, "_-. ")
	if cut < 0 {
		cut = len(name)
	}
	first = lower(name[:cut])
	last = name[strings.LastIndexAny(name, "_-. ")+1:]
	for i := len(last) - 1; i > 0; i-- {
		if upper(last[i]) && lowerOrDigit(last[i-1]) {
			return first, lower(last[i:]), true
		}
	}
	return first, lower(last), false
}

// lower returns s with its capitals small, those of ASCII alone, so that it stays
// as long as it is.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if upper(c) {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func upper(c byte) bool        { return 'A' <= c && c <= 'Z' }
func lowerOrDigit(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// lockName reports whether a file of that lower-cased name is a record of
// dependencies.
func lockName(low string) bool {
	switch low {
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "go.sum", "go.work.sum", "package.resolved",
		"cartfile.resolved", "gradle.lockfile", "packages.lock.json", "cabal.project.freeze", "project.assets.json", ".terraform.lock.hcl":
		return true
	}
	return strings.HasSuffix(low, ".lock")
}

// generatedName reports whether programs alone write files of that lower-cased
// name.
func generatedName(low string) bool {
	for _, end := range [...]string{".pb.go", ".pb.gw.go", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.cc", ".pb.h", ".pb.c", ".pb.swift", ".pb.rb",
		"_pb.rb", "_pb.js", "_pb.d.ts", "_pb.ts", ".g.dart", ".freezed.dart", ".designer.cs", ".designer.vb", ".g.cs", ".g.i.cs"} {
		if strings.HasSuffix(low, end) {
			return true
		}
	}
	ext := path.Ext(low)
	// A task phx.gen.auth.ex is named for what it does.
	if strings.HasSuffix(strings.TrimSuffix(low[:len(low)-len(ext)], ".d"), ".gen") && ext != ".ex" && ext != ".exs" {
		return true
	}
	return strings.Contains(low, ".generated.") || strings.Contains(low, "_generated.") || strings.HasPrefix(low, "zz_generated") || strings.HasPrefix(low, "moc_") && ext == ".cpp"
}

// dataName reports whether a file of that lower-cased name and size is a bulk of
// data rather than something to be read.
func dataName(low string, size int) bool {
	switch path.Ext(low) {
	case ".svg", ".csv", ".tsv", ".map", ".log", ".po", ".pot", ".snap", ".har", ".eps", ".dxf", ".stl", ".ics":
		return true
	case ".json", ".jsonl", ".ndjson", ".geojson", ".xml", ".plist", ".xlf", ".xliff", ".dat":
		return size > 64<<10
	case ".resx":
		// What a program says, and not its translation: Strings.de.resx.
		if !strings.Contains(strings.TrimSuffix(low, ".resx"), ".") {
			return size > 512<<10
		}
		return size > 64<<10
	case ".yaml", ".yml", ".sql":
		return size > 256<<10
	}
	return false
}
