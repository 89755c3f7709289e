package apidoc

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// shown writes entries as a test compares them: title, what is around it, and blocks.
func shown(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString("[" + strings.Join(e.Trail, " > ") + "]\n")
		for _, bl := range e.Blocks {
			if bl.Kind == markup.Code {
				b.WriteString(bl.Lang + "| " + strings.ReplaceAll(bl.Text, "\n", "\n  | ") + "\n")
			} else {
				b.WriteString(bl.Text + "\n")
			}
		}
	}
	return b.String()
}

// What the comments of each language say is read, and what nobody else may use is not.
func TestRead(t *testing.T) {
	for _, tc := range []struct{ path, text, want string }{
		{"mux.go", `package chi

// Get adds a route.
//
//	r.Get("/", h)
func (mx *Mux) Get(pattern string, h http.HandlerFunc) error { return nil }

func (mx *mux) Get() {}
func hidden() {}
`, "[chi > Mux > Mux.Get]\ngo| func (mx *Mux) Get(pattern string, h http.HandlerFunc) error\nGet adds a route.\ngo| r.Get(\"/\", h)\n"},
		{"testing.go", "package serf\n\n// TestServer starts one.\nfunc TestServer(t testing.TB) *Server { return nil }\n\n// TestConn tries it.\nfunc TestConn(c *Conn) error { return nil }\n\n// Check checks.\nfunc Check(t testing.TB) {}\n",
			"[serf > TestConn]\ngo| func TestConn(c *Conn) error\nTestConn tries it.\n[serf > Check]\ngo| func Check(t testing.TB)\nCheck checks.\n"},
		{"main.go", "package main\n\n// Run runs.\nfunc Run() {}\n", ""},
		{"axum/src/routing/mod.rs", "/// A router.\n///\n/// # Examples\n/// ```\n/// # use axum::Router;\n/// let r = Router::new();\n/// ```\npub struct Router<S> { inner: S }\nimpl<S> Router<S> {\n    /// Create.\n    pub fn new() -> Self { todo!() }\n    pub(crate) fn secret(&self) {}\n}\n",
			"[axum::routing > Router]\nrust| pub struct Router<S> { inner: S }\nA router.\nExamples:\nrust| let r = Router::new();\n[axum::routing > Router > Router::new]\nrust| pub fn new() -> Self\nCreate.\n"},
		{"index.d.ts", "export class Command {\n  /**\n   * Define {@link Option an option}.\n   * @param flags - the flags\n   * @returns `this` for chaining\n   * @throws RangeError when wrong\n   * @example\n   * cmd.option('-p')\n   */\n  option(flags: string): this;\n  /** @internal */\n  secret(): void;\n}\n",
			"[index > Command]\ntypescript| export class Command\n[index > Command > Command.option]\ntypescript| option(flags: string): this\nDefine `an option`.\nParameters:\n- `flags`: the flags\nReturns: `this` for chaining\nErrors:\n- `RangeError`: when wrong\nExample:\ntypescript| cmd.option('-p')\n"},
		{"lib/a.js", "export function undescribed() {}\n/** Does it.\n * @param {string} [name=x] who\n */\nexport function done(name) {}\n",
			"[a > done]\njavascript| export function done(name)\nDoes it.\nParameters:\n- `name=x`: `string` who\n"},
		{"lib/queue.js", "/**\n * Dependencies.\n * @private\n */\n\nvar a = require('a')\n\n/**\n * Add a job.\n *\n * @param {Job} job\n * @public\n */\n\nqueue.push = function push(job) {}\n\n/** Far away. */\n\n\nqueue.far = function () {}\n",
			"[queue > queue > queue.push]\njavascript| queue.push = function push(job)\nAdd a job.\nParameters:\n- `job`: `Job`\n"},
		{"Gson.java", "package com.x;\n/** Main <b>class</b>. */\npublic class Gson {\n  /** Makes {@code json}.\n   * <pre>{@code\n   * g.toJson(1);\n   * }</pre>\n   * @param src the object\n   * @return the JSON, see {@link #fromJson(String, Type)}\n   * @throws IOException if bad */\n  public String toJson(Object src) { return null; }\n  /** Of a writer. */\n  public void toJson(Object src, Writer w) {}\n  private void z() {}\n}\n",
			"[com.x > Gson]\njava| public class Gson\nMain class.\n[com.x > Gson > Gson.toJson]\njava| public String toJson(Object src)\n  | public void toJson(Object src, Writer w)\nMakes `json`.\njava| g.toJson(1);\nOf a writer.\nParameters:\n- `src`: the object\nReturns: the JSON, see `fromJson(String, Type)`\nErrors:\n- `IOException`: if bad\n"},
		{"src/Log.cs", "namespace Serilog;\npublic static class Log {\n  /// <summary>Write an <see cref=\"T:Serilog.Event\"/>.</summary>\n  /// <param name=\"m\">The message</param>\n  /// <exception cref=\"ArgumentException\">If empty</exception>\n  /// <example><code>\n  /// Log.Write(\"a\");\n  /// </code></example>\n  public static void Write(string m) {}\n  internal static void X() {}\n}\n",
			"[Serilog > Log]\ncsharp| public static class Log\n[Serilog > Log > Log.Write]\ncsharp| public static void Write(string m)\nWrite an `Serilog.Event`.\nParameters:\n- `m`: The message\nErrors:\n- `ArgumentException`: If empty\nExample:\ncsharp| Log.Write(\"a\");\n"},
		{"lib/base.rb", "module Sinatra\n  # Base class\n  class Base\n    # Halt it.\n    #\n    # @param code [Integer] the status\n    # @raise [Error] always\n    def error(code)\n    end\n    # @api private\n    def hidden; end\n  end\nend\n",
			"[base > Sinatra > Sinatra::Base]\n"},
		{"src/App.php", "<?php\nnamespace Slim;\n/** App */\nclass App {\n    /**\n     * Add it.\n     *\n     * @param Middleware|string $m the thing\n     * @return self\n     */\n    public function add($m): self { return $this; }\n    private function q() {}\n}\n",
			"[Slim > App]\nphp| class App\nApp\n[Slim > App > App::add]\nphp| public function add($m): self\nAdd it.\nParameters:\n- `$m`: `Middleware|string` the thing\nReturns: `self`\n"},
		{"src/Options.cs", "namespace Q;\npublic class O {\n  /// <summary>If it keeps.</summary>\n  [Foo(\"x\")]\n  public bool Keeps { get; set; } = true;\n  /// <summary>Its name.</summary>\n  public string Name\n  {\n    get;\n  }\n  /// <summary>Hidden.</summary>\n  private int most = 3;\n  public int Silent { get; }\n  /// <summary>Does.</summary>\n  public void Do() { /* <summary>no</summary> */ int local = 1; }\n  /// <summary>The most.</summary>\n  public const int Max = 3;\n}\n/// <summary>I.</summary>\npublic interface I {\n  /// <summary>How many.</summary>\n  int Count { get; }\n}\ninternal class H {\n  /// <summary>Hidden.</summary>\n  public int N { get; }\n}\n",
			"[Q > O]\ncsharp| public class O\n[Q > O > O.Keeps]\ncsharp| public bool Keeps { get; set; } = true;\nIf it keeps.\n[Q > O > O.Name]\ncsharp| public string Name\nIts name.\n[Q > O > O.Do]\ncsharp| public void Do()\nDoes.\n[Q > O > O.Max]\ncsharp| public const int Max = 3;\nThe most.\n[Q > I]\ncsharp| public interface I {\n  |   int Count { get; }\n  | }\nI.\n[Q > I > I.Count]\ncsharp| int Count { get; }\nHow many.\n"},
		{"src/Pair.cs", "namespace Q;\npublic static class M {\n  /// <summary>Pairs.</summary>\n  /// <example><code><![CDATA[\n  /// a.Pair<int>();\n  /// ]]></code></example>\n\n  public static void Pair(int a) {}\n\n  public static void Bare() {}\n}\n",
			"[Q > M]\ncsharp| public static class M\n[Q > M > M.Pair]\ncsharp| public static void Pair(int a)\nPairs.\nExample:\ncsharp| a.Pair<int>();\n[Q > M > M.Bare]\ncsharp| public static void Bare()\n"},
		{"src/set.rs", "/// A set.\npub struct Set;\nimpl Clone for Set {\n    fn clone(&self) -> Set { Set }\n}\nimpl Iterator for Set {\n    /// The next key.\n    fn next(&mut self) -> Option<u8> { None }\n}\nimpl Set {\n    pub fn len(&self) -> u8 { 0 }\n}\n",
			"[set > Set]\nrust| pub struct Set;\nA set.\n[set > Set > Set::next]\nrust| fn next(&mut self) -> Option<u8>\nThe next key.\n[set > Set > Set::len]\nrust| pub fn len(&self) -> u8\n"},
		{"src/Late.java", "package p;\npublic class Late {\n  /** Waits. */\n\n  public void wait() {}\n}\n", "[p > Late]\njava| public class Late\n[p > Late > Late.wait]\njava| public void wait()\nWaits.\n"},
		{"src/Group.php", "<?php\nclass Group {\n    /**\n     * {@inheritdoc}\n     */\n    public function add($m): self { return $this; }\n}\n",
			"[Group > Group]\nphp| class Group\n[Group > Group > Group::add]\nphp| public function add($m): self\n"},
		{"src/flask/app.py", "class Flask(App):\n    \"\"\"The app.\n\n    :param name: its name\n    \"\"\"\n    def __init__(self, name):\n        pass\n    def route(self, rule: str) -> T:\n        \"\"\"Decorate a view.\n\n        Parameters\n        ----------\n        rule : str\n            The rule.\n\n        >>> app.route('/')\n        \"\"\"\n    def _x(self): pass\n",
			"[flask.app > Flask]\npython| class Flask(App):\n  |     def __init__(self, name):\n"},
		{"lib/tool/conn.ex", "defmodule Tool.Conn do\n  @moduledoc \"\"\"\n  The connection.\n\n      iex> 1\n  \"\"\"\n  use Foo\n  alias Bar.Baz\n\n  @type t :: %__MODULE__{}\n\n  @doc \"\"\"\n  Puts a header.\n\n  ## Examples\n\n      iex> put(conn, \"a\", \"b\")\n      conn\n  \"\"\"\n  @spec put(t, String.t, String.t) :: t\n  def put(conn, key, value \\\\ nil)\n  def put(%{a: 1} = conn, key, value) when is_binary(key) do\n    conn\n  end\n\n  def put(conn, _key, _value), do: conn\n\n  @doc \"One line.\"\n  @doc since: \"1.2\"\n  defmacro halt(x), do: x\n\n  @doc false\n  def hidden(x), do: x\n\n  defp private(x), do: x\n\n  defmodule Error do\n    defexception [:message]\n  end\n\n  @doc ~S\"\"\"\n  Raw.\n  \"\"\"\n  def raw!(x) do\n    x\n  end\n  @callback init(opts) :: opts\nend\n",
			"[tool/conn > Tool.Conn]\nelixir| defmodule Tool.Conn\nThe connection.\nelixir| iex> 1\n[tool/conn > Tool.Conn > Tool.Conn.t]\nelixir| @type t :: %__MODULE__{}\n[tool/conn > Tool.Conn > Tool.Conn.put]\nelixir| @spec put(t, String.t, String.t) :: t\n  | def put(conn, key, value \\\\ nil)\n  | def put(%{a: 1} = conn, key, value) when is_binary(key)\n  | def put(conn, _key, _value)\nPuts a header.\nExamples:\nelixir| iex> put(conn, \"a\", \"b\")\n  | conn\n[tool/conn > Tool.Conn > Tool.Conn.halt]\nelixir| defmacro halt(x)\nOne line.\n[tool/conn > Tool.Conn > Tool.Conn.raw!]\nelixir| def raw!(x)\nRaw.\n[tool/conn > Tool.Conn > Tool.Conn.init]\nelixir| @callback init(opts) :: opts\n"},
		{"Sources/Log/Logger.swift", "/// A logger.\npublic struct Logger: Sendable {\n    /// The label.\n    public let label: String\n    /// Log a message.\n    ///\n    /// - parameters:\n    ///    - level: The level.\n    ///    - message: What to say.\n    /// - Returns: nothing\n    /// - Throws: an error\n    @inlinable\n    public func log(level: Logger.Level, _ message: @autoclosure () -> String) throws -> Int {\n        return 1\n    }\n    func notPublic() {}\n    public init(label: String) { self.label = label }\n    /// Levels\n    public enum Level: String { case trace, debug\n      /// Inner\n      public static func of(x: Int) -> Level { .trace } }\n}\nextension Logger {\n    /// From extension.\n    public func trace() {}\n}\npublic protocol LogHandler {\n    /// Handler log\n    func log(event: String)\n}\n/// Top.\npublic func bootstrap(_ f: @escaping (String) -> Void) {}\n",
			"[Log > Logger]\nswift| public struct Logger: Sendable\nA logger.\n[Log > Logger > Logger.log]\nswift| public func log(level: Logger.Level, _ message: @autoclosure () -> String) throws -> Int\nLog a message.\nParameters:\n- `level`: The level.\n- `message`: What to say.\nReturns: nothing\nErrors:\n- `throws`: an error\n[Log > Logger > Logger.init]\nswift| public init(label: String)\n[Log > Logger > Logger.Level]\nswift| public enum Level: String\nLevels\n[Log > Logger.Level > Logger.Level.of]\nswift| public static func of(x: Int) -> Level\nInner\n[Log > Logger > Logger.trace]\nswift| public func trace()\nFrom extension.\n[Log > LogHandler]\nswift| public protocol LogHandler\n[Log > LogHandler > LogHandler.log]\nswift| func log(event: String)\nHandler log\n[Log > bootstrap]\nswift| public func bootstrap(_ f: @escaping (String) -> Void)\nTop.\n"},
		{"lib/outer.ex", "defmodule Outer do\n\tdefmodule Inner do\n\t\t@moduledoc false\n\t\tdef hidden(a), do: a\n\tend\n\n\t@doc \"Seen.\"\n\tdef seen(a), do: a\nend\n",
			"[outer > Outer > Outer.seen]\nelixir| def seen(a)\nSeen.\n"},
		{"lib/auth.rb", "module Auth\n  protected\n\n  # Raise unless checked.\n  def verify\n  end\n\n  def bare; end\n\n  class In\n    public\n    # Open.\n    def open; end\n  end\n\n  private\n\n  # Mine.\n  def own; end\n\n  public\n\n  # For all.\n  def all; end\n\n  # Inline.\n  protected def inline; end\nend\n",
			"[auth > Auth > verify]\nruby| def verify\nRaise unless checked.\n[auth > Auth > In]\nruby| class In\n[auth > Auth > In > In#open]\nruby| def open\nOpen.\n[auth > Auth > all]\nruby| def all\nFor all.\n[auth > Auth > inline]\nruby| protected def inline\nInline.\n"},
		{"Base.java", "package p;\npublic abstract class Base {\n  /** Override it. */\n  protected void hook() {}\n  protected void bare() {}\n  /** Mine. */\n  private void own() {}\n}\n",
			"[p > Base]\njava| public abstract class Base\n[p > Base > Base.hook]\njava| protected void hook()\nOverride it.\n"},
		{"End.java", "package p;\npublic final class End {\n  /** Nobody's. */\n  protected void hook() {}\n}\n", "[p > End]\njava| public final class End\n"},
		{"src/Base.cs", "namespace Q;\npublic abstract class Base {\n  /// <summary>Override it.</summary>\n  protected virtual void Hook() {}\n  /// <summary>Mine.</summary>\n  private protected void Own() {}\n}\n",
			"[Q > Base]\ncsharp| public abstract class Base\n[Q > Base > Base.Hook]\ncsharp| protected virtual void Hook()\nOverride it.\n"},
		{"src/Base.php", "<?php\nabstract class Base {\n    /** Override it. */\n    protected function hook() {}\n    protected function bare() {}\n}\n",
			"[Base > Base]\nphp| abstract class Base\n[Base > Base > Base::hook]\nphp| protected function hook()\nOverride it.\n"},
		{"testing/python/a.py", "def helper():\n    \"\"\"Helps.\"\"\"\ndef test_it(): pass\n", ""},
	} {
		got := shown(Read(tc.path, syntax.Language(tc.path, nil), []byte(tc.text), nil))
		if tc.path == "lib/base.rb" || tc.path == "src/flask/app.py" { // only parts of those
			for _, want := range map[string][]string{
				"lib/base.rb":      {"Base class", "[base > Sinatra > Base > Base#error]\nruby| def error(code)\nHalt it.\nParameters:\n- `code`: `Integer` the status\nErrors:\n- `Error`: always\n"},
				"src/flask/app.py": {tc.want, "The app.", "its name", "def route(self, rule: str) -> T:\nDecorate a view.\nParameters:\n", "`rule` : str", ">>> app.route('/')"},
			}[tc.path] {
				if !strings.Contains(got, want) {
					t.Errorf("%s lacks %q:\n%s", tc.path, want, got)
				}
			}
			if strings.Contains(got, "hidden") || strings.Contains(got, "_x") {
				t.Errorf("%s has what is private:\n%s", tc.path, got)
			}
			continue
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s:\n%s", tc.path, diff)
		}
	}
}

