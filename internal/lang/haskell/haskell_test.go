package haskell

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/growth"
)

// render writes facts as lines: D declaration, I import, C call, B binding.
func render(src string, f corpus.Facts) string {
	line := func(at int) int { return strings.Count(src[:at], "\n") + 1 }
	var b strings.Builder
	if f.Module != "" {
		fmt.Fprintf(&b, "module %s\n", f.Module)
	}
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "D %s %s %d-%d", d.Kind, d.Qualified(), line(d.Span.Start), line(max(d.Span.End-1, 0)))
		if len(d.Params) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(d.Params, ", "))
		}
		if d.Result != "" {
			fmt.Fprintf(&b, " %s", d.Result)
		}
		if len(d.Bases) > 0 {
			fmt.Fprintf(&b, " : %s", strings.Join(d.Bases, ", "))
		}
		if len(d.Marks) > 0 {
			fmt.Fprintf(&b, " @%s", strings.Join(d.Marks, " @"))
		}
		if d.Exported {
			b.WriteString(" +")
		}
		if d.Traits != 0 {
			fmt.Fprintf(&b, " %#x", uint16(d.Traits))
		}
		b.WriteByte('\n')
	}
	for _, m := range f.Imports {
		fmt.Fprintf(&b, "I %s as %q %v %#x\n", m.Path, m.Alias, m.Names, uint8(m.Kind))
	}
	for _, c := range f.Calls {
		fmt.Fprintf(&b, "C %s|%s/%d\n", c.Receiver, c.Callee, c.Args)
	}
	for _, v := range f.Bindings {
		fmt.Fprintf(&b, "B %s: %s = %s %d\n", v.Name, v.Type, v.Value, v.Param)
	}
	return b.String()
}

// check compares the rendered lines that begin with one of the letters.
func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	var got []string
	for l := range strings.Lines(render(src, Read([]byte(src)))) {
		if strings.IndexByte(letters, l[0]) >= 0 {
			got = append(got, strings.TrimSuffix(l, "\n"))
		}
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s\n%s of it:\n%s\nwant:\n%s", src, letters, g, w)
	}
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"-- | About f.\nf :: Int -> [a] -> Maybe a\n{-# INLINE f #-}\nf 0 _ = Nothing\nf n (x:xs)\n  | n > 1 = g\n  | otherwise = Just x\n  where g = x\n\nh = 1",
			[]string{"D function f 1-8 (0, _) Maybe a +", "D constant h 10-10 +"}},
		{"module M (f, T(..), C(..)) where\nf x = x\ng x = x\ndata T = A\nclass C a where\n  m :: a",
			[]string{"D function f 2-2 (x) +", "D function g 3-3 (x)", "D struct T 4-4 +", "D trait C 5-6 +", "D method m 6-6 a + 0x8"}},
		{"(<+>) :: a -> a -> a\na <+> b = a\nx `op` y = x\n(!) a b = a\n(f . g) x = f (g x)\nf !x ~y z@(A b) ws@M.W{c = d} = x",
			[]string{"D function <+> 1-2 (a, b) a +", "D function op 3-3 (x, y) +", "D function ! 4-4 (a, b) +", "D function . 5-5 (x) +", "D function f 6-6 (!x, ~y, z@(A b), ws@M.W{c = d}) +"}},
		{"x : xs = y\n(a, b) = c\nJust d = e\nf', g :: Int\nf' = 1\ng = 2", []string{"D function f' 5-5 Int +", "D function g 6-6 Int +"}},
		{"foreign import ccall unsafe \"sin\" c_sin :: CDouble -> IO CDouble", []string{"D function c_sin 1-1 IO CDouble + 0x8"}},
		{"main = do\n  let f x = x\n      g y = y\n  f 1", []string{"D constant main 1-4 +"}},
		{"f = \\case\n  A -> 1\n  B -> 2\ng x = x", []string{"D constant f 1-3 +", "D function g 4-4 (x) +"}},
	} {
		check(t, c.src, "D", c.want...)
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"data A a = B { x, y :: Int, z :: !(Maybe a) } | C\n  deriving (Show, Eq)\n  deriving stock Ord",
			[]string{"D enum A 1-3 : Show, Eq, Ord +", "B x: Int =  0", "B y: Int =  0", "B z: !(Maybe a) =  0"}},
		{"newtype N = N { un :: M.T }\ntype S = String\ntype family F a where\n  F Int = Bool\ndata G a where\n  G :: a -> G a\nf x = x",
			[]string{"D struct N 1-1 +", "D type S 2-2 +", "D type F 3-4 +", "D type G 5-6 +", "D function f 7-7 (x) +", "B un: M.T =  0", "B x:  =  1"}},
		{"class (Eq a, Show a) => C a where\n  type T a\n  m, n :: a -> Int\n  m = g\n  -- | About o.\n  o :: a\n  default o :: Int => a",
			[]string{"D trait C 1-7 : Eq a, Show a +", "D type T 2-2 +", "D method m 4-4 Int +", "D method n 3-3 Int + 0x8", "D method o 5-6 a + 0x8"}},
		{"instance Show a => M.C (T a) where\n  m x = x\n  n = y\ninstance C Int\ninstance C [a] where m = z\nderiving instance Eq T\nf x = x",
			[]string{"D class T 1-3 : M.C + 0x80", "D method m 2-2 (x) +", "D method n 3-3 +", "D class Int 4-4 : C + 0x80", "D class C 5-5 + 0x80", "D method m 5-5 +", "D function f 7-7 (x) +", "B x:  =  1", "B x:  =  1"}},
	} {
		check(t, c.src, "DB", c.want...)
	}
}

