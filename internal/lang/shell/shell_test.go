package shell

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "shell", Read: Read}}

func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	langtest.Check(t, Read, src, letters, want...)
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"# about f\n# more\nf() {\n  g\n}\n", []string{"D function f 1-5 +"}},
		{"#!/bin/sh\nf ()\n{ g; }", []string{"D function f 2-3 +"}},
		{"function f { g; }\nfunction g() { h; } >&2", []string{"D function f 1-1 +", "D function g 2-2 +"}},
		{"a-b::c.d() ( g; )\n_x() if y; then z; fi", []string{"D function a-b::c.d 1-1 +", "D function _x 2-2"}},
		{"f() for i in 1 2; do\n g\ndone\ng() { h; }", []string{"D function f 1-3 +", "D function g 4-4 +"}},
		{"f() [[ -n $x ]]\ng() (( x > 1 ))", []string{"D function f 1-1 +", "D function g 2-2 +"}},
		{"f() {\n  g() { :; }\n  if a; then { b; }; fi\n}\nh() { :; }", []string{"D function f 1-4 +", "D function g 2-2 + local", "D function h 5-5 +"}},
		{"f() { case $1 in }) a ;; esac; }\ng() { echo }; }", []string{"D function f 1-1 +", "D function g 2-2 +"}},
		{"@test \"it's x\" {\n run y\n}", []string{"D test it's x 1-3 +"}},
		{"f() {\n  cat <<-EOF\n\tg() { x\n\tEOF\n}\nh() { :; }", []string{"D function f 1-5 +", "D function h 6-6 +"}},
		{"x=1 # about x\nexport Y=2\nreadonly Z=3\nf() { w=1; }\nx=2", []string{"D variable x 1-1 +", "D variable Y 2-2 +", "D constant Z 3-3 +", "D function f 4-4 +"}},
	} {
		check(t, c.src, "D", c.want...)
	}
}

func TestImports(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{". ./a.sh\nsource 'b c.sh' x\n\\. d", []string{`I ./a.sh {*} reexport relative`, `I b c.sh {*} reexport relative`, `I d {*} reexport relative`}},
		{`source "$DIR/lib.sh"; . "$(dirname "$0")"/x.sh`, []string{`I $DIR/lib.sh {*} reexport dynamic relative`, `I $(dirname $0)/x.sh {*} reexport dynamic relative`}},
		{`. "$file"; source $(f); . <(g)`, nil},
		{"[ -f a ] && . a\nif x; then . b; fi", []string{`I a {*} reexport conditional relative`, `I b {*} reexport conditional relative`}},
	} {
		check(t, c.src, "I", c.want...)
	}
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want string
	}{
		{"f a b; g && h || ! i | j & k", "f/2 g/0 h/0 i/0 j/0 k/0"},
		{"X=1 Y=$(f) g >out 2>&1 <in x; >y h; 3>z i", "f/0 g/1 h/0 i/0"},
		{"if f; then g; elif h; then i; else j; fi; while k; do l; done; until m; do n; done", "f/0 g/0 h/0 i/0 j/0 k/0 l/0 m/0 n/0"},
		{"for x in a b; do f; done; for x do g; done; for ((i=$(h); i<3; i++)); do j; done; select y in k\ndo l\ndone", "f/0 g/0 h/0 j/0 l/0"},
		{"case $(f) in a|b) g ;; (c) h;& [[:alpha:]]*) i ;;& \"x y\") j;; *) k; esac; l", "f/0 g/0 h/0 i/0 j/0 k/0 l/0"},
		{"x=$(case a in b) f;; esac); g", "f/0 g/0"},
		{"echo \"a $(f \"$(g)\") `h` ${x:-$(i)} $((1 + $(j))) 'k' \\$(l)\" $(m)", "echo/2 f/1 g/0 h/0 i/0 j/0 m/0"},
		{"echo '$(f)' \"\\$(g)\" $'\\'$(h)'", "echo/3"},
		{"echo `f \\`g x\\` y`; h", "echo/1 f/3 g/1 h/0"},
		{"[[ -f $(f) && a == b* || $x =~ ^[[:space:]]+(c|d)$ ]] && g; [ -n x ] && h; test y", "f/0 g/0 h/0 test/1"},
		{"(( x = $(f) + 1 )) && g; ( h; (i) ); ((j); k)", "f/0 g/0 h/0 i/0 j/0 k/0"},
		{"cat <<A <<'B' | f\n$(g) `h` \\$(i)\nA\n$(j)\nB\nk", "cat/0 f/0 g/0 h/0 k/0"},
		{"x=$(cat <<E\n it's ) $(f)\nE\n); g <<< \"$(h)\"", "cat/0 f/0 g/0 h/0"},
		{"diff <(f x) >(g) | h; while read -r l; do i; done < <(j)", "diff/2 f/1 g/0 h/0 read/2 i/0 j/0"},
		{"a=(f $(g) # h)\n [1]=i) j; declare -A b=([x]=y) c; local d=$(k); export E; let z=1", "g/0 j/0 k/0"},
		{"\\cd x; ./run.sh; \"f\" x; $g y; ~/bin/h", "cd/1 ./run.sh/0 ~/bin/h/0"},
		{"time -p f; coproc g; coproc NAME { h; }; ! i; { j; }; exec k", "f/0 g/0 h/0 i/0 j/0 exec/1"},
		{"# f\ng # h\ni#j \\\n k", "g/0 i#j/1"},
		{"shopt -s extglob; case x in @(a|b)) f;; !(c)*) g;; esac; ls !(*.o)", "shopt/2 f/0 g/0 ls/1"},
		{"a[1 + 2]=$(f) b+=x g; fi_x; done=1 h; if=2", "f/0 g/0 fi_x/0 h/0"},
		{"x=${y//'}'/z} f; echo \"${a:-it's}\" \"${b%'}'}\"; g", "f/0 echo/2 g/0"},
		{"if a; then (b) fi\nfor x in 1; do { c; } done; d", "a/0 b/0 c/0 d/0"},
	} {
		var got []string
		for _, call := range Read([]byte(c.src)).Calls {
			got = append(got, fmt.Sprintf("%s/%d", call.Callee, call.Args))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s\ncalls %s, want %s", c.src, g, c.want)
		}
	}
}