// A name of Python is found where its users import it from.
func TestNames(t *testing.T) {
	tree := fstest.MapFS{
		"src/flask/__init__.py":           {Data: []byte("from .app import Flask as Flask\nfrom . import json as json\n")},
		"src/flask/app.py":                {Data: []byte("class Flask:\n    '''App.'''\n    def run(self): '''Run.'''\n")},
		"src/flask/sansio/scaffold.py":    {Data: []byte("class Scaffold:\n    '''S.'''\n")},
		"numpy/linalg/__init__.py":        {Data: []byte("from ._linalg import *\n")},
		"numpy/linalg/_linalg.py":         {Data: []byte("__all__ = ['norm']\ndef norm(x):\n    '''Norm.'''\n")},
		"httpx/__init__.py":               {Data: []byte("from ._transports import *\n")},
		"httpx/_transports/__init__.py":   {Data: []byte("from .mock import MockTransport\n")},
		"httpx/_transports/mock.py":       {Data: []byte("class MockTransport:\n    def close(self): pass\n")},
		"numpy/_core/_internal_helper.py": {Data: []byte("def helper(x): pass\n")},
		"click/__init__.py":               {Data: []byte("from .termui import edit as edit\n")},
		"click/termui.py":                 {Data: []byte("def edit():\n    '''Edit.'''\n    from ._impl import Editor\n")},
		"click/_impl.py":                  {Data: []byte("class Editor:\n    '''Runs an editor.'''\n")},
		"trio/__init__.py":                {Data: []byte("from ._run import run\n")},
		"trio/lowlevel.py":                {Data: []byte("from ._run import Task as Task, current\nimport typing\n")},
		"trio/_run.py":                    {Data: []byte("def run(): pass\nclass Task: pass\ndef other():\n    '''Mine.'''\n")},
		"sk/__init__.py":                  {Data: []byte("import lazy_loader\n__getattr__ = lazy_loader.attach()\n")},
		"sk/_edges.py":                    {Data: []byte("def canny():\n    '''Edges.'''\ndef mine(): pass\n")},
	}
	var paths []string
	for p := range tree {
		paths = append(paths, p)
	}
	names := NamesOf(paths, func(p string) ([]byte, error) { return fs.ReadFile(tree, p) })
	for p, want := range map[string]string{
		"src/flask/app.py":                "flask > Flask, flask > Flask > Flask.run",
		"src/flask/sansio/scaffold.py":    "flask.sansio.scaffold > Scaffold",
		"numpy/linalg/_linalg.py":         "numpy.linalg > norm",
		"httpx/_transports/mock.py":       "httpx > MockTransport, httpx > MockTransport > MockTransport.close",
		"numpy/_core/_internal_helper.py": "",
		"click/_impl.py":                  "",
		"trio/_run.py":                    "trio > run, trio.lowlevel > Task",
		"sk/_edges.py":                    "sk > canny",
	} {
		var got []string
		for _, e := range Read(p, "python", tree[p].Data, names) {
			got = append(got, strings.Join(e.Trail, " > "))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s, want %s", p, s, want)
		}
	}
}