func TestImports(t *testing.T) {
	check(t, "module A.B (module C, f) where\nimport C\nimport qualified Data.Map.Strict as M\nimport D (f, (+++), T(..), S(A, b), type (~>))\nimport E hiding (g)\n"+
		"import F qualified\nimport safe \"pkg\" G ()\nimport {-# SOURCE #-} H as\n  I (\n  x\n  )\nf = x", "mI",
		"module A.B", `I C as "" [{* }] 0x1`, `I Data.Map.Strict as "M" [] 0x0`, `I D as "" [{f } {+++ } {T } {T(..) } {S } {A } {b } {~> }] 0x0`,
		`I E as "" [{* }] 0x0`, `I F as "" [] 0x0`, `I G as "" [] 0x0`, `I H as "I" [{x }] 0x0`)
	check(t, "Text about it.\n\n> module L where\n> import A\n\nimport nothing\n", "mI", "module L", `I A as "" [{* }] 0x0`)
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"x = f a (g b) [h 1, i] M.j c", []string{"C |g/1", "C |h/1", "C |f/5"}},
		{"x = M.N.f a . g $ h $ i b `j` k", []string{"C M.N|f/1", "C |h/1", "C |i/1", "C |j/2"}},
		{"x = if f a then g b else h c + i d", []string{"C |f/1", "C |g/1", "C |h/1", "C |i/1"}},
		{"x = case f a of\n  Just y | g y, h y -> i y\n         | otherwise -> j y\n  z@(A b) -> k z\n  where k c = l c", []string{"C |f/1", "C |g/1", "C |h/1", "C |i/1", "C |j/1", "C |k/1", "C |l/1"}},
		{"x = do\n  f\n  y <- g\n  z <- h y\n  let k a = l a\n      m = n 1\n  when y $\n    o z\n  p >> q\n  r", []string{"C |f/0", "C |g/0", "C |h/1", "C |l/1", "C |n/1", "C |when/1", "C |o/1", "C |r/0"}},
		{"x = do { f; g a; y <- h }\nz = let a b = c b; d = e 1 in i a", []string{"C |f/0", "C |g/1", "C |h/0", "C |c/1", "C |e/1", "C |i/1"}},
		{"x = \\a (B c) -> f a c\ny = g (\\case { A -> h 1; B b -> i b })", []string{"C |f/2", "C |h/1", "C |i/1", "C |g/1"}},
		{"f x (g -> y) (h 1 -> z) = x\nk = a (b :: m c) (d @Int) (e @(T f) 1) f{x = g 1}", []string{"C |h/1", "C |e/1", "C |g/1", "C |a/4"}},
		{"x = forM_ xs \\y -> do\n  f y\nz = [g a | a <- h b, let c = i a, j c]", []string{"C |forM_/2", "C |f/1", "C |g/1", "C |h/1", "C |i/1", "C |j/1"}},
		{"makeLenses ''Foo\n$(deriveJSON 'a ''B)\nx = [sql| f x |] y", []string{"C |makeLenses/1", "C |deriveJSON/2"}},
		{"x = 'a' : \"f x \\\n  \\ g\" {- f x {- y -} -} -- g x\n  --> f 1 where a' = b' '\\'' -- |", []string{"C |f/1", "C |b'/1"}},
		{"x = a Seq.<| b M.. c\ny = (`f` 1) . (g `M.h`)", []string{"C |f/2", "C M|h/2"}},
		{"x = foo\n  where\n    foo = do\n      a 1\n      where b = c 1\ny = d 1", []string{"C |a/1", "C |c/1", "C |d/1"}},
		{"x = do\n  if a 1\n  then b 1\n  else do\n    c 1\n  d 1", []string{"C |a/1", "C |b/1", "C |c/1", "C |d/1"}},
		{"x = f (do a; b 1) (case c of d -> e 1, 2)", []string{"C |a/0", "C |b/1", "C |e/1", "C |f/2"}},
	} {
		check(t, c.src, "C", c.want...)
	}
}

