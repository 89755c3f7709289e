# Prints what Elixir's own parser reads from the .ex and .exs files below a folder,
# as JSON lines:
#
#     apt-get install elixir && elixir facts.exs DIR > elixir.jsonl
#
# A file that it does not parse is left out. What defines, imports or branches is no
# call, nor is a type, a capture &f/1, or a field: x.y.
defmodule Facts do
  @functions [:def, :defp, :defmacro, :defmacrop, :defguard, :defguardp, :defdelegate]
  @imports [:alias, :import, :require, :use]
  @none @functions ++
          @imports ++
          [:defmodule, :defprotocol, :defimpl, :defstruct, :defexception, :defoverridable] ++
          [:if, :unless, :case, :cond, :with, :for, :fn, :try, :receive, :quote, :unquote, :unquote_splicing] ++
          [:__block__, :__aliases__, :%, :%{}, :{}, :<<>>, :&, :@, :., :=, :"::", :->, :^, :__MODULE__, :__ENV__, :__CALLER__, :__DIR__, :__STACKTRACE__]
  @types [:spec, :type, :typep, :opaque, :callback, :macrocallback]

  def read(source) do
    case Code.string_to_quoted(source, columns: true, emit_warnings: false) do
      {:ok, tree} ->
        walk(tree, %{functions: [], imports: [], calls: []})

      _ ->
        nil
    end
  rescue
    _ -> nil
  end

  defp add(facts, key, name, meta), do: Map.update!(facts, key, &[{to_string(name), meta[:line]} | &1])

  defp walk({:@, _, [{name, _, args}]}, facts) when is_list(args) do
    if name in @types, do: facts, else: walk(args, facts)
  end

  defp walk({:@, _, _}, facts), do: facts

  defp walk({:&, _, [{:/, _, [{_, _, _}, n]}]}, facts) when is_integer(n), do: facts

  defp walk({:"::", _, [left, right]}, facts), do: right |> sizes(walk(left, facts))

  defp walk({kind, _, [head | rest]}, facts) when kind in @functions do
    facts = head(head, facts)
    walk(rest, facts)
  end

  defp walk({kind, meta, [what | rest]}, facts) when kind in @imports do
    facts = if is_atom(what), do: add(facts, :imports, inspect(what), meta), else: imported(what, facts)
    walk(rest, facts)
  end

  defp walk({:=, _, [{name, meta, context}, {:fn, _, _} = fun]}, facts) when is_atom(name) and is_atom(context) do
    walk(fun, add(facts, :functions, name, meta))
  end

  defp walk({:|>, _, [left, {name, meta, context}]}, facts) when is_atom(name) and is_atom(context) do
    walk(left, add(facts, :calls, name, meta))
  end

  # f.(x)
  defp walk({{:., _, [{name, meta, context}]}, _, args}, facts) when is_atom(name) and is_atom(context) do
    walk(args, add(facts, :calls, name, meta))
  end

  # What the parser itself puts in, for #{x} and x[y].
  defp walk({{:., _, [module, _]}, _, args}, facts) when module in [Kernel, Access], do: walk(args, facts)
  defp walk({{:., _, [:erlang, name]}, _, [arg, :utf8]}, facts) when name in [:binary_to_atom, :binary_to_existing_atom], do: walk(arg, facts)

  defp walk({{:., _, [left, name]}, meta, args}, facts) when is_atom(name) do
    called = !meta[:no_parens] or args != [] or module?(left)
    facts = if called and to_string(name) =~ ~r/^[\p{L}_]/u, do: add(facts, :calls, name, meta), else: facts
    walk(args, walk(left, facts))
  end

  defp walk({name, meta, args}, facts) when is_atom(name) and is_list(args) do
    facts = if name in @none or not word?(name) or Keyword.has_key?(meta, :delimiter), do: facts, else: add(facts, :calls, name, meta)
    walk(args, facts)
  end

  defp walk({left, _, args}, facts), do: walk(args, walk(left, facts))
  defp walk({left, right}, facts), do: walk(right, walk(left, facts))
  defp walk(list, facts) when is_list(list), do: Enum.reduce(list, facts, &walk/2)
  defp walk(_, facts), do: facts

  # The sizes in the type of a segment: <<x::binary-size(n)>>
  defp sizes({:-, _, [left, right]}, facts), do: sizes(right, sizes(left, facts))
  defp sizes({name, _, [arg]}, facts) when name in [:size, :unit], do: walk(arg, facts)
  defp sizes(_, facts), do: facts

  defp head({:when, _, [head | guards]}, facts), do: walk(guards, head(head, facts))
  defp head({:unquote, _, [arg]}, facts), do: walk(arg, facts)

  defp head({name, meta, args}, facts) when is_atom(name) do
    facts = add(facts, :functions, name, meta)
    if is_list(args), do: walk(args, facts), else: facts
  end

  defp head(other, facts), do: walk(other, facts)

  defp imported({:__aliases__, meta, parts}, facts) do
    if path = path(parts), do: add(facts, :imports, path, meta), else: facts
  end

  defp imported({{:., _, [base, :{}]}, _, leaves}, facts) do
    prefix =
      case base do
        {:__aliases__, _, parts} -> path(parts)
        {:__MODULE__, _, _} -> "__MODULE__"
        _ -> nil
      end

    Enum.reduce(leaves, facts, fn
      {:__aliases__, meta, parts}, facts when prefix != nil -> add(facts, :imports, prefix <> "." <> path(parts), meta)
      _, facts -> facts
    end)
  end

  defp imported({:__MODULE__, meta, _}, facts), do: add(facts, :imports, "__MODULE__", meta)
  defp imported(other, facts), do: walk(other, facts)

  defp path(parts) do
    if Enum.all?(parts, &(is_atom(&1) or match?({:__MODULE__, _, _}, &1))) do
      Enum.map_join(parts, ".", fn
        {:__MODULE__, _, _} -> "__MODULE__"
        part -> to_string(part)
      end)
    end
  end

  defp module?({:__aliases__, _, _}), do: true
  defp module?({:__MODULE__, _, _}), do: true
  defp module?(left), do: is_atom(left)

  defp word?(name), do: to_string(name) =~ ~r/^[\p{L}_]/u and name not in [:and, :or, :not, :in, :when, :"not in"]

  def json(text) when is_binary(text), do: [?", for(c <- String.to_charlist(text), do: escaped(c)), ?"]
  defp escaped(c) when c in [?", ?\\], do: [?\\, c]
  defp escaped(c) when c < 32, do: :io_lib.format("\\u~4.16.0b", [c])
  defp escaped(c), do: <<c::utf8>>

  def list(facts, key, name) do
    items = facts[key] |> Enum.reverse() |> Enum.map(fn {text, line} -> [~s({"#{name}":), json(text), ~s(,"line":#{line}})] end)
    [~s("#{key}":[), Enum.intersperse(items, ","), "]"]
  end
end

[root] = System.argv()

for path <- Path.wildcard(root <> "/**/*.{ex,exs}") |> Enum.sort(), File.regular?(path) do
  if facts = Facts.read(File.read!(path)) do
    IO.puts([~s({"file":), Facts.json(Path.relative_to(path, root)), ",", Facts.list(facts, :functions, "name"), ",", Facts.list(facts, :imports, "path"), ",", Facts.list(facts, :calls, "name"), "}"])
  end
end