// What a private module of Rust declares counts where another passes it on.
func TestCrates(t *testing.T) {
	tree := fstest.MapFS{
		"src/lib.rs":          {Data: []byte("pub mod open;\nmod deep;\nmod sum;\nmod all;\nmod imp;\npub(crate) mod own;\npub mod structs {\n    pub use crate::deep::{Kept, Other as Renamed};\n}\npub use all::*;\nuse sum::total;\npub struct Far;\n")},
		"src/open.rs":         {Data: []byte("/// A.\npub fn a() {}\n")},
		"src/deep/mod.rs":     {Data: []byte("pub mod inner;\n/// K.\npub struct Kept;\nimpl Kept {\n    /// M.\n    pub fn m(&self) {}\n}\n/// L.\npub struct Left;\nimpl Left {\n    pub fn n(&self) {}\n}\n")},
		"src/deep/inner.rs":   {Data: []byte("/// O.\npub struct Other;\n/// P.\npub fn p() {}\n")},
		"src/sum.rs":          {Data: []byte("/// T.\npub fn total() {}\n")},
		"src/all.rs":          {Data: []byte("/// E.\npub fn every() {}\n")},
		"src/imp.rs":          {Data: []byte("impl Far {\n    /// R.\n    pub fn reach(&self) {}\n}\n")},
		"src/own.rs":          {Data: []byte("/// W.\npub fn w() {}\n")},
		"other/src/sum.rs":    {Data: []byte("/// S.\npub fn s() {}\n")},
		"other/src/lib.rs":    {Data: []byte("#[cfg(unix)]\npub mod sum;\n#[cfg(not(unix))]\nmod sum;\n")},
		"no-crate/src/two.rs": {Data: []byte("/// Z.\npub fn z() {}\n")},
	}
	var paths []string
	for p := range tree {
		paths = append(paths, p)
	}
	names := NamesOf(paths, func(p string) ([]byte, error) { return fs.ReadFile(tree, p) })
	for p, want := range map[string]string{
		"src/open.rs": "a", "src/deep/mod.rs": "Kept, Kept::m", "src/deep/inner.rs": "Other", "src/sum.rs": "", "src/all.rs": "every", "src/imp.rs": "Far::reach",
		"src/own.rs": "", "other/src/sum.rs": "s", "no-crate/src/two.rs": "z",
	} {
		var got []string
		for _, e := range Read(p, "rust", tree[p].Data, names) {
			got = append(got, e.Title)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %q, want %q", p, s, want)
		}
	}
}

