import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.util.Elements;
import javax.tools.*;

/**
 * Prints what javac reads in the .java files below a folder, one JSON line a file:
 *
 *     java Facts.java ROOT
 *     {"file":"a/B.java","functions":[{"name":"f","line":10}],"imports":[{"path":"a.b.C","line":1}],"calls":[{"name":"g","line":11}]}
 *
 * A constructor has its class's name. A file with syntax errors is left out. With
 * --edges it attributes all files together, as far as they can be, and prints a line
 * for each call whose method is declared below ROOT:
 *
 *     java Facts.java --edges ROOT
 *     {"from":{"file":"a/B.java","name":"f","line":10},"to":{"file":"a/C.java","name":"g","line":3},"line":11}
 *
 * from is the nearest method around, or "" and 0; a constructor that is not written
 * has the line of its class. Calls that an object decides have lines of the kind "possible"
 * for the methods that override the one that is named: which of them run no compiler knows.
 */
public class Facts {
    static final int BATCH = 400;

    public static void main(String[] args) throws Exception {
        boolean edges = args.length == 2 && args[0].equals("--edges");
        if (args.length != (edges ? 2 : 1)) {
            System.err.println("usage: java Facts.java [--edges] ROOT");
            System.exit(2);
        }
        Path root = Path.of(args[args.length - 1]).toAbsolutePath().normalize();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(p -> p.toString().endsWith(".java") && Files.isRegularFile(p, LinkOption.NOFOLLOW_LINKS))
                .sorted(Comparator.comparing(p -> name(root, p))).collect(Collectors.toList());
        }
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16), false, "UTF-8");
        if (edges) {
            files.removeIf(p -> p.endsWith("module-info.java"));
            new Facts(root, files).edges(out);
        } else {
            for (int i = 0; i < files.size(); i += BATCH) {
                new Facts(root, files.subList(i, Math.min(i + BATCH, files.size()))).facts(out);
            }
        }
        out.flush();
    }

    static String name(Path root, Path p) {
        return root.relativize(p).toString().replace(File.separatorChar, '/');
    }

    final Path root;
    final JavacTask task;
    final Trees trees;
    final SourcePositions positions;
    final Set<String> broken = new HashSet<>();
    final Map<CompilationUnitTree, String> texts = new HashMap<>();
    /** The methods with a body by their names, and those that override one. */
    final Map<String, List<ExecutableElement>> methods = new HashMap<>();
    final Map<ExecutableElement, List<ExecutableElement>> overrides = new HashMap<>();

    Facts(Path root, List<Path> files) throws IOException {
        this.root = root;
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticListener<JavaFileObject> listener = d -> {
            if (d.getKind() == Diagnostic.Kind.ERROR && d.getSource() != null) {
                broken.add(d.getSource().toUri().toString());
            }
        };
        StandardJavaFileManager manager = compiler.getStandardFileManager(listener, null, StandardCharsets.UTF_8);
        List<String> options = List.of("-proc:none", "--should-stop=ifError=ATTR", "-Xmaxerrs", "1000000", "-nowarn",
            "--enable-preview", "--release", String.valueOf(Runtime.version().feature()));
        task = (JavacTask) compiler.getTask(new StringWriter(), manager, listener, options, null, manager.getJavaFileObjectsFromPaths(files));
        trees = Trees.instance(task);
        positions = trees.getSourcePositions();
    }

    void facts(PrintStream out) throws IOException {
        for (CompilationUnitTree unit : task.parse()) {
            if (!broken.contains(unit.getSourceFile().toUri().toString())) {
                Written w = new Written(unit);
                w.scan(unit, null);
                out.println("{\"file\":" + quote(file(unit)) + ",\"functions\":" + list("name", w.functions) + ",\"imports\":"
                    + list("path", w.imports) + ",\"calls\":" + list("name", w.calls) + "}");
            }
        }
    }

    void edges(PrintStream out) throws IOException {
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree unit : units) {
            new TreePathScanner<Void, Void>() {
                @Override public Void visitMethod(MethodTree tree, Void p) {
                    if (tree.getBody() != null && trees.getElement(getCurrentPath()) instanceof ExecutableElement x && x.getKind() == ElementKind.METHOD) {
                        methods.computeIfAbsent(x.getSimpleName().toString(), k -> new ArrayList<>()).add(x);
                    }
                    return super.visitMethod(tree, p);
                }
            }.scan(unit, null);
        }
        for (CompilationUnitTree unit : units) {
            new Resolved(unit, out).scan(unit, null);
        }
    }

    String file(CompilationUnitTree unit) {
        return name(root, Path.of(unit.getSourceFile().toUri()));
    }

    String text(CompilationUnitTree unit) {
        return texts.computeIfAbsent(unit, u -> {
            try {
                return u.getSourceFile().getCharContent(true).toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** What is written at a place. */
    record Fact(String name, long at, long line) {}

    /** A walk over one file that knows where names are written. */
    abstract class Walk extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final String text;

        Walk(CompilationUnitTree unit) {
            this.unit = unit;
            this.text = text(unit);
        }

        abstract void call(Tree tree, Fact callee);

        /** The fact of a name that is written at an offset; null where it is not. */
        Fact at(String name, long at) {
            if (at < 0 || !text.startsWith(name, (int) at)) {
                return null;
            }
            return new Fact(name, at, unit.getLineMap().getLineNumber(at));
        }

        /** The fact of the last name of an expression. */
        Fact last(Tree tree) {
            if (tree instanceof AnnotatedTypeTree a) {
                return last(a.getUnderlyingType());
            } else if (tree instanceof ParameterizedTypeTree p) {
                return last(p.getType());
            } else if (tree instanceof IdentifierTree i) {
                return at(i.getName().toString(), positions.getStartPosition(unit, i));
            } else if (tree instanceof MemberSelectTree m) {
                String name = m.getIdentifier().toString();
                return at(name, positions.getEndPosition(unit, m) - name.length());
            }
            return null;
        }

        @Override public Void visitMethodInvocation(MethodInvocationTree tree, Void p) {
            Fact f = last(tree.getMethodSelect());
            if (f != null) {
                call(tree, f);
            }
            return super.visitMethodInvocation(tree, p);
        }

        @Override public Void visitNewClass(NewClassTree tree, Void p) {
            long start = tree.getEnclosingExpression() != null ? 0 : positions.getStartPosition(unit, tree);
            Fact f = last(tree.getIdentifier());
            // An enum's constants are constructions that nobody wrote.
            if (f != null && (start == 0 || text.startsWith("new", (int) start))) {
                call(tree, f);
            }
            return super.visitNewClass(tree, p);
        }

        /** Where a method or class has its name, which is searched from the end of what is before it. */
        Fact declared(Tree tree, String name, Tree... before) {
            long from = positions.getStartPosition(unit, tree);
            for (Tree b : before) {
                if (b != null) {
                    from = Math.max(from, positions.getEndPosition(unit, b));
                }
            }
            if (from < 0) {
                return null;
            }
            for (int i = (int) from; i < text.length(); ) {
                if (text.startsWith("//", i)) {
                    i = Math.max(text.indexOf('\n', i), i + 1);
                } else if (text.startsWith("/*", i)) {
                    i = Math.max(text.indexOf("*/", i + 2) + 2, i + 1);
                } else if (Character.isJavaIdentifierStart(text.charAt(i))) {
                    int start = i;
                    while (i < text.length() && Character.isJavaIdentifierPart(text.charAt(i))) {
                        i++;
                    }
                    if (text.substring(start, i).equals(name)) {
                        return at(name, start);
                    }
                } else {
                    i++;
                }
            }
            return null;
        }

        Fact method(MethodTree tree, ClassTree around) {
            String name = tree.getReturnType() == null && around != null ? around.getSimpleName().toString() : tree.getName().toString();
            List<Tree> before = new ArrayList<>(tree.getTypeParameters());
            before.add(tree.getModifiers().getAnnotations().isEmpty() ? null : tree.getModifiers());
            before.add(tree.getReturnType());
            return declared(tree, name, before.toArray(new Tree[0]));
        }
    }

    /** The walk that collects what is written. */
    class Written extends Walk {
        final List<Fact> functions = new ArrayList<>(), imports = new ArrayList<>(), calls = new ArrayList<>();

        Written(CompilationUnitTree unit) {
            super(unit);
        }

        @Override void call(Tree tree, Fact callee) {
            calls.add(callee);
        }

        @Override public Void visitImport(ImportTree tree, Void p) {
            long at = positions.getStartPosition(unit, tree.getQualifiedIdentifier());
            imports.add(new Fact(tree.getQualifiedIdentifier().toString(), at, unit.getLineMap().getLineNumber(at)));
            return null;
        }

        @Override public Void visitMethod(MethodTree tree, Void p) {
            Tree around = getCurrentPath().getParentPath().getLeaf();
            Fact f = method(tree, around instanceof ClassTree c ? c : null);
            if (f != null) {
                functions.add(f);
            }
            return super.visitMethod(tree, p);
        }
    }

    /** The walk that follows calls to what they call. */
    class Resolved extends Walk {
        final PrintStream out;
        final Elements elements = task.getElements();

        Resolved(CompilationUnitTree unit, PrintStream out) {
            super(unit);
            this.out = out;
        }

        @Override void call(Tree tree, Fact callee) {
            Element e = trees.getElement(getCurrentPath());
            if (tree instanceof NewClassTree n && n.getClassBody() != null) {
                e = constructed(new TreePath(getCurrentPath(), n.getClassBody()));
            }
            String to = e instanceof ExecutableElement x ? target(x) : null;
            if (to != null) {
                out.println("{\"from\":" + around() + ",\"to\":" + to + ",\"line\":" + callee.line() + "}");
            }
            if (e instanceof ExecutableElement x && virtual(tree, x)) {
                for (ExecutableElement o : overriding(x)) {
                    out.println("{\"from\":" + around() + ",\"to\":" + target(o) + ",\"line\":" + callee.line() + ",\"kind\":\"possible\"}");
                }
            }
        }

        /** Whether what is called is decided by the object that it is called on. */
        boolean virtual(Tree tree, ExecutableElement x) {
            return tree instanceof MethodInvocationTree m && x.getKind() == ElementKind.METHOD
                && !x.getModifiers().contains(Modifier.STATIC) && !x.getModifiers().contains(Modifier.PRIVATE)
                && !(m.getMethodSelect() instanceof MemberSelectTree s && s.getExpression().toString().endsWith("super"));
        }

        /** The methods of the sources that override one. */
        List<ExecutableElement> overriding(ExecutableElement x) {
            return overrides.computeIfAbsent(x, k -> methods.getOrDefault(k.getSimpleName().toString(), List.of()).stream()
                .filter(m -> elements.overrides(m, k, (TypeElement) m.getEnclosingElement()) && target(m) != null).toList());
        }

        /** The constructor that an anonymous class calls of its base. */
        Element constructed(TreePath body) {
            for (Tree member : ((ClassTree) body.getLeaf()).getMembers()) {
                if (member instanceof MethodTree m && m.getName().contentEquals("<init>") && m.getBody() != null) {
                    for (StatementTree s : m.getBody().getStatements()) {
                        if (s instanceof ExpressionStatementTree x && x.getExpression() instanceof MethodInvocationTree) {
                            TreePath path = new TreePath(new TreePath(body, m), m.getBody());
                            return trees.getElement(new TreePath(new TreePath(path, s), x.getExpression()));
                        }
                    }
                }
            }
            return null;
        }

        String around() {
            for (TreePath p = getCurrentPath(); p != null; p = p.getParentPath()) {
                if (p.getLeaf() instanceof MethodTree m && p.getParentPath().getLeaf() instanceof ClassTree c) {
                    Fact f = method(m, c);
                    if (f != null) {
                        return json(file(unit), f);
                    }
                }
            }
            return json(file(unit), new Fact("", 0, 0));
        }

        String target(ExecutableElement e) {
            boolean constructor = e.getKind() == ElementKind.CONSTRUCTOR;
            boolean written = elements.getOrigin(e) == Elements.Origin.EXPLICIT;
            if (!written && !constructor) {
                return null;
            }
            TreePath path = trees.getPath(written ? e : e.getEnclosingElement());
            if (path == null) {
                return null;
            }
            Walk there = new Written(path.getCompilationUnit());
            Fact f = null;
            if (path.getLeaf() instanceof MethodTree m && path.getParentPath().getLeaf() instanceof ClassTree c) {
                f = there.method(m, c);
            } else if (path.getLeaf() instanceof ClassTree c) {
                f = there.declared(c, c.getSimpleName().toString(), c.getModifiers().getAnnotations().isEmpty() ? null : c.getModifiers());
            }
            return f == null ? null : json(file(path.getCompilationUnit()), f);
        }
    }

    static String json(String file, Fact f) {
        return "{\"file\":" + quote(file) + ",\"name\":" + quote(f.name()) + ",\"line\":" + f.line() + "}";
    }

    static String list(String key, List<Fact> facts) {
        return facts.stream().sorted(Comparator.comparingLong(Fact::at))
            .map(f -> "{\"" + key + "\":" + quote(f.name()) + ",\"line\":" + f.line() + "}").collect(Collectors.joining(",", "[", "]"));
    }

    static String quote(String s) {
        StringBuilder b = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            if (c == '"' || c == '\\') {
                b.append('\\').append(c);
            } else if (c < ' ') {
                b.append(String.format("\\u%04x", (int) c));
            } else {
                b.append(c);
            }
        }
        return b.append('"').toString();
    }
}
