// Prints what luaparse reads from the .lua files below a folder, as JSON lines:
//
//	npm install && node facts.mjs DIR > lua.jsonl
//
// A file that no version of Lua the parser knows accepts is left out.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import luaparse from "luaparse";

const root = process.argv[2];

function* files(dir) {
  for (const e of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, e.name);
    if (e.isDirectory()) yield* files(path);
    else if (e.isFile() && /\.lua$/.test(e.name)) yield path;
  }
}

function parse(source) {
  for (const luaVersion of ["LuaJIT", "5.3", "5.2", "5.1"]) {
    try {
      return luaparse.parse(source, { luaVersion, locations: true, comments: false, encodingMode: "pseudo-latin1" });
    } catch {}
  }
  return null;
}

const line = (node) => node.loc.start.line;
// The parser gets bytes as characters; what it returns becomes text again.
const text = (bytes) => Buffer.from(bytes, "latin1").toString("utf8");

// literal returns the text of a string without escapes; null for anything else.
function literal(node) {
  if (node?.type !== "StringLiteral" || node.raw.includes("\\") && !node.raw.startsWith("[")) return null;
  return node.value === "" ? null : node.value;
}

// named returns the name that an expression or a key ends with.
function named(node) {
  if (node.type === "Identifier") return node;
  if (node.type === "MemberExpression") return node.identifier;
  if (node.type === "IndexExpression") node = node.index;
  const name = literal(node);
  return name && !name.includes("\n") ? { name, loc: node.loc } : null;
}

function facts(file, tree) {
  const out = { file, functions: [], imports: [], calls: [] };
  const add = (target, value) => {
    const name = target && value?.type === "FunctionDeclaration" && named(target);
    if (name) out.functions.push({ name: text(name.name), line: line(name) });
  };
  const call = (n) => {
    const name = n.base.type === "Identifier" ? n.base : n.base.type === "MemberExpression" ? n.base.identifier : null;
    if (name) out.calls.push({ name: text(name.name), line: line(name) });
    const args = n.arguments ? (Array.isArray(n.arguments) ? n.arguments : [n.arguments]) : [];
    const first = n.type === "StringCallExpression" ? n.argument : args[0];
    if (n.base.type !== "Identifier") return;
    if (n.base.name === "require" && literal(first)) out.imports.push({ path: text(literal(first)), line: line(first) });
    const isRequire = first?.type === "Identifier" && first.name === "require";
    if (n.base.name === "pcall" && isRequire && literal(args[1])) out.imports.push({ path: text(literal(args[1])), line: line(args[1]) });
  };
  const todo = [tree];
  while (todo.length) {
    const n = todo.pop();
    switch (n.type) {
      case "FunctionDeclaration":
        if (n.identifier) add(n.identifier, n);
        break;
      case "LocalStatement":
      case "AssignmentStatement":
        n.variables.forEach((v, i) => add(v, n.init[i]));
        break;
      case "TableKeyString":
        add(n.key, n.value);
        break;
      case "TableKey": // [a.b] = … has no name, ["a"] = … does
        if (literal(n.key)) add({ type: "IndexExpression", index: n.key }, n.value);
        break;
      case "CallExpression":
      case "StringCallExpression":
      case "TableCallExpression":
        call(n);
    }
    for (const key in n) {
      const child = n[key];
      if (key === "loc" || !child || typeof child !== "object") continue;
      if (Array.isArray(child)) todo.push(...child.filter((c) => c && typeof c === "object"));
      else todo.push(child);
    }
  }
  return out;
}

let left = 0;
for (const path of [...files(root)].map((p) => relative(root, p)).sort()) {
  const tree = parse(readFileSync(join(root, path), "latin1"));
  if (tree) console.log(JSON.stringify(facts(path, tree)));
  else left++;
}
if (left) console.error(`${left} files could not be parsed`);
