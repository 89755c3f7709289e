"""Print the calls inside the Python project below a folder, as mypy and pyright resolve them.

    python3 -m venv DIR && DIR/bin/pip install mypy && npm install --prefix DIR pyright
    DIR/bin/python edges.py --pyright DIR/node_modules/pyright ROOT > edges.jsonl

mypy has to run in the interpreter that runs this. What the project imports is looked for in that one too, and in
each folder after --site. Without --pyright mypy answers alone; its bodies without annotations are inferred too.

A line is one call: from the nearest named function around to the function that runs. A construction runs __init__ where
the project has one, else it means the class. Calls of properties, of parameters and of what has no name are left out.

    {"from":{"file":"a.py","name":"f","line":3},"to":{"file":"b.py","name":"g","line":7},"line":4,"kind":"static"}

An edge holds if either oracle says so. Other kinds ask for nothing: "possible" is a method that may run in place of the
one meant, as it overrides it, or another definition of the same name in the same scope; "outside" is a call that leaves
the project; and at an "unknown" one neither oracle knows. Of the last two, "to" has only the name that is called.
"""

import argparse
import ast
import json
import os
import shutil
import sys
import tempfile
import warnings

from facts import name_line, sources
from mypycalls import Mypy
from pyrightcalls import pyright

PROPERTIES = {"property", "cached_property", "setter", "getter", "deleter", "hybrid_property", "abstractproperty"}
NATIVE = {"staticmethod", "classmethod", "property", "setter", "getter", "deleter", "overload", "override", "final", "abstractmethod"}


class Site:
    """One call: where the callee's last name is, and what is around it."""

    def __init__(self, file, caller, name, line, end):
        self.file, self.caller, self.name = file, caller, name
        self.line, self.end = line, end  # end: of the name, in bytes of its line

    def place(self):
        return self.file, self.line, self.end


class Definition:
    """A function or class, by the line of its def or class."""

    def __init__(self, file, node, name, line, owner):
        self.file, self.node, self.name, self.line, self.owner = file, node, name, line, owner
        self.twins = []  # of the same name in the same scope
        marks = [getattr(m, "attr", getattr(m, "id", "")) for m in getattr(node, "decorator_list", [])]
        self.is_class = isinstance(node, ast.ClassDef)
        self.is_property = any(m in PROPERTIES for m in marks)
        self.is_overload = "overload" in marks

    def place(self):
        return {"file": self.file, "name": self.name, "line": self.line}


class Index(ast.NodeVisitor):
    """What a file declares and calls."""

    def __init__(self, file, text):
        self.file = file
        self.lines = text.split("\n")
        self.definitions = {}  # by line and name
        self.sites = []
        self.around = [{"file": file, "name": "", "line": 0}]
        self.scope = [None]
        self.scopes = {}
        self.visit(ast.parse(text))

    def define(self, node, name, line, at):
        d = Definition(self.file, node, name, line, self.scope[-1])
        same = self.scopes.setdefault((id(self.scope[-1]), name), [])
        for other in same:
            other.twins.append(d)
            d.twins.append(other)
        same.append(d)
        self.definitions[at, name] = self.definitions[line, name] = d
        return d

    def inside(self, d, nodes, caller):
        self.scope.append(d)
        if caller:
            self.around.append(d.place())
        for n in nodes:
            self.visit(n)
        self.scope.pop()
        if caller:
            self.around.pop()

    def marks(self, node):
        """Read decorators: one that is only a name is called too, unless it says but what kind of function this is."""
        for mark in node.decorator_list:
            if isinstance(mark, (ast.Name, ast.Attribute)) and getattr(mark, "attr", getattr(mark, "id", "")) not in NATIVE:
                self.called(mark)
            self.visit(mark)

    def called(self, func):
        name = getattr(func, "attr", getattr(func, "id", None))
        if name is not None:
            self.sites.append(Site(self.file, self.around[-1], name, func.end_lineno, func.end_col_offset))

    def visit_FunctionDef(self, node):
        self.marks(node)
        d = self.define(node, node.name, name_line(self.lines, node), node.lineno)
        self.inside(d, [node.args, *filter(None, [node.returns]), *node.body], True)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.marks(node)
        d = self.define(node, node.name, node.lineno, node.lineno)
        self.inside(d, [*node.bases, *node.keywords, *node.body], False)

    def assign(self, node, target):
        if not isinstance(node.value, ast.Lambda) or not isinstance(target, ast.Name):
            return self.generic_visit(node)
        d = self.define(node.value, target.id, target.lineno, target.lineno)
        self.inside(d, [node.value], True)

    def visit_Assign(self, node):
        self.assign(node, node.targets[-1])

    def visit_AnnAssign(self, node):
        self.assign(node, node.target)

    def visit_Call(self, node):
        self.called(node.func)
        self.generic_visit(node)

    def written(self, site):
        """Report whether a call's name is where it is said to be: in a formatted string it may not."""
        line = self.lines[site.line - 1].encode() if site.line <= len(self.lines) else b""
        return line[: site.end].endswith(site.name.encode())


