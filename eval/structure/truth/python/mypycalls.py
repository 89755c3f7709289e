"""What mypy knows of the calls in a project."""

import os
import sys

from mypy import build, nodes, types
from mypy.modulefinder import BuildSource
from mypy.options import Options
from mypy.traverser import TraverserVisitor


def modules(files):
    """Return a module name for each file, by the outermost package that it is in; a name twice gets its folder."""
    known, out = set(files), {}
    for file in sorted(files):
        stem = file[: -len(".py")].split("/")
        packages = [i for i in range(1, len(stem)) if "/".join(stem[:i]) + "/__init__.py" in known]
        first = packages[0] - 1 if packages else len(stem) - 1
        name = ".".join(stem[first:])
        name = name[: -len(".__init__")] if name.endswith(".__init__") else name
        if name in out or not all(part.isidentifier() for part in name.split(".")):
            name = "_".join("".join(c if c.isalnum() else "_" for c in part) for part in stem)
        out[name] = file
    return {file: name for name, file in out.items()}


class Written(TraverserVisitor):
    """Collects what is called, the functions and the classes of a file."""

    def __init__(self):
        super().__init__()
        self.callees, self.functions, self.classes = [], [], []

    def visit_call_expr(self, o):
        self.callees.append(o.callee)
        super().visit_call_expr(o)

    def visit_func_def(self, o):
        self.functions.append(o)
        super().visit_func_def(o)

    def visit_class_def(self, o):
        if not isinstance(o.info, nodes.FakeInfo):  # of what is never reached
            self.classes.append(o.info)
        self.callees += o.decorators
        super().visit_class_def(o)

    def visit_decorator(self, o):
        self.callees += o.original_decorators
        seen = {id(d) for d in o.decorators}
        for d in o.original_decorators:
            if id(d) not in seen:
                d.accept(self)
        super().visit_decorator(o)