// What the index of a package exports is an entry though nobody describes it.
func TestScripts(t *testing.T) {
	tree := fstest.MapFS{
		"src/index.ts":       {Data: []byte("import { Local } from './local.js'\nexport { ok, type Err as Failure } from './result'\nexport * from './deep'\nexport {\n  Local,\n}\nexport function here(a: string) {}\n")},
		"src/result.ts":      {Data: []byte("export function ok(v: number): Ok {}\nexport class Err {\n  unwrap(): never {}\n  private no() {}\n}\nexport function own() {}\n/** Told. */\nexport function told() {}\n")},
		"src/deep/index.ts":  {Data: []byte("export { far } from '../far'\n")},
		"src/far.ts":         {Data: []byte("export const far = (a: number) => a\nexport const near = (a: number) => a\n")},
		"src/local.ts":       {Data: []byte("export class Local {}\n")},
		"examples/a/note.ts": {Data: []byte("export function alone() {}\n")},
		"src/utils.ts":       {Data: []byte("// What is used as \"package/utils\".\nexport * from './utils/all'\n")},
		"src/utils/all.ts":   {Data: []byte("/* all */\nimport { Two } from './two'\nexport { one } from './two'\nexport { Two }\n")},
		"src/utils/two.ts":   {Data: []byte("export function one() {}\nexport class Two {}\nexport function three() {}\n")},
		"src/inner.ts":       {Data: []byte("export { four } from './inner/four'\nconst cache = 1\n")},
		"src/inner/four.ts":  {Data: []byte("export function four() {}\n")},
	}
	var paths []string
	for p := range tree {
		paths = append(paths, p)
	}
	names := NamesOf(paths, func(p string) ([]byte, error) { return fs.ReadFile(tree, p) })
	for p, want := range map[string]string{
		"src/index.ts": "here", "src/result.ts": "ok, Err, Err.unwrap, told", "src/far.ts": "far", "src/local.ts": "Local", "examples/a/note.ts": "", "src/utils/two.ts": "one, Two", "src/inner/four.ts": "",
	} {
		var got []string
		for _, e := range Read(p, "typescript", tree[p].Data, names) {
			got = append(got, e.Title)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %q, want %q", p, s, want)
		}
	}
}

