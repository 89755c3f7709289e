package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/op"
)

type shared struct {
	Root string `json:"root,omitempty" flag:"root" help:"a folder"`
}

// An echoInput has an argument of every kind.
type echoInput struct {
	Word   string   `json:"word" arg:"1" min:"2" stdin:"true" help:"a word"`
	Second string   `json:"second,omitempty" arg:"2" flag:"second" stdin:"true"`
	Rest   []string `json:"rest,omitempty" arg:"rest" flag:"also,a"`
	Mode   string   `json:"mode,omitempty" flag:"mode" enum:"fast|slow" help:"how"`
	N      int      `json:"n,omitempty" flag:"count,num,n" min:"1" max:"9" help:"how many"`
	Least  *float64 `json:"least,omitempty" flag:"least" min:"0" max:"1"`
	Rate   float64  `json:"rate,omitempty" flag:"rate"`
	Yes    bool     `json:"yes,omitempty" flag:"yes,y" group:"answer"`
	No     bool     `json:"no,omitempty" flag:"no" group:"answer"`
	Cursor string   `json:"cursor,omitempty" flag:"cursor"`
	shared
}

// An echo is the input as an answer.
type echo struct{ echoInput }

func (e echo) WriteText(w io.Writer, colour bool) error {
	b, err := json.Marshal(e.echoInput)
	if err == nil {
		_, err = fmt.Fprintf(w, "%s\n", b)
	}
	if colour && err == nil {
		_, err = io.WriteString(w, "in colour\n")
	}
	return err
}

func (e echo) WriteLines(w io.Writer) error {
	_, err := fmt.Fprintf(w, "{\"word\":%q}\n", e.Word)
	return err
}

type nothing struct{}

// fakes are operations that do as the test says.
func fakes(do func(ctx context.Context, out op.Out) (op.Result, error)) []op.Op {
	run := func(ctx context.Context, in any, out op.Out) (op.Result, error) {
		if do != nil {
			return do(ctx, out)
		}
		return echo{in.(echoInput)}, nil
	}
	of := func(name string, in reflect.Type, records bool) op.Op {
		return op.Op{Name: name, Brief: "Do " + name, Example: "assay " + name + " x", In: in, Records: records, Run: run}
	}
	all := []op.Op{of("echo", reflect.TypeFor[echoInput](), true), of("docs query", reflect.TypeFor[echoInput](), false),
		of("docs list", reflect.TypeFor[nothing](), false), of("quiet", reflect.TypeFor[nothing](), false)}
	all[0].Aliases = []string{"repeat"}
	all[3].Hidden = true
	return all
}

type result struct {
	status         int
	stdout, stderr string
}

func start(ctx context.Context, ops []op.Op, env cli.Env, args ...string) result {
	var stdout, stderr bytes.Buffer
	if env.Stdin == nil {
		env.Stdin = strings.NewReader("")
	}
	if env.Stdout == nil {
		env.Stdout = &stdout
	}
	env.Stderr = &stderr
	return result{cli.Run(ctx, ops, args, env), stdout.String(), stderr.String()}
}

