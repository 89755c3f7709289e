//! Prints what syn reads from Rust sources, for measuring the scanner:
//!
//!     cargo run --release -- ROOT > truth.jsonl
//!
//! Functions are fn items with and without bodies, and closures that a let binds
//! to a name. Imports are the leaves of use trees, modules in files of their own and
//! extern crates. Calls are of paths and methods, of macros, and struct literals.
//! What the parentheses of a macro hold is read as expressions where that is the
//! macro's rule; lines inside of others are printed as errors, which a comparison
//! leaves out on both sides. A file that syn cannot read is left out.

use proc_macro2::{Span, TokenStream};
use std::{env, fmt::Write, fs, path::Path};
use syn::parse::{Parse, ParseStream, Parser};
use syn::visit::{self, Visit};
use syn::{punctuated::Punctuated, Expr, Pat, Token, UseTree};

#[derive(Default)]
struct Facts {
    functions: Vec<(String, usize)>,
    imports: Vec<(String, usize)>,
    calls: Vec<(String, usize)>,
    errors: Vec<(usize, usize)>,
}

fn line(s: Span) -> usize {
    s.start().line
}

fn plain(i: &syn::Ident) -> String {
    let s = i.to_string();
    s.strip_prefix("r#").unwrap_or(&s).to_string()
}

impl Facts {
    fn function(&mut self, i: &syn::Ident) {
        self.functions.push((plain(i), line(i.span())));
    }

    fn call(&mut self, i: &syn::Ident) {
        self.calls.push((plain(i), line(i.span())));
    }

    fn last(&mut self, p: &syn::Path) {
        if let Some(s) = p.segments.last() {
            self.call(&s.ident);
        }
    }

    fn tree(&mut self, prefix: &str, t: &UseTree) {
        match t {
            UseTree::Path(p) => self.tree(&format!("{prefix}{}::", plain(&p.ident)), &p.tree),
            UseTree::Name(n) => self.leaf(prefix, &n.ident),
            UseTree::Rename(r) => self.leaf(prefix, &r.ident),
            UseTree::Glob(g) => self.imports.push((format!("{prefix}*"), line(g.star_token.span))),
            UseTree::Group(g) => g.items.iter().for_each(|t| self.tree(prefix, t)),
        }
    }

    fn leaf(&mut self, prefix: &str, i: &syn::Ident) {
        let name = plain(i);
        let path = match prefix.strip_suffix("::") {
            Some(p) if name == "self" => p.to_string(),
            _ => format!("{prefix}{name}"),
        };
        self.imports.push((path, line(i.span())));
    }

    /// Reads the arguments of a macro; false where they are no expressions.
    fn arguments(&mut self, name: &str, tokens: TokenStream) -> bool {
        match name {
            "matches" | "assert_matches" | "debug_assert_matches" => match Tested::parse.parse2(tokens) {
                Ok(t) => {
                    self.visit_expr(&t.value);
                    self.visit_pat(&t.pattern);
                    t.rest.iter().for_each(|e| self.visit_expr(e));
                    true
                }
                Err(_) => false,
            },
            "vec" => match Repeated::parse.parse2(tokens) {
                Ok(r) => {
                    r.0.iter().for_each(|e| self.visit_expr(e));
                    true
                }
                Err(_) => false,
            },
            "println" | "print" | "eprintln" | "eprint" | "format" | "format_args" | "write" | "writeln" | "panic" | "todo" | "unimplemented" | "unreachable"
            | "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" | "dbg" | "trace" | "debug" | "info" | "warn"
            | "error" | "log" | "bail" | "anyhow" | "ensure" | "join" | "try_join" | "assert_ok" | "assert_err" | "assert_ready" | "assert_pending"
            | "assert_ready_eq" | "assert_ready_ok" | "ready" | "pin" | "concat" | "env" | "include_str" | "include_bytes" | "offset_of" | "addr_of"
            | "assert_ready_err" | "t" | "eqnice" | "never" | "always" | "try_" | "try_or_def" => {
                match Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens) {
                    Ok(list) => {
                        list.iter().for_each(|e| self.visit_expr(e));
                        true
                    }
                    Err(_) => false,
                }
            }
            _ => tokens.is_empty(),
        }
    }
}