func TestLanguage(t *testing.T) {
	for p, want := range map[string]string{
		"a.go": "go", "a_test.go": "", "internal/a.go": "", "vendor/x/a.go": "", "examples/a.go": "", "testdata/a.go": "", "src/_internals/a.ts": "", "src/jmh/java/A.java": "",
		"build.gradle.kts": "", "buildSrc/src/main/kotlin/a.kt": "", "dist/index.js": "", "dist/index.d.ts": "typescript", "src/a.ts": "typescript", "a.min.js": "", "docs/conf.py": "", "a.md": "", "LICENSE": "", "src/x/tests/a.py": "",
	} {
		if got := Language(p, false); got != want {
			t.Errorf("Language(%s) = %q, want %q", p, got, want)
		}
	}
	if Language("dist/index.js", true) != "javascript" {
		t.Error("a package as its registry has it has nothing but what was built")
	}
}

// Whatever a file holds, it is read without a crash, and every entry has a title and a
// signature that is quoted.
func FuzzRead(f *testing.F) {
	f.Add("python", "class A:\n  '''D.'''\n  def f(self): pass")
	f.Add("java", "/** {@link a */ public class A { /** @param */ public void b() {} }")
	f.Add("csharp", "/// <summary>x<code></summary>\npublic class A {}")
	f.Add("typescript", "/** @example <caption>*/ export const a = 1")
	f.Fuzz(func(t *testing.T, lang, text string) {
		if jointOf(lang) == "" || len(text) > 1<<14 {
			return
		}
		for _, e := range Read("a/b.x", lang, []byte(text), nil) {
			if e.Title == "" || len(e.Trail) == 0 || e.Line < 1 || len(e.Blocks) == 0 || e.Blocks[0].Kind != markup.Code {
				t.Fatalf("%+v", e)
			}
		}
	})
}