func TestArguments(t *testing.T) {
	for _, tc := range []struct {
		args, stdin string
		want        string // the input; or else the status, and a part of the error
	}{
		{"echo word", "", `{"word":"word"}`},
		{"repeat word", "", `{"word":"word"}`},
		{"docs query word --yes", "", `{"word":"word","yes":true}`},
		{"echo -n 3 word --least 0 s r1 r2 -a r3", "", `{"word":"word","second":"s","rest":["r3","r1","r2"],"n":3,"least":0}`},
		{"echo word --num=9 --rate -1.5 -y --no=false --root /r", "", `{"word":"word","n":9,"rate":-1.5,"yes":true,"root":"/r"}`},
		{"echo --yes -- -n --also", "", `{"word":"-n","second":"--also","yes":true}`},
		{"echo --mode fast word", "", `{"word":"word","mode":"fast"}`},
		{"echo --cursor c", "", `{"word":"","cursor":"c"}`},
		{"echo -", "from stdin\r\n", `{"word":"from stdin"}`},
		{"echo word -", "two\nlines\n\n", `{"word":"word","second":"two\nlines\n"}`},
		{"echo word --second -", "s", `{"word":"word","second":"s"}`},
		{"echo - -", "x", "2 WORD and SECOND cannot both be standard input"},
		{"echo -", "x", "2 WORD: 1 characters is below the minimum, 2"},
		{"echo w", "", "2 WORD: 1 characters is below the minimum, 2"},
		{"echo", "", "2 echo: WORD is missing\nhint: for example: assay echo x"},
		{"echo --mode quick word", "", `2 --mode: "quick" is not one of fast, slow`},
		{"echo word --num 0", "", "2 --num: 0 is below the minimum, 1"},
		{"echo word --count 10", "", "2 --count: 10 is above the maximum, 9"},
		{"echo word --least 1.5", "", "2 --least: 1.5 is above the maximum, 1"},
		{"echo word --least NaN", "", "2 --least: not a number"},
		{"echo word --count x", "", `2 "x" is not an integer`},
		{"echo word --count", "", "2 echo: flag needs an argument: --count"},
		{"echo word -y --no", "", "2 echo: --yes and --no exclude each other\nhint: give one of them"},
		{"echo word --json --jsonl", "", "2 echo: --json and --jsonl exclude each other"},
		{"docs query word --jsonl", "", "2 docs query: unknown flag: --jsonl\nhint: did you mean --json?"},
		{"echo word --cuont=3", "", "2 echo: unknown flag: --cuont\nhint: did you mean --count?"},
		{"echo word --zzz", "", "2 echo: unknown flag: --zzz\nhint: assay echo --help lists the flags; a query that starts with a dash goes after --"},
		{"echo -x", "", "2 echo: unknown shorthand flag: 'x' in -x\nhint: assay echo --help lists"},
		{"docs list x", "", `2 docs list: "x" is one argument too many`},
		{"ecko", "", "2 no command \"ecko\"\nhint: did you mean assay echo? To search for the word: assay search ecko"},
		{"it's", "", "2 no command \"it's\"\nhint: assay help lists the commands. To search for the word: assay search 'it'\\''s'"},
		{"docs qurey", "", "2 no command \"docs qurey\"\nhint: did you mean assay docs query?"},
		{"ecko --help", "", `2 no command "ecko"`},
		{"help ecko", "", `2 no command "ecko"`},
		{"help docs ecko", "", `2 no command "docs ecko"`},
		{"--nope", "", "2 unknown flag: --nope\nhint: assay help lists the commands"},
		{"version x", "", "2 version takes no arguments"},
		{"--color echo word", "", `2 --color: "echo" is not one of auto, always, never`},
		{"--no-pager --color=blue echo word", "", `2 --color: "blue" is not one of auto, always, never`},
		{"completion", "", "2 completion: give one shell\nhint: one of bash, zsh, fish, powershell"},
		{"completion tcsh", "", `2 completion: no script for "tcsh"`},
	} {
		got := start(t.Context(), fakes(nil), cli.Env{Stdin: strings.NewReader(tc.stdin)}, strings.Fields(tc.args)...)
		if want, ok := strings.CutPrefix(tc.want, "2 "); ok {
			if got.status != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "assay: ") || !strings.Contains(got.stderr, want) {
				t.Errorf("assay %s: %+v, want status 2 and %q", tc.args, got, want)
			}
			continue
		}
		if got.status != 0 || strings.TrimSpace(got.stdout) != tc.want || got.stderr != "" {
			t.Errorf("assay %s: %+v, want %s", tc.args, got, tc.want)
		}
	}
}

