package jvm

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "java", Read: ReadJava}, {Name: "kotlin", Read: ReadKotlin}, {Name: "scala", Read: ReadScala}}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	for _, list := range [][]langtest.Sample{javaSamples, kotlinSamples, scalaSamples} {
		for _, s := range list {
			f.Add(s[1])
		}
	}
	f.Add("class A {\n<<<<<<< HEAD\n void f() {\n=======\n void g() {\n>>>>>>> x\n }\n}")
	langtest.Fuzz(f, readers)
}

// Whatever is repeated, reading it takes time linear in it.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 20000,
		"(", "{", "[", "a(", "a<", "a.b(", "class A ", "class A { ", "class A extends B ", "class A : B by ", "fun f() = ", "val x = ", "def f = ", "def f(", "case (", "case x if ",
		"new A() { ", "final ", "@A ", "@A(", "int f() ", "x = (", "() -> ", "x -> ", "a to b ", "for (x <- ", "x <- y ", "given A ", "extension (x: A) ", "import a.{b, ", "package a { ",
		"private ", "enum A { B(", "get() = ", "val x get() = ", "a ? b : ", "\"${", "s\"${", "type A = ", "where T : ", "/**/ def a;", ": a ", "=> ", "new A with ", "catch (",
		"switch (x) { case A a -> ", "when (x) { is A -> ", "`a` ", "a@", "x: A => ", "int a, ", "int a = b, ", "var (a, b) = ", "object : A ", "companion object { ", "if (a) ")
	// Brackets are paired to a certain depth. From there on this is one long chain, of
	// which a bounded part is read for each call: compare two sizes beyond it.
	langtest.LinearBeyond(t, readers, 120_000, "((A) x).f(")
}

func BenchmarkRead(b *testing.B) {
	for i, list := range [][]langtest.Sample{javaSamples, kotlinSamples, scalaSamples} {
		var all strings.Builder
		for _, s := range list {
			all.WriteString(s[1] + "\n")
		}
		b.Run(readers[i].Name, func(b *testing.B) { langtest.Benchmark(b, readers[i].Read, strings.Repeat(all.String(), 10)) })
	}
}
