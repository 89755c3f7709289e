package rst

import (
	"errors"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markuptest"
)

var files = map[string]string{
	"x.py":           "import os\n\n\n@mark\ndef f(a):\n    return a\n\n\nclass C:\n    def m(self):\n        pass\n\n    def n(self):\n        return 1\n\n# begin\nx = 1\n# end\n",
	"part.rst":       "Included *text*.\n\nDeeper\n------\n\nx\n",
	"loop.rst":       "again\n\n.. include:: loop.rst\n",
	"../shared.txt":  "shared\n",
	"t.csv":          "a,b\n1,\"2, 3\"\n",
	"../up/nest.rst": ".. include:: leaf.rst\n",
	"../up/leaf.rst": "leaf\n",
}

var docs = map[string]string{
	"pkg.mod":     "About the module.\n\nSecond.",
	"pkg.f":       "Do it.\n\n    :param int x: the value\n    :returns: nothing",
	"pkg.C":       "A class.\n\nParameters\n----------\nx : int\n    The value.\n\nExamples\n--------\n>>> C()\n",
	"pkg.C.m":     "A method.",
	"pkg.mod.fun": "Short text\nof two lines.\n\nLong.",
}

var options = markup.Options{
	Path: "docs/a/page.rst",
	Include: func(path string) ([]byte, error) {
		if s, ok := files[path]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("no such file")
	},
	Doc: func(_, name string) (string, bool) {
		s, ok := docs[name]
		return s, ok
	},
}

func read(src []byte) markup.Page { return Parse(src, options) }

