package haskell

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "haskell", Read: Read, Paths: true}}

func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	langtest.Check(t, Read, src, letters, want...)
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"-- | About f.\nf :: Int -> [a] -> Maybe a\n{-# INLINE f #-}\nf 0 _ = Nothing\nf n (x:xs)\n  | n > 1 = g\n  | otherwise = Just x\n  where g = x\n\nh = 1",
			[]string{"D function f 1-8 (0, _) -> Maybe a +", "D constant h 10-10 +"}},
		{"module M (f, T(..), C(..)) where\nf x = x\ng x = x\ndata T = A\nclass C a where\n  m :: a",
			[]string{"D function f 2-2 (x) +", "D function g 3-3 (x)", "D struct T 4-4 +", "D trait C 5-6 +", "D method m 6-6 -> a + abstract open"}},
		{"(<+>) :: a -> a -> a\na <+> b = a\nx `op` y = x\n(!) a b = a\n(f . g) x = f (g x)\nf !x ~y z@(A b) ws@M.W{c = d} = x",
			[]string{"D function <+> 1-2 (a, b) -> a +", "D function op 3-3 (x, y) +", "D function ! 4-4 (a, b) +", "D function . 5-5 (x) +", "D function f 6-6 (!x, ~y, z@(A b), ws@M.W{c = d}) +"}},
		{"x : xs = y\n(a, b) = c\nJust d = e\nf', g :: Int\nf' = 1\ng = 2", []string{"D function f' 5-5 -> Int +", "D function g 6-6 -> Int +"}},
		{"foreign import ccall unsafe \"sin\" c_sin :: CDouble -> IO CDouble", []string{"D function c_sin 1-1 -> IO CDouble + abstract"}},
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
			[]string{"D enum A 1-3 : Show, Eq, Ord +", "B B", "B x: Int", "B y: Int", "B z: !(Maybe a)", "B C"}},
		{"newtype N = N { un :: M.T }\ntype S = String\ntype family F a where\n  F Int = Bool\ndata G a where\n  G :: a -> G a\nf x = x",
			[]string{"D struct N 1-1 +", "D type S 2-2 +", "D type F 3-4 +", "D type G 5-6 +", "D function f 7-7 (x) +", "B un: M.T", "B x #1"}},
		{"data D = forall a. Show a => K a | L (forall b. b -> M) | N\ntype S = T\ndata G a where\n  I :: Show a => a -> G a\n  J :: G Int",
			[]string{"D enum D 1-1 +", "D type S 2-2 +", "D type G 3-5 +", "B K", "B L", "B N", "B I", "B J"}},
		{"class (Eq a, Show a) => C a where\n  type T a\n  m, n :: a -> Int\n  m = g\n  -- | About o.\n  o :: a\n  default o :: Int => a",
			[]string{"D trait C 1-7 : Eq a, Show a +", "D type T 2-2 +", "D method n 3-3 -> Int + abstract open", "D method m 4-4 -> Int + open", "D method o 5-6 -> a + abstract open"}},
		{"instance Show a => M.C (T a) where\n  m x = x\n  n = y\ninstance C Int\ninstance C [a] where m = z\nderiving instance Eq T\nf x = x",
			[]string{"D class T 1-3 : M.C + extension", "D method m 2-2 (x) +", "D method n 3-3 +", "D class Int 4-4 : C + extension", "D class [a] 5-5 : C + extension", "D method m 5-5 +", "D function f 7-7 (x) +", "B x #1", "B x #1"}},
	} {
		check(t, c.src, "DB", c.want...)
	}
}

