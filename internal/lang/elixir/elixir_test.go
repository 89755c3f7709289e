package elixir

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "elixir", Read: Read, Tail: "\nA\n"}}

func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	langtest.Check(t, Read, src, letters, want...)
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"defmodule A.B do\n  @moduledoc \"x\"\n\n  @doc \"\"\"\n  About f.\n  \"\"\"\n  @spec f(integer, t()) :: {:ok, t}\n  @impl true\n  def f(a, b \\\\ 1) do\n    a\n  end\n\n  defp g(x), do: x\nend",
			[]string{"D module A.B 1-14 +", "D function f 4-11 (a, b \\\\ 1) -> {:ok, t} @impl true +", "D function g 13-13 (x)"}},
		{"def f(0), do: 1\ndef f(n) when n > 0 and\n  is_integer(n) do\n n\nend\ndef f(x, y)\ndef g, do: 1\ndef h do\nend\ndef i a, b do\nend",
			[]string{"D function f 1-1 (0) +", "D function f 2-5 (n) +", "D function f 6-6 (x, y) + abstract", "D function g 7-7 +", "D function h 8-9 +", "D function i 10-11 +"}},
		{"defmacro a(x), do: x\ndefmacrop b do\nend\ndefguard is_c(x) when x > 1\ndefdelegate d(x), to: E\ndef unquote(name)(x), do: 1\ndef x + y, do: 1\ndefmacro left ~> right do\nend\ndef ok?(x), do: x\ndef go!, do: 1",
			[]string{"D macro a 1-1 (x) +", "D macro b 2-3", "D macro is_c 4-4 (x) +", "D function d 5-5 (x) +", "D function + 7-7 +", "D macro ~> 8-9 +", "D function ok? 10-10 (x) +", "D function go! 11-11 +"}},
		{"def f do\n  g = fn a, b -> a end\n  h = fn -> 1 end |> i()\nend", []string{"D function f 1-4 +", "D function g 2-2 (a, b) local"}},
		{"defmacro __using__(_) do\n  quote do\n    def f(x) do\n      x\n    end\n  end\nend", []string{"D macro __using__ 1-7 (_) +", "D function f 3-5 (x) + local"}},
		{"def f(x),\n  do: x,\n  else: y\ndef(g(x), do: x)\ndef h(x) do if x, do: 1, else: 2 end", []string{"D function f 1-3 (x) +", "D function g 4-4 (x) +", "D function h 5-5 (x) +"}},
		{"def f(a, g \\\\ fn x, y -> x end), do: g", []string{"D function f 1-1 (a, g \\\\ fn x, y -> x end) +"}},
	} {
		check(t, c.src, "D", c.want...)
	}
}

func TestModules(t *testing.T) {
	check(t, "defmodule A do\n  @behaviour X.Y\n  defmodule B.C do\n    defstruct [:x, y: nil]\n  end\n  defprotocol P do\n    def f(x)\n  end\n  defimpl P, for: D.E do\n    def f(x), do: x\n  end\n  @type t :: integer\n  @typep u(x) :: [x]\nend", "DM",
		"M A", "D module A 1-14 : X.Y +", "D module B.C 3-5 +", "D interface P 6-8 +", "D function f 7-7 (x) + abstract", "D class D.E 9-11 : P + extension", "D function f 10-10 (x) +", "D type t 12-12 -> integer +", "D type u 13-13 -> [x]")
}