func TestParse(t *testing.T) {
	markuptest.Cases(t, read, []markuptest.Case{
		{"titles", "====\nBook\n====\n\nOne\n===\n\nTwo\n---\n\nThree\n=====\n", "2 h1 Book #book\n5 h2 One #one\n8 h3 Two #two\n11 h2 Three #three\n"},
		{"label", ".. _my label:\n\nTitle\n=====\n\nSee :ref:`my label` and :ref:`this <x>`.\n", "3 h1 Title #my-label\n6 See Title and this.\n"},
		{"slug", "What's `new` in 3.1?\n====================\n", "1 h1 What's `new` in 3.1? #what-s-new-in-3-1\n"},
		{"title twice", "A\n=\n\nB\n-\n\nB\n-\n", "1 h1 A #a\n4 h2 B #b\n7 h2 B #\n"},
		{"transition", "a\n\n-----\n\nb\n", "1 a\n5 b\n"},
		{"paragraph", "one\ntwo *three* **four**\n", "1 one two three four\n"},
		{"bullets", "* a\n  b\n* c\n\n  - d\n\n    e\n* f\n", "1 - a b\n  - c\n    - d\n  \n      e\n  \n  - f\n"},
		{"enumerated", "1. a\n2. b\n\n#. c\n#. d\n\n(a) x\n", "1 1. a\n  2. b\n  3. c\n  4. d\n  a. x\n"},
		{"not enumerated", "A. Einstein was\na man.\n", "1 A. Einstein was a man.\n"},
		{"definitions", "term\n  One.\n\n  Two.\n``other`` : int\n  Three::\n\n    x\n", "1 - term: One.\n  \n    Two.\n  \n  - `other` : int: Three:\n8 code \n  x\n"},
		{"fields", "x\n\n:param int n: a number\n:param s: text\n:raises ValueError: if not\n:returns: it\n", "1 x\n3 - `n` (int): a number\n  - `s`: text\n  - Raises `ValueError`: if not\n  - Returns: it\n"},
		{"meta fields", ":orphan:\n\n:tocdepth: 2\n\nx\n", "5 x\n"},
		{"options", "-a, --all  everything\n--out=FILE  where\n-q\n   quiet\n", "1 - `-a, --all`: everything\n  - `--out=FILE`: where\n  - `-q`: quiet\n"},
		{"literal", "See::\n\n  a\n    b\n\n  c\n\nx ::\n\n  d\n\n::\n\n  e\n", "1 See:\n3 code \n  a\n    b\n  \n  c\n8 x\n10 code \n  d\n14 code \n  e\n"},
		{"quoted literal", "Mail::\n\n> a\n> b\n\nc\n", "1 Mail:\n3 code \n  > a\n  > b\n6 c\n"},
		{"doctest", "x\n\n>>> 1 + 1\n2\n\ny\n", "1 x\n3 code python\n  >>> 1 + 1\n  2\n6 y\n"},
		{"line block", "| a\n| *b*\n  c\n", "1 a\n  b c\n"},
		{"quotation", "a\n\n    b\n\nc\n", "1 a\n3 b\n5 c\n"},
		{"code in list", "* a\n\n  .. code-block:: go\n\n     x := 1\n\n  b\n* c\n", "1 - a\n5 code go\n  x := 1\n7 b\n  - c\n"},
		{"grid", "+---+-----+\n| a | b   |\n+===+=====+\n| 1 | two |\n|   | more|\n+---+-----+\n| 3       |\n+---+-----+\n", "1 table\n  a | b\n  1 | two more\n  3\n"},
		{"simple", "=====  =====\nA      B\n=====  =====\n``1``  2\n       3\n4      5\n=====  =====\n\nx\n", "1 table\n  A | B\n  `1` | 2 3\n  4 | 5\n9 x\n"},
		{"csv", ".. csv-table:: Cap\n   :header: \"h\", \"i\"\n\n   1, \"2, 3\"\n", "1 Cap\n1 table\n  h | i\n  1 | 2, 3\n"},
		{"csv file", ".. csv-table::\n   :file: t.csv\n", "1 table\n  a | b\n  1 | 2, 3\n"},
		{"list table", ".. list-table:: Cap\n   :header-rows: 1\n\n   * - A\n     - B\n   * - ``c``\n     - d\n\n       e\n", "1 Cap\n1 table\n  A | B\n  `c` | d e\n"},
		{"code-block", ".. code-block:: go\n   :caption: main.go\n\n   a\n\n     b\n\n.. highlight:: c\n\n::\n\n   int x;\n\n.. code::\n\n   y\n", "1 main.go\n4 code go\n  a\n  \n    b\n12 code c\n  int x;\n16 code c\n  y\n"},
		{"literalinclude", ".. literalinclude:: x.py\n   :pyobject: f\n", "1 code python\n  @mark\n  def f(a):\n      return a\n"},
		{"literalinclude method", ".. literalinclude:: x.py\n   :pyobject: C.n\n", "1 code python\n  def n(self):\n      return 1\n"},
		{"literalinclude part", ".. literalinclude:: x.py\n   :start-after: begin\n   :end-before: end\n   :language: py\n", "1 code py\n  x = 1\n"},
		{"literalinclude lines", ".. literalinclude:: x.py\n   :lines: 1,5-6\n", "1 code python\n  import os\n  def f(a):\n      return a\n"},
		{"literalinclude absent", ".. literalinclude:: no.py\n", "1 (not included: `no.py`)\n"},
		{"include", "T\n=\n\n.. include:: part.rst\n", "1 h1 T #t\n4 Included text.\n4 h2 Deeper #deeper\n4 x\n"},
		{"include from a folder above", ".. include:: /shared.txt\n\n.. include:: ../up/nest.rst\n", "1 shared\n3 leaf\n"},
		{"notes", ".. note:: a\n   b\n\n.. warning::\n\n   - c\n\n.. admonition:: Oh\n\n   d\n\n.. seealso:: e\n", "1 Note: a b\n4 Warning:\n6 - c\n8 Oh: d\n12 See also: e\n"},
		{"versions", ".. versionadded:: 3.2\n\n.. versionchanged:: 3.3\n   New.\n\n.. deprecated:: 4 use x\n", "1 New in version 3.2\n3 Changed in version 3.3: New.\n6 Deprecated since version 4: use x\n"},
		{"dropped", ".. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\n.. index:: x\n.. image:: y.png\n\n.. a comment\n   of two lines\n\n..\n   another\n\nz\n", "16 z\n"},
		{"figure", ".. figure:: y.png\n   :alt: no\n\n   The caption.\n", "4 The caption.\n"},
		{"boxes", ".. only:: html\n\n   a\n\n.. topic:: T\n\n   b\n\n.. rubric:: R\n\n.. tabs::\n\n   .. tab:: One\n\n      c\n\n   .. code-tab:: go Two\n\n      d\n\n.. container:: x\n\n   e\n", "3 a\n5 T: b\n9 R\n13 One\n15 c\n17 Two\n19 code go\n  d\n23 e\n"},
		{"objects", ".. module:: os\n\n.. function:: f(a)\n              g()\n\n   Text.\n\n.. class:: C(x)\n\n   .. method:: m()\n\n      More.\n\n.. option:: --all\n\n   All.\n\n.. c:function:: int f(void)\n", "3 `os.f(a)`\n  `os.g()`\n6 Text.\n8 `class os.C(x)`\n10 `C.m()`\n12 More.\n14 `--all`\n16 All.\n18 `int f(void)`\n"},
		{"autodoc", ".. automodule:: pkg.mod\n   :members:\n\n.. autofunction:: pkg.f\n\n.. currentmodule:: pkg\n\n.. autoclass:: C\n   :members: m\n", "1 About the module.\n1 Second.\n4 `pkg.f`\n4 Do it.\n4 - `x` (int): the value\n  - Returns: nothing\n8 `class pkg.C`\n8 A class.\n8 Parameters\n8 - x : int: The value.\n8 Examples\n8 code python\n  >>> C()\n8 `C.m`\n8 A method.\n"},
		{"autosummary", ".. currentmodule:: pkg.mod\n\n.. autosummary::\n   :toctree: api\n\n   fun\n   ~other\n", "6 - `fun`: Short text of two lines.\n  - `other`\n"},
		{"tests", ".. testsetup:: *\n\n   a\n\n.. testcode:: g\n\n   b\n\n.. testoutput::\n\n   c\n", "7 code python\n  b\n11 code \n  c\n"},
		{"math", ".. math:: a^2\n\n:math:`b_1`\n", "1 a^2\n3 b_1\n"},
		{"unknown", ".. frob:: arg\n   :opt: 1\n\n   text\n", "1 arg\n4 text\n"},
		{"roles", ":meth:`~a.b.c` :func:`x` :class:`T <a.T>` :ref:`title <l>` :pep:`8` :file:`a/{b}` :attr:`.z` :c:type:`int` :term:`word` :doc:`/a/b`\n", "1 `c()` `x()` `T` title PEP 8 `a/b` `z` `int` word a/b\n"},
		{"inline", "``a*b`` `one <http://x>`_ `two`_ word_ |s| [1]_ \\*x\\* a_b __init__ *args\n\n.. |s| replace:: *sub*\n.. _word: http://y\n.. [1] Foot\n   note.\n", "1 `a*b` one two word sub [1] *x* a_b __init__ *args\n5 [1] Foot note.\n"},
		{"parsed-literal", ".. parsed-literal::\n\n   a **b**\n     :ref:`c`\n", "3 code \n  a b\n    c\n"},
		{"raw", ".. raw:: html\n\n   <div class=\"x\"><b>Hi</b> there</div><style>no</style>\n\n.. raw:: latex\n\n   no\n", "1 Hi there\n"},
	})
}