func TestForms(t *testing.T) {
	for args, want := range map[string]string{
		"echo a<b":                "{\"word\":\"a\\u003cb\"}\nin colour\n",
		"echo a<b --json":         "{\"word\":\"a<b\"}\n",
		"echo a<b --jsonl":        "{\"word\":\"a<b\"}\n",
		"version":                 "assay v1\n",
		"--version":               "assay v1\n",
		"version --help":          "Print the version\n",
		"help completion":         "Print a completion script for a shell, or the manual page\n",
		"docs":                    "Usage:\n  assay docs COMMAND [FLAGS] [ARGUMENTS]\n\nCommands:\n  docs query           Do docs query\n  docs list ",
		"help docs":               "Usage:\n  assay docs COMMAND",
		"docs query --help":       "\x1b[1mDo docs query\x1b[0m\n\n\x1b[1mUsage:\x1b[0m\n  assay docs query [flags] WORD [SECOND] [REST]...\n\n  WORD                   a word; - reads standard input\n",
		"help docs query":         "\x1b[1mDo docs query\x1b[0m\n",
		"completion bash":         "# bash completion V2 for assay",
		"completion zsh":          "#compdef assay",
		"completion fish":         "# fish completion for assay",
		"completion powershell":   "# powershell completion for assay",
		"serve a --help":          "serving [a --help]\n",
		"serve":                   "serving []\n",
		"help serve":              "serving [--help]\n",
		"__complete ec":           "echo\tDo echo\n",
		"__complete echo w --cou": "--count\thow many\n",
		"help help":               "\x1b[1massay finds",
		"":                        "\x1b[1massay finds",
		"-h":                      "\x1b[1massay finds",
	} {
		env := cli.Env{Colour: true, Version: "v1", Commands: []cli.Command{{Name: "serve", Brief: "Serve",
			Run: func(_ context.Context, args []string, env cli.Env) error {
				_, err := fmt.Fprintln(env.Stdout, "serving", args)
				return err
			}}}}
		got := start(t.Context(), fakes(nil), env, strings.Fields(args)...)
		if got.status != 0 || !strings.HasPrefix(got.stdout, want) || got.stderr != "" && !strings.HasPrefix(args, "__") {
			t.Errorf("assay %s: %+v, want %q", args, got, want)
		}
	}
	if got := start(t.Context(), fakes(nil), cli.Env{}, "echo", "--help"); !strings.Contains(got.stdout, "  --mode fast|slow       how\n  -n, --count N          how many\n") ||
		!strings.Contains(got.stdout, "--jsonl") {
		t.Errorf("assay echo --help: %s", got.stdout)
	}
	if got := start(t.Context(), fakes(nil), cli.Env{}, "docs", "query", "--help"); strings.Contains(got.stdout, "--jsonl") {
		t.Errorf("--jsonl where there are no records: %s", got.stdout)
	}
	if got := start(t.Context(), fakes(nil), cli.Env{}); strings.Contains(got.stdout, "quiet") {
		t.Errorf("a hidden operation is listed: %s", got.stdout)
	}
}

// A shell is offered what completes an argument, by its place.
func TestCompletion(t *testing.T) {
	env := cli.Env{Values: map[string]func(context.Context, string) []string{
		"echo rest": func(_ context.Context, begun string) []string {
			return []string{"in/", "inner", "in/", "i\nj", "i\u202e", "out/", begun + "!"}
		},
		"second": func(context.Context, string) []string { return []string{"two", "three"} },
	}}
	for args, want := range map[string]string{
		"__complete echo w s i":            "in/\ninner\ni!\n:4\n",
		"__complete echo w s r ou":         "out/\nou!\n:4\n",
		"__complete echo w s out/":         "out/\nout/!\n:4\n",
		"__complete echo w s --also=inn":   "inner\ninn!\n:4\n",
		"__complete echo w t":              "two\nthree\n:4\n",
		"__complete echo w x":              ":4\n", // none of the values that are known
		"__complete docs query w s i":      ":0\n", // of another operation
		"__complete echo w":                ":0\n", // nothing is known: files
		"__complete echo w --mode s":       "slow\n:4\n",
		"__complete docs query w --mode f": "fast\n:4\n",
	} {
		if got := start(t.Context(), fakes(nil), env, strings.Fields(args)...); got.stdout != want {
			t.Errorf("%s: %q, want %q", args, got.stdout, want)
		}
	}
	env.Values["echo rest"] = func(_ context.Context, begun string) []string {
		if begun == "x" {
			return nil
		}
		return []string{"in/", "out"}
	}
	for args, want := range map[string]string{
		"__complete echo w s i": "in/\n:6\n", // a folder: no space after it
		"__complete echo w s x": ":0\n",      // not in the index, and perhaps a file
	} {
		if got := start(t.Context(), fakes(nil), env, strings.Fields(args)...); got.stdout != want {
			t.Errorf("%s: %q, want %q", args, got.stdout, want)
		}
	}
}