// Every end finds what it ends.
func TestBlocks(t *testing.T) {
	for _, body := range []string{
		"if a do b else c end", "if a, do: b, else: c", "case a do\n  %{do: x} -> x\n  :end -> 1\nend", "fn x -> x end", "Enum.map(a, fn\n x -> x\n y -> z\nend)", "with {:ok, a} <- b,\n     c <- d do\n a\nelse\n _ -> 1\nend",
		"~s(end) <> ~S\"\"\"\nend \"\"\" do\n\"\"\"", "\"\"\"\nend #{if a do \"b end\" end}\n\"\"\"", "[do: 1, end: 2, fn: 3]", "x.end; x.do", "~r/do (end)/iu", "?d; ?\\n; ?\"", "'end'", "# end", ":do; :\"end\"; :end?", "a[:end]",
		"try do a rescue e in B -> c after d end", "receive do\n x -> y\nafter\n 10 -> z\nend", "for x <- y, do: x", "quote do: end_", "@end 1", "a |>\n  b do c end", "cond do a -> b end", "x = if a do b end", "~w(a end)a", "<<x::binary-size(4), ?\">>", "a = ~H\"\"\"\n<%= if a do %> b <% end %>\n\"\"\"",
		"%{a | do: 1}", "f(fn -> if a do b end end, 1)", "test \"x\", %{a: b} do c end", "unless a, do: (b; c)", "a..b; a..b//c", "~c'end'", "\"a\" \\\\ b",
	} {
		check(t, "def f do\n"+body+"\nend\ndef g, do: 1", "D", fmt.Sprintf("D function f 1-%d +", strings.Count(body, "\n")+3), fmt.Sprintf("D function g %[1]d-%[1]d +", strings.Count(body, "\n")+4))
	}
}

func TestImports(t *testing.T) {
	check(t, "alias A.B\nalias A.{C, D.E}\nalias A.F, as: G\nimport H, only: [f: 1, g: 2]\nrequire Logger\nuse GenServer, restart: :temporary\nalias __MODULE__.I\nimport :math\nf(alias, import: 1)\nuse(J)\ndef f do\n  import K\nend", "I",
		`I A.B`, `I A.C`, `I A.D.E`, `I A.F as G`, `I H {f} {g}`, `I Logger`, `I GenServer`, `I __MODULE__.I`, `I :math {*}`, `I J`, `I K {*} conditional`)
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"f(1, <<2, 3>>, a: 4, b: 5)\nA.B.f(x)\nA.f\nx.y\nx.y()\nx.y.z(1)\n:lists.map(f, l)\n__MODULE__.g()\nh.(1, 2)", []string{
			"C f/3", "C A.B|f/1", "C A|f/0", "C x|y/0", "C x.y|z/1", "C :lists|map/2", "C __MODULE__|g/0", "C h|(/2"}},
		{"a |> f() |> A.g(1) |> h", []string{"C f/1", "C A|g/2", "C h/1"}},
		{"a\n|> f(1)\n|> case do\n  x -> g(x)\nend", []string{"C f/2", "C g/1"}},
		{"f x, y\nf -1\nf [1]\nf %{}\nf :a\nf &g/1\nf @a\nf fn -> h() end\nA.f x\nf a: 1\na - 1\na\n", []string{"C f/2", "C f/1", "C f/1", "C f/1", "C f/1", "C f/1", "C f/1", "C f/1", "C h/0", "C A|f/1", "C f/1"}},
		{"&f/1\n&A.f/2\n&f(&1, 2)\n&(A.g(&1))\nEnum.map(a, &b.c/1)", []string{"C f/2", "C A|g/1", "C Enum|map/2"}},
		{"test \"x\", ctx do\n  f do 1 end\nend\nif a do b end\ncase c do d -> 1 end\nfoo do bar end", []string{"C test/2", "C f/0", "C foo/0"}},
		{"@spec f(integer()) :: String.t()\n@type t :: list(atom())\n@attr f(1)\n@doc \"g()\"", []string{"C f/1"}},
		{"\"a #{f(\"b #{g()}\")} h()\"\n~s(#{i()} j())\n~S(#{k()})\n\"\"\"\n#{l()} m()\n\"\"\"\n'#{n()}'\n~r/#{o()}/u\n:\"p#{q()}\"", []string{"C f/1", "C g/0", "C i/0", "C l/0", "C n/0", "C o/0", "C q/0"}},
		{"def f(x \\\\ g()) when is_nil(x) or h(x) do\n raise \"x\"\nend\ndef i, do: j()", []string{"C g/0", "C is_nil/1", "C h/1", "C raise/1", "C j/0"}},
		{"<<x::binary-size(n), y::size(m())-unit(8)>> = f(z)", []string{"C m/0", "C f/1"}},
		{"f(x)[:a].b.c()\n(a || b).d()\nf(1).(2)\n%A{b: c()}\nx = A.b(1).c\nnot in_(1)", []string{"C f/1", "C f()[].b|c/0", "C ?|d/0", "C f/1", "C c/0", "C A|b/1", "C in_/1"}},
		{"alias A.B\ndefstruct a: f()\nsend pid, {:x, g()}\nunquote(h())\nquote do i() end", []string{"C f/0", "C send/2", "C g/0", "C h/0", "C i/0"}},
	} {
		check(t, c.src, "C", c.want...)
	}
}