/// The arguments of matches!.
struct Tested {
    value: Expr,
    pattern: Pat,
    rest: Vec<Expr>,
}

impl Parse for Tested {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let mut rest = Vec::new();
        if input.parse::<Option<Token![if]>>()?.is_some() {
            rest.push(input.parse()?);
        }
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            rest.push(input.parse()?);
        }
        Ok(Tested { value, pattern, rest })
    }
}

/// The arguments of vec!.
struct Repeated(Vec<Expr>);

impl Parse for Repeated {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut out = Vec::new();
        while !input.is_empty() {
            out.push(input.parse()?);
            if input.parse::<Option<Token![,]>>()?.is_none() {
                input.parse::<Option<Token![;]>>()?;
            }
        }
        Ok(Repeated(out))
    }
}

impl<'a> Visit<'a> for Facts {
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}

    fn visit_item_fn(&mut self, i: &'a syn::ItemFn) {
        self.function(&i.sig.ident);
        visit::visit_item_fn(self, i);
    }

    fn visit_impl_item_fn(&mut self, i: &'a syn::ImplItemFn) {
        self.function(&i.sig.ident);
        visit::visit_impl_item_fn(self, i);
    }

    fn visit_trait_item_fn(&mut self, i: &'a syn::TraitItemFn) {
        self.function(&i.sig.ident);
        visit::visit_trait_item_fn(self, i);
    }

    fn visit_foreign_item_fn(&mut self, i: &'a syn::ForeignItemFn) {
        self.function(&i.sig.ident);
        visit::visit_foreign_item_fn(self, i);
    }

    fn visit_local(&mut self, i: &'a syn::Local) {
        let pat = match &i.pat {
            Pat::Type(t) => &*t.pat,
            p => p,
        };
        if let (Pat::Ident(name), Some(init)) = (pat, &i.init) {
            if let Expr::Closure(_) = &*init.expr {
                self.function(&name.ident);
            }
        }
        visit::visit_local(self, i);
    }

    fn visit_item_use(&mut self, i: &'a syn::ItemUse) {
        let prefix = if i.leading_colon.is_some() { "::" } else { "" };
        self.tree(prefix, &i.tree);
    }

    fn visit_item_mod(&mut self, i: &'a syn::ItemMod) {
        if i.content.is_none() {
            self.imports.push((plain(&i.ident), line(i.ident.span())));
        }
        visit::visit_item_mod(self, i);
    }

    fn visit_item_extern_crate(&mut self, i: &'a syn::ItemExternCrate) {
        self.imports.push((plain(&i.ident), line(i.ident.span())));
    }

    fn visit_expr_call(&mut self, i: &'a syn::ExprCall) {
        if let Expr::Path(p) = &*i.func {
            self.last(&p.path);
        }
        visit::visit_expr_call(self, i);
    }

    fn visit_expr_method_call(&mut self, i: &'a syn::ExprMethodCall) {
        self.call(&i.method);
        visit::visit_expr_method_call(self, i);
    }

    fn visit_expr_struct(&mut self, i: &'a syn::ExprStruct) {
        self.last(&i.path);
        visit::visit_expr_struct(self, i);
    }

    fn visit_item_macro(&mut self, i: &'a syn::ItemMacro) {
        if i.ident.is_none() {
            visit::visit_item_macro(self, i);
        }
    }

    fn visit_macro(&mut self, i: &'a syn::Macro) {
        let Some(s) = i.path.segments.last() else { return };
        self.call(&s.ident);
        // What parses is copied: facts are no references.
        let mut inner = Facts::default();
        if inner.arguments(&plain(&s.ident), i.tokens.clone()) {
            self.functions.append(&mut inner.functions);
            self.imports.append(&mut inner.imports);
            self.calls.append(&mut inner.calls);
            self.errors.append(&mut inner.errors);
        } else {
            let span = i.delimiter.span();
            self.errors.push((line(span.open()), span.close().end().line));
        }
    }

    /// Syn gives the tokens of what it has no tree for.
    fn visit_expr(&mut self, i: &'a Expr) {
        if let Expr::Verbatim(t) = i {
            self.unread(t);
        }
        visit::visit_expr(self, i);
    }

    fn visit_item(&mut self, i: &'a syn::Item) {
        if let syn::Item::Verbatim(t) = i {
            self.unread(t);
        }
        visit::visit_item(self, i);
    }

    fn visit_impl_item(&mut self, i: &'a syn::ImplItem) {
        if let syn::ImplItem::Verbatim(t) = i {
            self.unread(t);
        }
        visit::visit_impl_item(self, i);
    }

    fn visit_trait_item(&mut self, i: &'a syn::TraitItem) {
        if let syn::TraitItem::Verbatim(t) = i {
            self.unread(t);
        }
        visit::visit_trait_item(self, i);
    }

    fn visit_foreign_item(&mut self, i: &'a syn::ForeignItem) {
        if let syn::ForeignItem::Verbatim(t) = i {
            self.unread(t);
        }
        visit::visit_foreign_item(self, i);
    }
}

