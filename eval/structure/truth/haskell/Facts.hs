-- Prints what GHC reads from the Haskell files below a folder, as JSON lines:
--
--     ghc -O -package ghc -outputdir /tmp/facts -o /tmp/facts/facts Facts.hs && /tmp/facts/facts DIR > haskell.jsonl
--
-- It stands on the library of GHC 9.0. Lines for the C preprocessor are blanked, so
-- that all branches are read; a file that is then no Haskell is left out.
--
-- A call is a variable that is applied to something (f x, M.f x, x `f` y, f $ x) or
-- that is a whole statement (do { f; x <- g }).
module Main (main) where

import Control.Monad (filterM, forM, unless)
import Data.Char (isSpace, ord)
import Data.Data (Data, cast, gmapQ)
import Data.IORef
import Data.List (intercalate, isPrefixOf, isSuffixOf, sort)
import Data.Maybe (mapMaybe)
import qualified Data.Set as Set
import System.Directory (doesDirectoryExist, doesFileExist, listDirectory)
import System.Environment (getArgs)
import System.FilePath ((</>))
import System.IO

import qualified GHC.Data.EnumSet as EnumSet
import GHC.Data.FastString (mkFastString)
import GHC.Data.StringBuffer (stringToStringBuffer)
import GHC.Data.Bag (bagToList)
import GHC.Hs
import GHC.LanguageExtensions.Type (Extension (..))
import GHC.Parser (parseModule)
import GHC.Parser.Lexer (P (..), ParseResult (..), mkPStatePure, mkParserFlags')
import GHC.Types.Name.Occurrence (isSymOcc, isVarOcc, occNameString)
import GHC.Types.Name.Reader (RdrName, rdrNameOcc)
import GHC.Types.SrcLoc
import GHC.Unit.Module.Name (moduleNameString)
import GHC.Unit.Types (mainUnitId)

main :: IO ()
main = do
  [root] <- getArgs
  mapM_ (`hSetEncoding` utf8) [stdout, stderr]
  left <- newIORef (0 :: Int)
  paths <- files root ""
  mapM_ (one left root) (sort paths)
  n <- readIORef left
  unless (n == 0) $ hPutStrLn stderr (show n ++ " files could not be parsed")

files :: FilePath -> FilePath -> IO [FilePath]
files root dir = do
  names <- listDirectory (root </> dir)
  let paths = [if null dir then n else dir </> n | n <- names]
  dirs <- filterM (doesDirectoryExist . (root </>)) paths
  sources <- filterM (doesFileExist . (root </>)) (filter (".hs" `isSuffixOf`) paths)
  (sources ++) . concat <$> forM dirs (files root)

one :: IORef Int -> FilePath -> FilePath -> IO ()
one left root path = do
  h <- openFile (root </> path) ReadMode
  hSetEncoding h =<< mkTextEncoding "UTF-8//ROUNDTRIP"
  text <- hGetContents h
  let asked = extensions text
      source = unlines (blank False (lines (filter (/= '\r') text)))
  case mapMaybe (parsed path source) [asked, asked ++ common] of
    m : _ -> putStrLn (facts path m)
    [] -> modifyIORef' left (+ 1)

-- blank blanks the lines of the preprocessor, and what continues them.
blank :: Bool -> [String] -> [String]
blank _ [] = []
blank on (l : ls)
  | on || "#" `isPrefixOf` l = "" : blank ("\\" `isSuffixOf` l) ls
  | otherwise = l : blank False ls

parsed :: FilePath -> String -> [Extension] -> Maybe HsModule
parsed path source exts =
  case unP parseModule (mkPStatePure flags (stringToStringBuffer source) (mkRealSrcLoc (mkFastString path) 1 1)) of
    POk _ m -> Just (unLoc m)
    PFailed _ -> Nothing
  where
    flags = mkParserFlags' EnumSet.empty (EnumSet.fromList exts) mainUnitId False False False True

-- extensions returns what the pragmas of a source ask for, and what Haskell 2010 has.
extensions :: String -> [Extension]
extensions text = [e | e <- [minBound ..], show e `Set.member` on || e `elem` standard, not (show e `Set.member` off)]
  where
    asked = concatMap names (pragmas text)
    off = Set.fromList [drop 2 n | n <- asked, "No" `isPrefixOf` n]
    on = Set.fromList (map known asked)
    known "NamedFieldPuns" = "RecordPuns"
    known "Rank2Types" = "RankNTypes"
    known "GeneralisedNewtypeDeriving" = "GeneralizedNewtypeDeriving"
    known n = n
    names = words . map (\c -> if c == ',' then ' ' else c)
    standard = [DoAndIfThenElse, EmptyDataDecls, ForeignFunctionInterface, PatternGuards, RelaxedPolyRec, TraditionalRecordSyntax, StarIsType]

-- pragmas returns what stands in the LANGUAGE pragmas of a text.
pragmas :: String -> [String]
pragmas [] = []
pragmas t
  | "{-#" `isPrefixOf` t, ("LANGUAGE", rest) <- splitAt 8 (dropWhile isSpace (drop 3 t)) = takeWhile (/= '#') rest : pragmas (dropWhile (/= '#') rest)
  | otherwise = pragmas (drop 1 t)

-- common are extensions that projects switch on for all their files.
common :: [Extension]
common =
  [ BangPatterns, BinaryLiterals, BlockArguments, ConstrainedClassMethods, ConstraintKinds, DataKinds, DefaultSignatures, DeriveAnyClass, DeriveDataTypeable
  , DeriveFoldable, DeriveFunctor, DeriveGeneric, DeriveLift, DeriveTraversable, DerivingStrategies, DerivingVia, EmptyCase, EmptyDataDeriving
  , ExistentialQuantification, ExplicitForAll, ExplicitNamespaces, FlexibleContexts, FlexibleInstances, FunctionalDependencies, GADTSyntax, GADTs
  , GeneralizedNewtypeDeriving, InstanceSigs, KindSignatures, LambdaCase, MultiParamTypeClasses, MultiWayIf, NumericUnderscores, OverloadedStrings
  , PackageImports, PatternSynonyms, PolyKinds, QuasiQuotes, RankNTypes, RecordPuns, RecordWildCards, RoleAnnotations, ScopedTypeVariables
  , StandaloneDeriving, StandaloneKindSignatures, TupleSections, TypeApplications, TypeFamilies, TypeFamilyDependencies, TypeOperators, ViewPatterns
  ]

facts :: FilePath -> HsModule -> String
facts path m =
  object
    [ ("file", quote path)
    , ("functions", list "name" (concatMap functions decls))
    , ("imports", list "path" [at moduleNameString (ideclName i) | L _ i <- hsmodImports m])
    , ("calls", list "name" (calls (hsmodDecls m)))
    ]
  where
    decls = map unLoc (hsmodDecls m)
    signed = Set.fromList [name n | SigD _ (TypeSig _ ns _) <- decls, n <- ns]
    functions d = case d of
      ValD _ b -> [at' f | Just (f, arity) <- [function b], arity > 0 || name f `Set.member` signed]
      ForD _ ForeignImport {fd_name = f} -> [at' f]
      TyClD _ ClassDecl {tcdSigs = sigs, tcdMeths = binds} ->
        let methods = [f | Just (f, _) <- map (function . unLoc) (bagToList binds)]
            bound = Set.fromList (map name methods)
         in map at' methods ++ [at' n | L _ (ClassOpSig _ False ns _) <- sigs, n <- ns, not (name n `Set.member` bound)]
      InstD _ (ClsInstD _ ClsInstDecl {cid_binds = binds}) -> [at' f | Just (f, _) <- map (function . unLoc) (bagToList binds)]
      _ -> []

-- function returns the name of a binding, and how many arguments it takes.
function :: HsBind GhcPs -> Maybe (Located RdrName, Int)
function FunBind {fun_id = f, fun_matches = MG {mg_alts = L _ (L _ m : _)}} = Just (f, length (m_pats m))
function _ = Nothing

name :: Located RdrName -> String
name = occNameString . rdrNameOcc . unLoc

at' :: Located RdrName -> (String, Int)
at' = at (occNameString . rdrNameOcc)

at :: (a -> String) -> Located a -> (String, Int)
at f (L l a) = (f a, case l of RealSrcSpan s _ -> srcSpanStartLine s; _ -> 0)

-- calls returns all variables that are applied, or are statements.
calls :: Data a => a -> [(String, Int)]
calls a = concatMap variable (here a) ++ concat (gmapQ calls a)
  where
    variable :: LHsExpr GhcPs -> [(String, Int)]
    variable (L _ (HsVar _ v)) | isVarOcc o, not (isSymOcc o) = [at' v] where o = rdrNameOcc (unLoc v)
    variable _ = []

-- here returns the expressions that a node calls itself.
here :: Data a => a -> [LHsExpr GhcPs]
here a
  | Just e <- cast a = expression e
  | otherwise = []

expression :: HsExpr GhcPs -> [LHsExpr GhcPs]
expression e = case e of
  HsApp _ f _ -> [applied f]
  OpApp _ l op _ | dollar op -> backquoted op ++ [operand l]
  OpApp _ _ op _ -> backquoted op
  SectionL _ _ op -> backquoted op
  SectionR _ op _ -> backquoted op
  HsDo _ c (L _ ss) | runs c -> map applied (concatMap (statement . unLoc) ss)
  _ -> []
  where
    backquoted op = [op]
    runs c = case c of DoExpr _ -> True; MDoExpr _ -> True; _ -> False
    applied (L _ (HsAppType _ f _)) = applied f
    applied f = f

dollar :: LHsExpr GhcPs -> Bool
dollar (L _ (HsVar _ v)) = name v `elem` ["$", "$!"]
dollar _ = False

-- operand returns what stands before $: the tree leans to the left whatever the
-- operators are.
operand :: LHsExpr GhcPs -> LHsExpr GhcPs
operand (L _ (OpApp _ _ op r)) | dollar op = r
operand (L _ (HsAppType _ f _)) = operand f
operand e = e

-- statement returns what a statement runs.
statement :: StmtLR GhcPs GhcPs (LHsExpr GhcPs) -> [LHsExpr GhcPs]
statement s = case s of
  BodyStmt _ e _ _ -> [e]
  BindStmt _ _ e -> [e]
  LastStmt _ e _ _ -> [e]
  _ -> []

list :: String -> [(String, Int)] -> String
list key xs = "[" ++ intercalate "," [object [(key, quote x), ("line", show l)] | (x, l) <- xs] ++ "]"

object :: [(String, String)] -> String
object fields = "{" ++ intercalate "," [quote k ++ ":" ++ v | (k, v) <- fields] ++ "}"

quote :: String -> String
quote s = "\"" ++ concatMap escape s ++ "\""
  where
    escape c
      | c `elem` "\"\\" = ['\\', c]
      | ord c < 32 = " "
      | otherwise = [c]
