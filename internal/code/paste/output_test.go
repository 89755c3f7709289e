package paste

import (
	"strings"
	"testing"
)

// What a program printed is known by the strings that have its words in their order, and a
// value is in the place of a placeholder, as each language writes one.
func TestPrinted(t *testing.T) {
	for _, c := range []struct {
		query, code string
		want        bool
	}{
		{"cannot close a running coroutine", `	c.Fail("cannot close a %s coroutine", names[s])`, true},
		{"thread 'main' panicked: cannot open /etc/x.toml: No such file", `	panic!("cannot open {path}: {err}, no such file");`, true},
		{"Virtualenv app-py3.8 already exists.", "	f\"Virtualenv <c1>{name}</> already exists.\"", true},
		{"'alice' is not a member of 'staff'", `  <value>'{0}' is not a member of '{1}'</value>`, true},
		{"Failed to resolve import \"md5\" from \"src/main.ts\". Does the file exist?", "`Failed to resolve import \"${url}\" from \"${file}\". Does the file exist?`", true},
		{"2026-02-03 04:05:06 [error] The lock of bob is held by carol", "msg: The lock of #{a} is held by #{b}", true},
		// Broken over lines, and cut off.
		{"A managed resource \"x\" has not been\ndeclared in the root module.", `Sprintf("A managed resource %q has not been declared in the root module.")`, true},
		{"This operation has already ended", `"This operation has already ended, and cannot be used to create more; ask the factory for another one instead."`, true},
		{"error: Unhandled exception: The property Rule.Inject could not be mapped because it is of type List", `"The property '{0}' could not be mapped because it is of type '{1}', which is not supported. Map it, or ignore it."`, true},
		// Other words, another order, too few; a question; names of code; a remark.
		{"cannot close a running coroutine", `"cannot close a file that another coroutine reads"`, false},
		{"cannot close a running coroutine", `"coroutine running: a close cannot"`, false},
		{"cannot close a running coroutine", `"a running"`, false},
		{"how is a running coroutine closed", `"how is a running coroutine closed"`, false},
		{"is a running coroutine closed?", `"is a running coroutine closed?"`, false},
		{"close the running coroutine", `closeTheRunning(coroutine)`, false},
		{"reflection based field serialization and deserialization", " * Whether reflection based serialization and deserialization is allowed", false},
		{"three words only", `"three words only"`, false},
	} {
		got := 0
		for _, o := range Outputs(c.query) {
			got = max(got, o.Printed([]byte("a := 1\n"+c.code+"\nreturn\n")))
		}
		if got > 0 != c.want {
			t.Errorf("%q in %q: %d bytes of words", c.query, c.code, got)
		}
	}
}

// The more of a line a text has, the more it counts, in whatever strings; and a log is read
// by its messages alone.
func TestPrintedMost(t *testing.T) {
	o := Outputs("could not load the settings: no such key in table: colour")[0]
	less := o.Printed([]byte(`"could not load the settings: %w"`))
	more := o.Printed([]byte("\"could not load the settings: %w\"\n\"no such key in table: %s\""))
	if all := len("couldnotloadthesettingsnosuchkeyintable"); less != len("couldnotloadthesettings") || more != all {
		t.Errorf("%d and %d bytes, want %d of %d", less, more, len("couldnotloadthesettings"), all)
	}
	log := "Fails on start\n\nI did as the manual says, on a new machine.\nThen this came:\n\nRuntimeError: cannot close a running coroutine\n" + strings.Repeat("\n", 9)
	printed := 0
	for _, o := range Outputs(log) {
		printed = max(printed, o.Printed([]byte(`raise RuntimeError("cannot close a running coroutine")`)))
		if o.Printed([]byte(`"I did as the manual says, on a new machine."`)) > 0 {
			t.Error("prose of a report is taken for a message")
		}
	}
	if printed == 0 {
		t.Error("the message of a report is not known")
	}
	// A line of data is not read, however much of it is quotes, and what stands around it is.
	data := strings.Repeat(`\'>`, 2*longestLine)
	printing := `"could not load the settings: %w"`
	if n := o.Printed([]byte(data + printing)); n != 0 {
		t.Errorf("%d bytes in a line of data", n)
	}
	if n := o.Printed([]byte(data + "\n" + printing + "\n" + data)); n != less {
		t.Errorf("%d bytes beside lines of data, want %d", n, less)
	}
	// The first word of a string may stand right behind an escape.
	if n := o.Printed([]byte(`"\ncould not load the settings\n%v"`)); n != less {
		t.Errorf("%d bytes behind an escape, want %d", n, less)
	}
	if n := len(Outputs(strings.Repeat("one message has these words\n", 100))); n > mostOutputs {
		t.Errorf("%d lines of one text", n)
	}
}