// Of an OpenAPI file each operation is an entry, with what a request needs.
func TestOpenAPI(t *testing.T) {
	spec := `openapi: 3.0.3
info: {title: Shop}
servers: [{url: 'https://api.example.com/v1/'}]
paths:
  /orders/{id}:
    put:
      operationId: putOrder
      summary: Change an order
      description: "# Heading\n\nIt may be *paid* already."
      tags: [orders]
      deprecated: true
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: mode, in: query, required: true, description: how, schema: {type: string, enum: [fast, slow], default: fast}}
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses: {'200': {description: the order, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
components:
  schemas: {Order: {type: object, required: [note], properties: {note: {type: string, example: it's}}}}
  securitySchemes: {t: {type: http, scheme: bearer}}
`
	want := `[Shop > orders > Change an order (PUT /orders/{id})]
http| PUT /orders/{id}
Operation ~putOrder~.
Deprecated.
Heading
It may be paid already.
Parameters:
- ~id~ (path, integer, required)
- ~mode~ (query, string, required, default fast) one of fast, slow: how
Body (application/json, required) Order:
- ~note~ (string, required)
Responses:
- ~200~ Order: the order
bash| curl -X PUT 'https://api.example.com/v1/orders/{id}?mode=fast' \
  |   -H 'Authorization: Bearer TOKEN' \
  |   -H 'Content-Type: application/json' \
  |   -d '{"note": "it'\''s"}'
Answer:
- ~note~ (string, required)
json| {"note": "it's"}
`
	if lang := Language("api/openapi.yaml", false); lang != OpenAPI {
		t.Errorf("its language is %q", lang)
	}
	got := shown(Read("api/openapi.yaml", OpenAPI, []byte(spec), nil))
	if diff := cmp.Diff(strings.ReplaceAll(want, "~", "`"), got); diff != "" {
		t.Error(diff)
	}
	for _, other := range []string{"", "name: app\nversion: 1\n", "openapi: 3.0.0\npaths: [", "openapi: 3.0.0\n"} {
		if e := Read("openapi.yaml", OpenAPI, []byte(other), nil); len(e) > 0 {
			t.Errorf("%q has entries: %v", other, e)
		}
	}
	for _, p := range []string{"test/openapi.yaml", "examples/petstore/swagger.json", "deploy.yaml"} {
		if lang := Language(p, false); lang != "" {
			t.Errorf("%s is read as %s", p, lang)
		}
	}
}