func TestStatus(t *testing.T) {
	for _, tc := range []struct {
		err    error
		status int
		want   string
	}{
		{fault.New(fault.Negative, "no"), 1, "assay: no\n"},
		{fault.New(fault.Usage, "bad").Or("so"), 2, "assay: bad\nhint: so\n"},
		{fault.New(fault.NotFound, "gone").Try("echo", fault.Arg{Name: "word", Value: "a b"}), 3, "assay: gone\nfix: assay echo 'a b'\n"},
		{fault.New(fault.Stale, "old").Try("nowhere"), 4, "assay: old\n"},
		{fault.New(fault.Unavailable, "down").Because(errors.New("cause")), 5, "assay: down: cause\n"},
		{errors.New("what"), 70, "assay: what\n"},
		{fmt.Errorf("while: %w", fault.New(fault.NotFound, "gone")), 3, "assay: while: gone\n"},
		{fault.New(fault.Interrupted, "x"), 130, "assay: interrupted; what was done is kept\n"},
		{fault.New(fault.Usage, "a\x1b[2Jb").Or("c\u009bd"), 2, "assay: a<U+001B>[2Jb\nhint: c<U+009B>d\n"},
		{context.DeadlineExceeded, 70, "assay: context deadline exceeded\n"},
	} {
		got := start(t.Context(), fakes(func(context.Context, op.Out) (op.Result, error) { return nil, tc.err }), cli.Env{}, "quiet", "--json")
		if (got != result{tc.status, "", tc.want}) {
			t.Errorf("%v: %+v, want %d and %q", tc.err, got, tc.status, tc.want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	got := start(ctx, fakes(func(ctx context.Context, _ op.Out) (op.Result, error) {
		cancel()
		return nil, fmt.Errorf("sync: %w", ctx.Err())
	}), cli.Env{}, "quiet")
	if (got != result{130, "", "assay: interrupted; what was done is kept\n"}) {
		t.Errorf("%+v", got)
	}
}

func TestPanic(t *testing.T) {
	got := start(t.Context(), fakes(func(context.Context, op.Out) (op.Result, error) { panic("oh") }), cli.Env{}, "quiet")
	if got.status != 70 || !strings.HasPrefix(got.stderr, "panic: oh\n") || !strings.Contains(got.stderr, "run_test.go") ||
		!strings.HasSuffix(got.stderr, "assay: internal error: oh\nhint: this is a defect: please report it with the lines above\n") {
		t.Errorf("%+v", got)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestBrokenOutput(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want result
	}{
		{fmt.Errorf("write: %w", syscall.EPIPE), result{status: 0}},
		{io.ErrClosedPipe, result{status: 0}},
		{syscall.ENOSPC, result{status: 5, stderr: "assay: the answer cannot be written: no space left on device\n"}},
	} {
		for _, args := range []string{"echo word", "echo word --json", "echo word --jsonl", "version", "help", "echo --help", "help echo"} {
			if got := start(t.Context(), fakes(nil), cli.Env{Stdout: failing{tc.err}}, strings.Fields(args)...); got != tc.want {
				t.Errorf("assay %s to %v: %+v, want %+v", args, tc.err, got, tc.want)
			}
		}
	}
	// The same error from anywhere else is told.
	got := start(t.Context(), fakes(func(context.Context, op.Out) (op.Result, error) { return nil, syscall.EPIPE }), cli.Env{}, "quiet")
	if got.status != 70 {
		t.Errorf("a provider's broken pipe: %+v", got)
	}
}

func TestBroken(t *testing.T) {
	env := cli.Env{Version: "v1", Broken: fault.New(fault.Usage, "the settings are wrong"),
		Commands: []cli.Command{{Name: "serve", Brief: "Serve", Run: func(context.Context, []string, cli.Env) error { return nil }}}}
	for args, status := range map[string]int{"echo word": 2, "docs list": 2, "serve": 2, "version": 0, "help": 0, "": 0, "echo --help": 0, "completion bash": 0} {
		if got := start(t.Context(), fakes(nil), env, strings.Fields(args)...); got.status != status || status == 2 && got.stderr != "assay: the settings are wrong\n" {
			t.Errorf("assay %s: %+v, want status %d", args, got, status)
		}
	}
}

// What of a project's settings is ignored is told in a line by every command that goes by
// them, and stops none.
func TestIgnored(t *testing.T) {
	run := func(context.Context, []string, cli.Env) error { return nil }
	env := cli.Env{Version: "v1", Ignored: "ignored: a\x1bb", Commands: []cli.Command{{Name: "serve", Brief: "Serve", Run: run}, {Name: "doctor", Brief: "Look", Always: true, Run: run}}}
	for args, told := range map[string]bool{"echo word": true, "docs list": true, "serve": true, "doctor": false, "version": false, "help": false, "echo --help": false, "completion bash": false} {
		want := ""
		if told {
			want = "assay: ignored: a<U+001B>b\n"
		}
		do := func(context.Context, op.Out) (op.Result, error) { return nil, nil }
		if got := start(t.Context(), fakes(do), env, strings.Fields(args)...); got.status != 0 || got.stderr != want {
			t.Errorf("assay %s: %+v, want %q", args, got, want)
		}
	}
}

// Whoever started the program is given what it ended with.
func TestFailed(t *testing.T) {
	for args, want := range map[string]string{"echo word": "", "echo": "echo: WORD is missing", "nothing": `no command "nothing"`, "quiet": "internal error: oh"} {
		var got []error
		env := cli.Env{Failed: func(err error) { got = append(got, err) }}
		do := func(_ context.Context, out op.Out) (op.Result, error) {
			if args == "quiet" {
				panic("oh")
			}
			return nil, nil
		}
		start(t.Context(), fakes(do), env, strings.Fields(args)...)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasPrefix(got[0].Error(), want)) {
			t.Errorf("assay %s: %v, want %q", args, got, want)
		}
	}
}

func TestStream(t *testing.T) {
	do := func(_ context.Context, out op.Out) (op.Result, error) {
		out.Note("about %s", "x\x1by")
		out.Progress("reading", 1, 2)
		return nil, out.Emit(echo{echoInput{Word: "w"}})
	}
	for args, want := range map[string]string{"echo word": "{\"word\":\"w\"}\n", "echo word --json": "{\"word\":\"w\"}\n", "echo word --jsonl": "{\"word\":\"w\"}\n"} {
		got := start(t.Context(), fakes(do), cli.Env{}, strings.Fields(args)...)
		if (got != result{0, want, "assay: about x<U+001B>y\n"}) {
			t.Errorf("assay %s: %+v", args, got)
		}
	}
}

// A late answer reports how far it is while it is written.
type late struct{ progress func() }

func (l late) WriteText(w io.Writer, _ bool) error {
	l.progress()
	_, err := io.WriteString(w, "answer\n")
	return err
}

func TestBar(t *testing.T) {
	var now atomic.Int64 // milliseconds
	do := func(_ context.Context, out op.Out) (op.Result, error) {
		out.Progress("reading", 0, 10) // too early
		now.Add(160)
		out.Progress("reading", 5, 10)
		out.Progress("reading", 6, 10) // too soon after that
		out.Note("careful")
		now.Add(90)
		out.Progress("counting", 7, 0)
		now.Add(90)
		return late{func() { out.Progress("counting", 8, 0) }}, nil
	}
	for terminal, want := range map[bool]string{
		true:  "\r  reading [============            ] 5/10\x1b[K\r\x1b[Kassay: careful\n\r  counting…\x1b[K\r\x1b[K",
		false: "assay: careful\n",
	} {
		got := start(t.Context(), fakes(do), cli.Env{ErrTerminal: terminal, Now: func() time.Time { return time.UnixMilli(now.Load()) }}, "echo", "word")
		if (got != result{0, "answer\n", want}) {
			t.Errorf("on a terminal %v: %+v, want %q", terminal, got, want)
		}
	}
}
