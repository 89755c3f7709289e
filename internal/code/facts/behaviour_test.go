package facts_test

import "testing"

// TestBehaviours has modules of Elixir that are of a behaviour since they use a module, and the functions it asks for.
func TestBehaviours(t *testing.T) {
	tree := map[string]string{
		"w.ex": "defmodule Jobs.Worker do\n  @doc \"Runs.\"\n  @callback perform(job :: map()) :: :ok\n  @callback backoff(job :: map()) :: integer()\n  @callback stop() :: :ok\n" +
			"  def backoff(_), do: 1\n  defmacro __using__(opts) do\n    quote location: :keep do\n      alias Jobs.Worker\n      @behaviour Worker\n      def new, do: 1\n    end\n  end\nend\n",
		"o.ex": "defmodule Jobs.Other do\n  defmacro __using__(_) do\n    quote do\n      @behaviour Jobs.Worker\n    end\n  end\nend\n",
		"u.ex": "defmodule A do\n  use Jobs.Worker, queue: :a\n  def perform(_), do: :ok\nend\ndefmodule B do\n  use Jobs.Other\nend\ndefmodule C do\n  @behaviour Jobs.Worker\nend\n" +
			"defmodule D do\n  use GenServer\n  alias Jobs.Worker\nend\n",
	}
	p := project(tree)
	if got, want := below(t, p, "Jobs.Worker"), "A exact, B exact, C exact"; got != want {
		t.Errorf("below Jobs.Worker: %s, want %s", got, want)
	}
	for name, line := range map[string]int{"Jobs.Worker.perform": 3, "Jobs.Worker.stop": 5, "Jobs.Worker.backoff": 6} {
		got := p.Lookup(name)
		if len(got) != 1 || p.Docs[got[0].Doc].Path != "w.ex" {
			t.Errorf("%s: %v, want one declaration", name, got)
			continue
		}
		n := 1
		for _, c := range tree["w.ex"][:p.Decl(got[0]).NameAt] {
			if c == '\n' {
				n++
			}
		}
		if n != line {
			t.Errorf("%s is declared on line %d, want %d", name, n, line)
		}
	}
}