func TestBindings(t *testing.T) {
	check(t, "x=$(f a) y=$z local; local a=\"${b}\" c\nfor i in 1; do :; done\nd[1]=2 e+=3", "B",
		"B x = f()", "B y = z", "B a = b", "B c", "B i", "B d", "B e")
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "f() {\n  if a; then\n    b\n}\n\ng() { c; }\nh() {\n  d \"x\n}\ni() {\n  e \"$(k\n}\nj() { l; }", "DC",
		"D function f 1-4 +", "D function g 6-6 +", "D function h 7-9 +", "D function i 10-12 +", "D function j 13-13 +",
		"C a/0", "C b/0", "C c/0", "C d/1", "C e/0", "C k/0", "C l/0")
	check(t, "f() {\n<<<<<<< HEAD\n  a\n=======\n  b\n>>>>>>> x\n}\ng() { c; }", "D", "D function f 1-7 +", "D function g 8-8 +")
	check(t, "} ) ;; esac fi\nf() { a; }", "DC", "D function f 2-2 +", "C a/0")
}

var sample = strings.Repeat(`#!/bin/bash
set -euo pipefail
source "$(dirname "$0")/lib/common.sh"
# Says what it does.
log() { printf '%s %s\n' "$(date +%F)" "$*" >&2; }
build_all() {
  local target=${1:-all} jobs
  jobs=$(nproc || echo 4)
  for f in "$SRC"/*.c; do
    if [[ -f $f && $f != *_test.c ]]; then
      compile "$f" -j "$jobs" 2>/dev/null || { log "could not compile $f"; return 1; }
    fi
  done
  case "$target" in
    all|install) make install ;;
    *) log "nothing to do for ${target}" ;;
  esac
  cat <<EOF > "$OUT/config"
version=$(git describe)
EOF
}
build_all "$@"
`, 200)

func BenchmarkRead(b *testing.B) { langtest.Benchmark(b, Read, sample) }

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 80000, "(", "$(", "((", "$((", "f() {\n", "{ ", "case x in ", "`", "\"", "\"$(", "'", "<<E\n", "if ", "[[ ", "a=(", "${x:-", "@(", "a[", "f() {\n\"",
		"for x\n", "\\\n", "#\n", "\\`", "}\n", "x=1 ")
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:800])
	for _, s := range []string{"f(){", "<<'E'\n", "\"$(`${", "case x in (a|b)", "((", "@test \"x\" {", "coproc a {", "function f", "a[1]=", "a=(", "f() {\n'\ng() {", "\\`"} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}