func TestImports(t *testing.T) {
	check(t, "module A.B (module C, f) where\nimport C\nimport qualified Data.Map.Strict as M\nimport D (f, (+++), T(..), S(A, b), type (~>))\nimport E hiding (g)\n"+
		"import F qualified\nimport safe \"pkg\" G ()\nimport {-# SOURCE #-} H as\n  I (\n  x\n  )\nf = x", "MI",
		"M A.B", `I C {*} reexport`, `I Data.Map.Strict as M`, `I D {f} offers`, `I D {+++} {T} {T(..)} {S} {A} {b} {~>}`,
		`I E {*}`, `I F`, `I G`, `I H as I {x}`)
	// What is exported and comes from elsewhere.
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"module B (f, A.g, h) where\nimport A (f, g, i)\nh = 1", []string{"M B", `I A {f} {g} offers`, `I A {i}`}},
		{"module B (f, T(..), C) where\nimport A (T(..), C)\nf = 1", []string{"M B", `I A {T} {T(..)} {C} offers`}},
		{"module B (f, g) where\nimport A\nimport C hiding (g)\nimport D (f)", []string{"M B", `I A {*} offers`, `I C {*} offers`, `I D {f} offers`}},
		{"module B (f, T(..), A) where\nimport C\nf = 1\ndata T = A", []string{"M B", `I C {*}`}},
		{"module B where\nimport A (f)\nimport C", []string{"M B", `I A {f}`, `I C {*}`}},
		{"import A (f)", []string{`I A {f}`}},
	} {
		check(t, c.src, "MI", c.want...)
	}
	check(t, "# Title\n\nWith `map f` and\nf x words\n\n``` haskell\nmodule L where\nimport A\n```\n\n```\nimport B\n```\n", "MIC", "M L", `I A {*}`)
	check(t, "{- |\n```haskell\nimport B\n```\n-}\nmodule L where\nimport A\n", "MI", "M L", `I A {*}`)
	check(t, "Text about it.\n\n> module L where\n> import A\n\nimport nothing\n", "MI", "M L", `I A {*}`)
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"x = f a (g b) [h 1, i] M.j c", []string{"C f/5", "C g/1", "C h/1"}},
		{"x = M.N.f a . g $ h $ i b `j` k", []string{"C M.N|f/1", "C h/1", "C i/1", "C j/2"}},
		{"x = if f a then g b else h c + i d", []string{"C f/1", "C g/1", "C h/1", "C i/1"}},
		{"x = case f a of\n  Just y | g y, h y -> i y\n         | otherwise -> j y\n  z@(A b) -> k z\n  where k c = l c", []string{"C f/1", "C g/1", "C h/1", "C i/1", "C j/1", "C k/1", "C l/1"}},
		{"x = do\n  f\n  y <- g\n  z <- h y\n  let k a = l a\n      m = n 1\n  when y $\n    o z\n  p >> q\n  r", []string{"C f/0", "C g/0", "C h/1", "C l/1", "C n/1", "C when/1", "C o/1", "C r/0"}},
		{"x = do { f; g a; y <- h }\nz = let a b = c b; d = e 1 in i a", []string{"C f/0", "C g/1", "C h/0", "C c/1", "C e/1", "C i/1"}},
		{"x = \\a (B c) -> f a c\ny = g (\\case { A -> h 1; B b -> i b })", []string{"C f/2", "C g/1", "C h/1", "C i/1"}},
		{"f x (g -> y) (h 1 -> z) = x\nk = a (b :: m c) (d @Int) (e @(T f) 1) f{x = g 1}", []string{"C h/1", "C a/4", "C e/1", "C g/1"}},
		{"x = forM_ xs \\y -> do\n  f y\nz = [g a | a <- h b, let c = i a, j c]", []string{"C forM_/2", "C f/1", "C g/1", "C h/1", "C i/1", "C j/1"}},
		{"makeLenses ''Foo\n$(deriveJSON 'a ''B)\nx = [sql| f x |] y", []string{"C makeLenses/1", "C deriveJSON/2"}},
		{"x = 'a' : \"f x \\\n  \\ g\" {- f x {- y -} -} -- g x\n  --> f 1 where a' = b' '\\'' -- |", []string{"C -->/2", "C f/1", "C b'/1"}},
		{"x = a Seq.<| b M.. c\ny = (`f` 1) . (g `M.h`)", []string{"C Seq|<|/2", "C f/2", "C M|h/2"}},
		{"x = a <+> b + c $ d :+: e\ny = (<+>) a b\nz (!a) = map (<+> 1) b where !c = #f ! b\na <+> b = a", []string{"C <+>/2", "C <+>/2", "C map/2", "C <+>/2", "C !/2"}},
		{"x = foo\n  where\n    foo = do\n      a 1\n      where b = c 1\ny = d 1", []string{"C a/1", "C c/1", "C d/1"}},
		{"x = do\n  if a 1\n  then b 1\n  else do\n    c 1\n  d 1", []string{"C a/1", "C b/1", "C c/1", "C d/1"}},
		{"x = f (do a; b 1) (case c of d -> e 1, 2)", []string{"C f/2", "C a/0", "C b/1", "C e/1"}},
	} {
		check(t, c.src, "C", c.want...)
	}
}

func TestBindings(t *testing.T) {
	check(t, "f :: forall a. Show a => a -> (Int -> b) -> IO ()\nf x g = do\n  y <- h x\n  z <- M.k\n  w <- a . b\n  p y", "B",
		"B x: a #1", "B g: (Int -> b) #2", "B y = h()", "B z = M.k()", "B w")
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "f x = g (a [b\n\nh y = do\n  let\n  i (\n\ndata T = A { b :: Int\n\nj z = k z\n", "DC",
		"D function f 1-1 (x) +", "D function h 3-5 (y) +", "D struct T 7-7 +", "D function j 9-9 (z) +", "C g/1", "C a/1", "C i/1", "C k/1")
	check(t, "f x = a\n<<<<<<< HEAD\n  (g 1)\n=======\n  h 1\n>>>>>>> b\ni z = k z", "D", "D function f 1-1 (x) +", "D function i 7-7 (z) +")
	check(t, "#if X\nf x = a 1\n#else\nf x = b 1\n#endif\ng = ) ] } in then of c 1", "DC", "D function f 2-4 (x) +", "D constant g 6-6 +", "C a/1", "C b/1", "C c/1")
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

func BenchmarkRead(b *testing.B) { langtest.Benchmark(b, Read, sample) }

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 80000, "(", "f (", "[x|", "{-", "{- -}", "do ", "case x of ", "let x = ", "if a then ", "\\\\case ", "in ", "then ", "where ", "f x = ", "a `b` ", "class C a where\n", "{", "f ::\n",
		"data A = B {", "a, ", "(x -> ", "x@", "'", "\"", "f x\n", "M.", "do\n ", "import A (", "where {", "f x y z | a")
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:800])
	for _, s := range []string{"module A (f", "import A as", "data A", "class =>", "instance C (", "foreign import x ::", "x `", "(+", "(f .", "'\\", "[a|", "> module A\n> f", "{-#", "f :: a ->\nf", "x@", "M..", "a\tb = do\n\tc", "deriving ("} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}
