package facts_test

import "testing"

// TestLooseNames asks for the members of an enumeration of C++ as the code names them: by the namespace around it.
func TestLooseNames(t *testing.T) {
	tree := map[string]string{
		"a.hpp": "namespace log { namespace level { enum lv : int { err = 1, off }; enum class kind { err }; } }\n",
		"b.cpp": "#include \"a.hpp\"\nint f() { return log::level::err; }\nint g() { return log::level::off; }\n",
	}
	for _, symbol := range []string{"level::err", "log::level::err", "lv::err"} {
		if got, want := uses(t, tree, symbol), "b.cpp:2:30 read exact"; got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}