impl Facts {
    fn unread(&mut self, tokens: &TokenStream) {
        let lines: Vec<_> = tokens.clone().into_iter().map(|t| (line(t.span()), t.span().end().line)).collect();
        if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            self.errors.push((first.0, last.1));
        }
    }

    fn print(mut self, file: &str) {
        let mut out = String::new();
        let list = |out: &mut String, name: &str, key: &str, facts: &mut Vec<(String, usize)>| {
            facts.sort_by_key(|f| f.1);
            let all: Vec<_> = facts.iter().map(|(n, l)| format!("{{\"{key}\":{n:?},\"line\":{l}}}")).collect();
            write!(out, ",\"{name}\":[{}]", all.join(",")).unwrap();
        };
        write!(out, "{{\"file\":{file:?}").unwrap();
        list(&mut out, "functions", "name", &mut self.functions);
        list(&mut out, "imports", "path", &mut self.imports);
        list(&mut out, "calls", "name", &mut self.calls);
        let errors: Vec<_> = self.errors.iter().map(|(a, b)| format!("[{a},{b}]")).collect();
        println!("{out},\"errors\":[{}]}}", errors.join(","));
    }
}

fn walk(root: &Path, dir: &Path, files: &mut Vec<String>) {
    for e in fs::read_dir(dir).into_iter().flatten().flatten() {
        let p = e.path();
        if p.is_symlink() || p.ends_with(".git") || p.ends_with("target") {
            continue;
        } else if p.is_dir() {
            walk(root, &p, files);
        } else if p.extension().is_some_and(|x| x == "rs") {
            files.push(p.strip_prefix(root).unwrap().to_string_lossy().into_owned());
        }
    }
}

fn read(root: &str) {
    let root = Path::new(root);
    let mut files = Vec::new();
    walk(root, root, &mut files);
    files.sort();
    for name in files {
        let Ok(text) = fs::read_to_string(root.join(&name)) else { continue };
        match syn::parse_file(&text) {
            Ok(tree) => {
                let mut facts = Facts::default();
                facts.visit_file(&tree);
                facts.print(&name);
            }
            Err(e) => eprintln!("{name}: {e}"),
        }
    }
}

fn main() {
    let Some(root) = env::args().nth(1) else {
        eprintln!("usage: facts ROOT");
        std::process::exit(2);
    };
    // Expressions nest deeper than a main thread's stack is.
    std::thread::Builder::new().stack_size(1 << 30).spawn(move || read(&root)).unwrap().join().unwrap();
}
