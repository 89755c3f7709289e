// What the TypeScript compiler sees in the JavaScript and TypeScript files under a
// folder: one line of JSON a file, in the order of their paths.
//
//     npm install --prefix DIR typescript@5.9.3
//     NODE_PATH=DIR/node_modules node facts.mjs ROOT > facts.jsonl
//     NODE_PATH=DIR/node_modules node facts.mjs --edges ROOT > edges.jsonl
//
// A function is what has a name and a body, or would have one elsewhere: a
// declaration, a method, an accessor, a constructor, an overload, a named function
// expression, and an arrow function or function expression that is directly the
// value of a variable, a property, a field or an assignment, in parentheses and cast or
// not. Signatures in interfaces and type literals are none, nor are computed names and
// numbers.
// A call is one of a name or of a member; tagged templates and import() are none.
// A file that does not parse is left out.
//
// With --edges: one line for each call that the checker resolves to a function or
// class with a body under ROOT, or to a constant at the top of a file that holds what a
// call returned: "const save = debounce(write)". One to an abstract method is "possible".
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";

const require = createRequire(path.join(process.env.NODE_PATH ?? process.cwd(), "x.js"));
const ts = require("typescript");
const K = ts.SyntaxKind;
const endings = /\.(js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte)$/;
const largest = 4 << 20; // bytes

function files(root) {
  const out = [];
  const walk = (dir) => {
    for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
      const p = path.join(dir, e.name);
      if (e.isDirectory()) {
        if (e.name !== "node_modules" && e.name !== ".git") walk(p);
      } else if (e.isFile() && endings.test(e.name) && fs.statSync(p).size <= largest) out.push(p);
    }
  };
  walk(root);
  return out.sort();
}

// script blanks what is no script in a page of markup.
function script(text) {
  let lang = "";
  let at = 0;
  let out = "";
  const blank = (s) => s.replace(/[^\r\n]/g, " ");
  for (const m of text.matchAll(/<script((?:\s(?:"[^"]*"|'[^']*'|[^>"'])*)?)>([\s\S]*?)<\/script/g)) {
    lang = /\blang=["']?(\w+)/.exec(m[1])?.[1] ?? lang;
    const from = m.index + m[0].length - m[2].length - "</script".length;
    out += blank(text.slice(at, from)) + m[2] + ";";
    at = from + m[2].length + 1;
  }
  return [out + blank(text.slice(at)), lang];
}

function parse(file) {
  let text = fs.readFileSync(file, "utf8");
  let name = file;
  if (/\.(vue|svelte)$/.test(file)) {
    let lang;
    [text, lang] = script(text);
    name += lang === "ts" || lang === "typescript" ? ".ts" : lang === "tsx" ? ".tsx" : ".js";
  }
  const kind = /\.[cm]?js$/.test(name) ? ts.ScriptKind.JSX : undefined;
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
}

const line = (sf, node) => sf.getLineAndCharacterOfPosition(node.getStart(sf)).line + 1;

// named returns the name of a property as it is written; nothing where it is
// computed, a number or empty.
function named(name) {
  if (!name) return;
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return { name: name.getText(), node: name };
  if (ts.isStringLiteral(name) && name.text !== "") return { name: name.getText().slice(1, -1), node: name };
}

// declared returns the name of a function, nothing for what is none.
function declared(node) {
  switch (node.kind) {
    case K.FunctionDeclaration:
      return named(node.name);
    case K.MethodDeclaration:
      return named(node.name);
    case K.GetAccessor:
    case K.SetAccessor:
      if (ts.isInterfaceDeclaration(node.parent) || ts.isTypeLiteralNode(node.parent)) return;
      return named(node.name);
    case K.Constructor:
      return { name: "constructor", node: node.getChildren().find((c) => c.kind === K.ConstructorKeyword || c.kind === K.StringLiteral) ?? node };
    case K.FunctionExpression:
    case K.ArrowFunction:
      return assigned(node) ?? (node.name ? named(node.name) : undefined);
  }
}

// cast reports whether node only says of what type its expression is.
const cast = (node) =>
  ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node);

function bare(node) {
  while (node && cast(node)) node = node.expression;
  return node;
}

function assigned(node) {
  while (cast(node.parent)) node = node.parent;
  const p = node.parent;
  if (ts.isVariableDeclaration(p) && p.initializer === node) return ts.isIdentifier(p.name) ? named(p.name) : undefined;
  if ((ts.isPropertyAssignment(p) || ts.isPropertyDeclaration(p)) && p.initializer === node) return named(p.name);
  if (ts.isBinaryExpression(p) && p.right === node && p.operatorToken.kind === K.EqualsToken) {
    const left = p.left.getText();
    if (left === "module.exports" || left === "exports") return;
    if (ts.isIdentifier(p.left)) return named(p.left);
    if (ts.isPropertyAccessExpression(p.left)) return named(p.left.name);
  }
}

// callee returns the last name of what is called, nothing where it has none.
function callee(node) {
  let e = node.expression;
  while (ts.isNonNullExpression(e) || ts.isExpressionWithTypeArguments(e)) e = e.expression;
  if (ts.isIdentifier(e)) return e;
  if (ts.isPropertyAccessExpression(e)) return e.name;
  if (e.kind === K.SuperKeyword || e.kind === K.ThisKeyword) return e;
}

const literal = (n) => n && ts.isStringLiteralLike(n) && n.text !== "";

// imported returns the literal that node takes something from.
function imported(node) {
  switch (node.kind) {
    case K.ImportDeclaration:
    case K.ExportDeclaration:
      return node.moduleSpecifier;
    case K.ExternalModuleReference:
      return node.expression;
    case K.ImportType:
      return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
    case K.CallExpression:
      if (node.expression.kind === K.ImportKeyword || (ts.isIdentifier(node.expression) && node.expression.text === "require")) return node.arguments[0];
  }
}

function facts(sf) {
  const out = { functions: [], imports: [], calls: [] };
  const visit = (node) => {
    const f = declared(node);
    if (f) out.functions.push({ name: f.name, line: line(sf, f.node) });
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const c = callee(node);
      if (c && c.getText(sf) !== "") out.calls.push({ name: c.getText(sf), line: line(sf, c) });
    }
    const m = imported(node);
    if (literal(m)) out.imports.push({ path: m.getText(sf).slice(1, -1), line: line(sf, m) });
    ts.forEachChild(node, visit);
  };
  visit(sf);
  return out;
}

function program(root) {
  const config = ts.findConfigFile(root, ts.sys.fileExists, "tsconfig.json");
  let options = { allowJs: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.Latest, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve };
  if (config && path.resolve(config).startsWith(root)) {
    const read = ts.readConfigFile(config, ts.sys.readFile);
    const own = ts.parseJsonConfigFileContent(read.config ?? {}, ts.sys, path.dirname(config)).options;
    options = { ...own, allowJs: true, noEmit: true, skipLibCheck: true, maxNodeModuleJsDepth: 0 };
  }
  return ts.createProgram(files(root).filter((f) => !/\.(vue|svelte)$/.test(f)), options);
}

// owner returns the nearest function with a name around node.
function owner(node) {
  for (; node; node = node.parent) {
    const f = declared(node);
    if (f) return f;
  }
}

function edges(root) {
  const p = program(root);
  const checker = p.getTypeChecker();
  const inside = (f) => f.startsWith(root + path.sep) && !f.includes("/node_modules/");
  const place = (sf, f) => ({ file: path.relative(root, sf.fileName), name: f ? f.name : "", line: f ? line(sf, f.node) : 0 });
  for (const sf of p.getSourceFiles().filter((s) => inside(s.fileName)).sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) {
    const visit = (node) => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const c = callee(node);
        const to = c && target(node, checker, inside);
        if (to) console.log(JSON.stringify({ from: place(sf, owner(node)), to: place(to.node.getSourceFile(), to), line: line(sf, c), kind: to.kind }));
      }
      ts.forEachChild(node, visit);
    };
    visit(sf);
  }
}