class Mypy:
    """One check of a whole project. A definition is named by file, line and name."""

    def __init__(self, root, files, site):
        names = modules(files)
        options = Options()
        options.python_version = sys.version_info[:2]
        options.export_types = options.preserve_asts = options.check_untyped_defs = True
        options.incremental = False
        options.cache_dir = os.devnull
        options.ignore_missing_imports = options.namespace_packages = True
        options.follow_imports = "silent"
        options.python_executable = sys.executable
        options.mypy_path = [root, os.path.join(root, "src"), *site]
        sys.setrecursionlimit(20000)
        result = build.build([BuildSource(os.path.join(root, f), m, None) for f, m in names.items()], options)
        self.types = result.types
        self.files, self.infos, self.callees, self.below = {}, {}, {}, {}  # files: by node
        for file, module in names.items():
            self.read(file, result.files.get(module))
        for at, info in self.infos.items():
            for base in info.mro[1:]:
                if base in self.files:
                    self.below.setdefault(self.at_definition(base), []).append(info)

    def read(self, file, tree):
        written = Written()
        if tree is not None:
            tree.accept(written)
        for node in written.functions + written.classes:
            self.files[node] = file
        for info in written.classes:
            self.infos[self.at_definition(info)] = info
        for c in written.callees:
            if isinstance(c, (nodes.RefExpr, nodes.SuperExpr)):
                self.callees[file, c.end_line, c.end_column, c.name] = c

    def at_definition(self, node):
        """Return where a node of the project is defined, or None."""
        if node not in self.files:
            return None
        line = node.defn.line if isinstance(node, nodes.TypeInfo) else node.line
        return self.files[node], line, node.name

    def constructors(self, at):
        """Return the constructor of a class, if it is the project's; after it those of the classes below, and others."""
        info = self.infos.get(at)
        if info is None:
            return []
        out = []
        for cls in [info, *self.below.get(at, [])]:
            for name in ("__init__", "__new__"):
                symbol = cls.get(name)
                for d in self.written(symbol.node) if symbol else []:
                    out.append(self.at_definition(d))
            out = [a for a in out if a]
            if cls is info and not out:
                return []
        return out

    def overrides(self, at, name):
        """Return the methods that take the place of one of a class."""
        out = []
        for cls in self.below.get(at, []):
            if name in cls.names:
                out += filter(None, map(self.at_definition, self.written(cls.names[name].node)))
        return out

    def written(self, node):
        """Return the functions and classes that a symbol stands for."""
        if isinstance(node, nodes.OverloadedFuncDef):
            some = [node.impl] if node.impl else node.items
            return [d for i in some for d in self.written(i)]
        if isinstance(node, nodes.Decorator):
            return [] if node.func.is_property else [node.func]
        if isinstance(node, nodes.FuncDef):
            return [] if getattr(node, "is_property", False) else [node]
        if isinstance(node, nodes.TypeInfo):
            return [node]
        if isinstance(node, nodes.TypeAlias):
            t = types.get_proper_type(node.target)
            return [t.type] if isinstance(t, types.Instance) else []
        return []

    def of_type(self, t):
        """Return what runs when a value of a type is called, and whether it is known at all."""
        t = types.get_proper_type(t)
        if isinstance(t, types.UnionType):
            return [d for i in t.items for d in self.of_type(i)]
        if isinstance(t, types.TypeVarType):
            return self.of_type(t.upper_bound)
        if isinstance(t, types.TypeType):
            t = types.get_proper_type(t.item)
            t = types.get_proper_type(t.upper_bound) if isinstance(t, types.TypeVarType) else t
            return [t.type] if isinstance(t, types.Instance) else []
        if isinstance(t, types.Overloaded):
            return [d for i in t.items for d in self.of_type(i)]
        if isinstance(t, types.CallableType):
            if t.is_type_obj():
                return [t.type_object()]
            return self.written(t.definition) if t.definition else []
        if isinstance(t, types.Instance):
            symbol = t.type.get("__call__")
            return self.written(symbol.node) if symbol else []
        return []

    def member(self, t, name):
        """Return the functions that an attribute of a value of a type is."""
        t = types.get_proper_type(t)
        if isinstance(t, types.UnionType):
            return [d for i in t.items for d in self.member(i, name)]
        if isinstance(t, types.TypeVarType):
            return self.member(t.upper_bound, name)
        if isinstance(t, types.TupleType):
            return self.member(t.partial_fallback, name)
        if isinstance(t, types.TypeType):
            return self.member(t.item, name)
        if isinstance(t, types.CallableType) and t.is_type_obj():
            symbol = t.type_object().get(name)
        elif isinstance(t, types.Instance):
            symbol = t.type.get(name)
        else:
            return []
        return self.written(symbol.node) if symbol else []

    def resolve(self, callee):
        """Return the functions and classes that an expression calls."""
        if isinstance(callee, nodes.RefExpr) and callee.node is not None:
            node = callee.node
            if isinstance(node, nodes.TypeInfo) and not callee.is_alias_rvalue and callee.name in ("cls", "__class__"):
                return [node]
            if found := self.written(node):
                return found
        if isinstance(callee, nodes.MemberExpr) and callee.expr in self.types:
            if found := self.member(self.types[callee.expr], callee.name):
                return found
        return self.of_type(self.types[callee]) if callee in self.types else []

    def at(self, place, name):
        """Return what the call whose name ends at a place runs, as pairs of a definition and whether it
        is that one exactly; and whether it is known to leave the project."""
        callee = self.callees.get((*place, name))
        if callee is None:
            return [], False
        found = self.resolve(callee)
        here = [a for a in map(self.at_definition, found) if a]
        exactly = isinstance(callee, nodes.SuperExpr) or isinstance(callee, nodes.NameExpr) and isinstance(callee.node, nodes.TypeInfo)
        return [(a, exactly) for a in dict.fromkeys(here)], bool(found) and not here