func TestBindings(t *testing.T) {
	check(t, "f :: forall a. Show a => a -> (Int -> b) -> IO ()\nf x g = do\n  y <- h x\n  z <- M.k\n  w <- a . b\n  p y", "B",
		"B x: a =  1", "B g: (Int -> b) =  2", "B y:  = h() 0", "B z:  = M.k() 0", "B w:  =  0")
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "f x = g (a [b\n\nh y = do\n  let\n  i (\n\ndata T = A { b :: Int\n\nj z = k z\n", "DC",
		"D function f 1-1 (x) +", "D function h 3-5 (y) +", "D struct T 7-7 +", "D function j 9-9 (z) +", "C |a/1", "C |g/1", "C |i/1", "C |k/1")
	check(t, "f x = a\n<<<<<<< HEAD\n  (g 1)\n=======\n  h 1\n>>>>>>> b\ni z = k z", "D", "D function f 1-1 (x) +", "D function i 7-7 (z) +")
	check(t, "#if X\nf x = a 1\n#else\nf x = b 1\n#endif\ng = ) ] } in then of c 1", "DC", "D function f 2-4 (x) +", "D constant g 6-6 +", "C |a/1", "C |b/1", "C |c/1")
}

var sample = strings.Repeat(`-- | Reads what is there.
readAll :: (MonadIO m, Show a) => FilePath -> Map Text a -> m [Either Text a]
readAll path known = do
  exists <- liftIO $ doesFileExist path
  unless exists $ throwIO (userError ("no file " <> path))
  contents <- T.lines <$> liftIO (T.readFile path)
  forM contents $ \line ->
    case Map.lookup line known of
      Just x | valid x, let y = length (show x), y > 2 -> pure (Right x)
             | otherwise -> pure $ Left "invalid"
      Nothing -> go (T.unpack line) 0
  where
    go [] n = pure (Left (T.pack (show n)))
    go (c:cs) n = if isSpace c then go cs (n + 1) else go cs n

data Config = Config { cfgName :: !Text, cfgPaths :: [FilePath] } deriving (Show, Eq)

instance Semigroup Config where
  a <> b = Config (cfgName a) (cfgPaths a ++ cfgPaths b)

`, 100)

func BenchmarkRead(b *testing.B) {
	b.SetBytes(int64(len(sample)))
	for b.Loop() {
		Read([]byte(sample))
	}
}

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	for _, piece := range []string{"(", "f (", "[x|", "{-", "{- -}", "do ", "case x of ", "let x = ", "if a then ", "\\\\case ", "in ", "then ", "where ", "f x = ", "a `b` ", "class C a where\n", "{", "f ::\n",
		"data A = B {", "a, ", "(x -> ", "x@", "'", "\"", "f x\n", "M.", "do\n ", "import A (", "where {", "f x y z | a"} {
		if err := growth.Linear(80000, func(n int) { Read([]byte(strings.Repeat(piece, n))) }); err != nil {
			t.Errorf("%q: %v", piece, err)
		}
	}
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:800])
	for _, s := range []string{"module A (f", "import A as", "data A", "class =>", "instance C (", "foreign import x ::", "x `", "(+", "(f .", "'\\", "[a|", "> module A\n> f", "{-#", "f :: a ->\nf", "x@", "M..", "a\tb = do\n\tc", "deriving ("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		facts := Read([]byte(src))
		for _, d := range facts.Decls {
			if d.Span.Start < 0 || d.Span.End > len(src) || d.NameAt < d.Span.Start || d.NameAt+len(d.Name) > d.Body || d.Body > d.Span.End || src[d.NameAt:d.NameAt+len(d.Name)] != d.Name {
				t.Fatalf("%q declares %+v", src, d)
			}
		}
		for _, c := range facts.Calls {
			if c.At+len(c.Callee) > len(src) || src[c.At:c.At+len(c.Callee)] != c.Callee {
				t.Fatalf("%q calls %+v", src, c)
			}
		}
		for _, m := range facts.Imports {
			if m.At+len(m.Path) > len(src) || src[m.At:m.At+len(m.Path)] != m.Path {
				t.Fatalf("%q imports %+v", src, m)
			}
		}
		for _, v := range facts.Bindings {
			if v.At < 0 || v.At > len(src) {
				t.Fatalf("%q binds %+v", src, v)
			}
		}
	})
}