// target returns the function or class that a call reaches, nothing where that has
// no body or lies elsewhere.
function target(node, checker, inside) {
  let d = checker.getResolvedSignature(node)?.declaration;
  // A class without a constructor is what runs, whatever it extends.
  if (ts.isNewExpression(node) && !(d && inside(d.getSourceFile().fileName))) {
    const symbol = checker.getTypeAtLocation(node.expression).symbol;
    d = symbol?.declarations?.find((x) => ts.isClassLike(x)) ?? d;
  }
  if (d && !d.body && !ts.isClassLike(d)) d = constant(node, checker, ts.isArrowFunction, ts.isFunctionExpression) ?? d;
  if (d && ts.isClassLike(d) && inside(d.getSourceFile().fileName)) return d.name ? { name: d.name.text, node: d.name } : undefined;
  // Of overloads the one with the body is meant.
  if (d && !d.body && d.symbol) d = d.symbol.declarations?.find((x) => x.body) ?? d;
  if (d?.body && inside(d.getSourceFile().fileName) && declared(d)) return declared(d);
  // What runs in the place of an abstract method is not written in the call: to name that one is
  // right, and not asked for.
  if (d && ts.isMethodDeclaration(d) && !d.body && inside(d.getSourceFile().fileName) && ts.isIdentifier(d.name) && ts.getCombinedModifierFlags(d) & ts.ModifierFlags.Abstract)
    return { ...named(d.name), kind: "possible" };
  // What a constant holds that was returned to it is known by its name alone.
  let held = ts.isCallExpression(node) && constant(node, checker, ts.isCallExpression);
  if (!held || !inside(held.getSourceFile().fileName)) return;
  while (!ts.isVariableDeclaration(held)) {
    if (ts.isPropertyDeclaration(held)) return;
    held = held.parent;
  }
  const around = held.parent.parent.parent;
  return ts.isSourceFile(around) || ts.isModuleBlock(around) ? named(held.name) : undefined;
}

// constant returns what the called constant, or the field of a class, holds, if it is
// one of some kinds: its type has the signature that is called, the value is what runs.
function constant(node, checker, ...kinds) {
  let symbol = callee(node) && checker.getSymbolAtLocation(callee(node));
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  if (symbol?.valueDeclaration && ts.isShorthandPropertyAssignment(symbol.valueDeclaration)) symbol = checker.getShorthandAssignmentValueSymbol(symbol.valueDeclaration);
  const v = symbol?.valueDeclaration;
  if (!v || !ts.isPropertyDeclaration(v) && !(ts.isVariableDeclaration(v) && ts.getCombinedNodeFlags(v) & ts.NodeFlags.Const)) return;
  const value = bare(v.initializer);
  if (value && kinds.some((is) => is(value))) return value;
}

const args = process.argv.slice(2);
const root = fs.realpathSync(args.filter((a) => !a.startsWith("--"))[0] ?? ".");
if (args.includes("--edges")) edges(root);
else
  for (const f of files(root)) {
    const sf = parse(f);
    if (sf.parseDiagnostics.length === 0) console.log(JSON.stringify({ file: path.relative(root, f), ...facts(sf) }));
  }
