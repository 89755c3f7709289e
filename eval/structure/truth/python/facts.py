"""Print the structure of the Python files below a folder, as CPython's own parser sees it.

    python3 facts.py ROOT > truth.jsonl

Each line is a file: its functions, imports and calls with their lines. Files that do not parse are left out.
Calls inside f-strings have true lines from Python 3.12 on.
"""

import ast
import json
import os
import sys
import warnings


def name_line(lines, node):
    """Return the line of a function's name: that of its def, or a later one after a backslash."""
    line = node.lineno
    while line <= len(lines) and lines[line - 1].rstrip().endswith("\\") and "(" not in lines[line - 1]:
        line += 1
    return line


def attribute_line(node):
    """Return the line that a callee's last name is on: an expression ends with it."""
    return node.end_lineno


def literal(node):
    """Return the path in a call that imports by a literal, or None."""
    func = node.func
    name = func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
    if name in ("import_module", "__import__") and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value:
            return first.value, first.lineno
    return None


def facts(text, lines):
    """Return the functions, imports and calls of a text."""
    functions, imports, calls = [], [], []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.append({"name": node.name, "line": name_line(lines, node)})
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Lambda):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[-1]
            if isinstance(target, ast.Name):
                functions.append({"name": target.id, "line": target.lineno})
        elif isinstance(node, ast.Import):
            imports += ({"path": a.name, "line": a.lineno} for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            imports.append({"path": "." * node.level + (node.module or ""), "line": node.lineno})
        elif isinstance(node, ast.Call):
            if found := literal(node):
                imports.append({"path": found[0], "line": found[1]})
            if isinstance(node.func, ast.Name):
                calls.append({"name": node.func.id, "line": node.func.lineno})
            elif isinstance(node.func, ast.Attribute):
                calls.append({"name": node.func.attr, "line": attribute_line(node.func)})
    by_line = lambda fact: (fact["line"], fact.get("name", fact.get("path")))
    return {"functions": sorted(functions, key=by_line), "imports": sorted(imports, key=by_line), "calls": sorted(calls, key=by_line)}


def sources(root):
    """Return the paths of all Python files below root, sorted."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "__pycache__", "node_modules")]
        found += (os.path.relpath(os.path.join(folder, f), root) for f in files if f.endswith((".py", ".pyi")))
    return sorted(p.replace(os.sep, "/") for p in found)


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    root = sys.argv[1]
    for path in sources(root):
        full = os.path.join(root, path)
        try:
            with open(full, "rb") as f:
                raw = f.read()
            raw.decode("utf-8")
            found = facts(raw, raw.decode("utf-8").split("\n"))
        except (SyntaxError, ValueError, RecursionError, OSError):
            continue
        print(json.dumps({"file": path, **found}))


if __name__ == "__main__":
    main()