def read(root, copy):
    """Index the files that parse, and lay them alone into a folder."""
    found = {}
    for path in sources(root):
        if not path.endswith(".py"):
            continue
        try:
            with open(os.path.join(root, path), "rb") as f:
                found[path] = Index(path, f.read().decode("utf-8").replace("\r\n", "\n"))
        except (SyntaxError, ValueError, RecursionError, OSError):
            continue
        there = os.path.join(copy, path)
        os.makedirs(os.path.dirname(there), exist_ok=True)
        shutil.copyfile(os.path.join(root, path), there)
    return found


class Truth:
    """What both oracles say, as edges."""

    def __init__(self, files, oracle):
        self.files, self.oracle = files, oracle

    def definition(self, at):
        file, line, name = at
        index = self.files.get(file)
        return index and index.definitions.get((line, name))

    def meant(self, at):
        """Return what runs when a definition is called, and what may run."""
        d = self.definition(at)
        if d is None or d.is_property:
            return [], []
        if not d.is_class:
            return [d], []
        made = [self.definition(a) for a in self.oracle.constructors(at)]
        made = [m for m in made if m]
        return (made[:1] or [d]), made[1:]

    def edges(self, site, answers, outside):
        """Return the edges of a call with their kinds."""
        must, may = [], []
        for at, exactly in answers:
            run, others = self.meant(at)
            must += run
            may += others
            for d in run:
                if not exactly and d.owner is not None and d.owner.is_class:
                    cls = d.owner.file, d.owner.node.lineno, d.owner.name
                    may += filter(None, map(self.definition, self.oracle.overrides(cls, d.name)))
        for d in list(must):
            may += d.twins
        must = [d for d in must if not d.is_overload or all(t.is_overload for t in d.twins)] or must
        if not must:
            kind = "outside" if outside and not answers else "unknown"
            return [{"from": site.caller, "to": {"name": site.name}, "line": site.line, "kind": kind}]
        out = {}
        for kind, some in (("static", must), ("possible", may)):
            for d in some:
                at = d.place()
                out.setdefault((at["file"], at["line"], at["name"]), {"from": site.caller, "to": at, "line": site.line, "kind": kind})
        return list(out.values())


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    args = argparse.ArgumentParser()
    args.add_argument("--pyright", help="the folder of the npm package")
    args.add_argument("--site", action="append", default=[], help="a folder of installed packages")
    args.add_argument("root")
    args = args.parse_args()
    with tempfile.TemporaryDirectory() as copy:
        copy = os.path.realpath(copy)
        files = read(args.root, copy)
        oracle = Mypy(copy, list(files), args.site)
        sites = [s for f in files.values() for s in f.sites]
        second = pyright(args.pyright, copy, args.site, files) if args.pyright else {}
    truth = Truth(files, oracle)
    counts, out, known = {}, [], set()
    for site in sites:
        answers, outside = oracle.at(site.place(), site.name)
        more, leaves = second.get((site.place(), site.name), ([], False))
        if not files[site.file].written(site):
            answers, outside, more, leaves = [], False, [], False
        seen = [at for at, _ in answers]
        edges = truth.edges(site, answers + [(at, False) for at in more if at not in seen], outside or leaves)
        out += ((site, e) for e in edges)
        if edges[0]["kind"] != "unknown":
            known.add((site.file, site.line, site.name))
    for site, edge in out:  # an edge has no column: what is known of one call in a line serves for all of that name
        if edge["kind"] != "unknown" or (site.file, site.line, site.name) not in known:
            counts[edge["kind"]] = counts.get(edge["kind"], 0) + 1
            print(json.dumps(edge))
    print(f"{len(files)} files, {len(sites)} calls: {counts}", file=sys.stderr)


if __name__ == "__main__":
    main()