func TestBindings(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"@spec f(A.t(), B.t()) :: C.t()\ndef f(a, %D{} = b, c \\\\ E.new(), %{x: y}) do\n  g = %H{i: 1}\n  j = a |> K.l() |> M.n(1)\n  j\nend",
			[]string{"B a: A.t() #1", "B b: D #2", "B c = E.new() #3", "B y", "B g = H()", "B j = M.n()", "B () = j"}},
		{"{:ok, a} = f()\nb = c.d\nfor x <- f(y), do: x\nwith {:ok, e} <- g(), h <- i(1) do\nend\nfn k, l -> k end\nm = n + 1\n%{o: p} = q",
			[]string{"B a", "B b = c.d", "B x = f()[]", "B e", "B h = i()", "B k", "B l", "B m", "B p"}},
		{"defstruct [:a, b: C.new(), d: 1]\ndef f(x), do: A.b(x)\ndef g do\n  1\n  h x\nend", []string{"B a", "B b = C.new()", "B d", "B x #1", "B () = A.b()", "B () = h()"}},
	} {
		check(t, c.src, "B", c.want...)
	}
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "defmodule A do\n  def f(x) do\n    if x do\n      g(1,\n  end\n\n  def h(x) do\n    i(x)\n  end\nend\n\ndefmodule B do\nend", "DC",
		"D module A 1-10 +", "D function f 2-5 (x) +", "D function h 7-9 (x) +", "D module B 12-13 +", "C g/-1", "C i/1")
	check(t, "def f do\n<<<<<<< HEAD\n  a(1)\n=======\n  b(2)\n>>>>>>> x\nend\ndef g, do: 1", "D", "D function f 1-7 +", "D function g 8-8 +")
	check(t, "end\nend\ndef f do\nend", "D", "D function f 3-4 +")
}

var sample = strings.Repeat(`defmodule App.Handler do
  @moduledoc """
  Handles what comes.
  """
  use GenServer
  alias App.{Store, User}
  import Ecto.Query, only: [from: 2]

  @limit 10
  defstruct [:store, name: "none", items: []]

  @doc "Finds one."
  @spec find(Store.t(), integer) :: {:ok, User.t()} | :error
  def find(%Store{} = store, id) when is_integer(id) and id > 0 do
    store
    |> Store.items()
    |> Enum.filter(fn item -> item.id == id and not is_nil(item.name) end)
    |> case do
      [%User{} = user] -> {:ok, user}
      _ -> :error
    end
  end

  def find(_store, _id), do: raise(ArgumentError, "no #{inspect(__MODULE__)} here")

  defp count(items) do
    for item <- items, item.done?, reduce: 0 do
      sum -> sum + 1
    end
  end
end
`, 100)

func BenchmarkRead(b *testing.B) { langtest.Benchmark(b, Read, sample) }

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 20000, "f(", "f do ", "def f(x) do\n", "a.b(", "x = [", "if x do\n", "fn x -> ", "a |> b ", "\"\"\"\n#{", "\"#{", "~s(#{", "~w[", "defmodule A do\n", "(((", "f a, ", "x = y = ", "{a, b} = ", "a.b.", "case x do\n", "def f, do: ", "@spec f(", "@doc ", "alias A.{", "%{", "<<", "&", "x <- ", "end ", "} ", "a[", "x = fn -> ", "f a b ")
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:900])
	for _, s := range []string{"\"#{", "\"\"\"\n#{x}\n\"\"\"", "~s(", "def f(", "defmodule A.B", "def a + b", "x = fn ->", "{a, b} = ", "@spec f(", "alias A.{", "defimpl A, for: [", "@doc \"", "defstruct [:a, b:", "?\\", ":\"", "<<x::size(", "&f/1", "%A{", "def f, do:", "~S\"\"\""} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}