func TestGolden(t *testing.T) { markuptest.Golden(t, ".rst", read) }

// A file that includes itself ends.
func TestIncludeLoop(t *testing.T) {
	if n := len(Parse([]byte(".. include:: loop.rst\n"), options).Blocks); n > 2*maxIncludes {
		t.Errorf("%d blocks", n)
	}
}

// Time is linear: what is ten times as long does not take a hundred times as long.
func TestLinear(t *testing.T) {
	markuptest.Linear(t, 600_000, []string{"- ", "* a\n ", "`a ", "``a ", "*a ", "|a ", ":a:`b ", "a_ ", "[a]_ ", ".. a:: ", "+-+\n", "== ==\n", "a\n b\n", ">>> x\n\n", "::\n\n", "| a\n",
		".. |a| replace:: |a| |a|\n|a| ", "=\na\n=\n", ".. _a:\n", "> ", "(a) ", ":a: ", "- - ", ".. note:: ", ".. class:: a\n   ", "a ::\n\n  "}, func(t *testing.T, src []byte) { check(t, src, read(src)) })
}

// check holds what the package promises.
func check(t *testing.T, src []byte, page markup.Page) {
	t.Helper()
	markuptest.Promises(t, src, page, 24*len(src)+4*maxIncluded)
}

func FuzzParse(f *testing.F) {
	f.Add("A\n=\n\n* x\n\n  y::\n\n    z\n\n.. note:: |a|\n\n.. |a| replace:: b\n")
	f.Add("+-+-+\n|a|b|\n+-+-+\n\n== ==\na  b\n== ==\n")
	f.Add(".. list-table::\n\n   * - a\n     - b\n\n.. csv-table::\n   :delim: ;\n\n   a;b\n")
	f.Add(".. include:: loop.rst\n.. literalinclude:: x.py\n   :lines: 1-\n   :pyobject: C.m\n.. autoclass:: pkg.C\n   :members: m\n")
	f.Add("term : x\n  def\n:field: a\n-o  opt\n1. a\n>>> b\n| c\n:role:`x <y>`_ `a`:b: ``c`` *d* _`e` [#f]_ g__\n")
	f.Fuzz(func(t *testing.T, src string) {
		check(t, []byte(src), Parse([]byte(src), options))
	})
}
