package corpus

import "cmp"

// Facts is the structure of one source text as it is written, without resolved names. All offsets are bytes in the text.
type Facts struct {
	Decls    []Decl    // in order of their starts; they nest and never cross
	Imports  []Import  // in order
	Calls    []Call    // in order of At
	Bindings []Binding // in order of At
	Module   string    // the package, namespace or module that the text declares
	Build    string    // the build constraint of the text, as go/build/constraint writes it; "" for none
	Missed   int       // places that could not be parsed
}

// Traits are properties of a declaration beside its kind.
type Traits uint16

// The traits of a declaration.
const (
	Async       Traits = 1 << iota
	Generator          // it yields
	Static             // of the class, not of its instances; an object of Scala
	Abstract           // without a body: to be implemented, or implemented elsewhere
	Constructor        // it makes an instance of the class around it
	Accessor           // read or written like a field: get, set, @property
	Local              // declared inside a function
	Extension          // it adds to a type that is declared elsewhere: impl, extension, partial
	Pointer            // a Go method of *T
	Private            // a Java method that its class alone has
	Open               // known wherever its class is, by its name alone: a method of a class of Haskell
)

// AddIf adds a trait that a declaration may have.
func (t *Traits) AddIf(has bool, trait Traits) {
	if has {
		*t |= trait
	}
}

// An Import is one thing that a text takes from elsewhere: one for each path
// that is written, or for each leaf of a tree of paths.
type Import struct {
	Path  string // as written, without quotes: "os.path", "./x", ".mod", "anyhow::Result", "stdio.h"
	Names []Name // the imported names; empty: the thing itself, or everything
	Alias string // the name that Path itself gets here; "" where the language's rule says
	Kind  ImportKind
	At    int // of Path, or of the statement where the path is not written as one word
	In    int32
}

// A Name is one imported name: Name is "*" for all of them.
type Name struct{ Name, Alias string }

// Local returns the name by which n is known where it was imported.
func (n Name) Local() string {
	return cmp.Or(n.Alias, n.Name)
}

// An ImportKind says how a thing is imported. Bits.
type ImportKind uint8

// The ways to import.
const (
	Reexport    ImportKind = 1 << iota // it is offered to whoever imports this text
	Dynamic                            // by a call: import(…), require(…), importlib
	Conditional                        // in a branch: try, if, #if
	TypeOnly                           // gone when the program runs
	Relative                           // Path is relative to the text's own place, whatever it looks like
	System                             // from the system's places: <stdio.h>
	Member                             // the last part of Path is a member: import static, from the language's syntax
	Offers                             // its names are offered to whoever imports this text; of all names ("*"), some that are not declared here
)

// AddIf adds a way that a thing may be imported in.
func (k *ImportKind) AddIf(is bool, way ImportKind) {
	if is {
		*k |= way
	}
}

// Unnamed is the callee of a call without a name, as in f()() or a[key](): the receiver is called.
const Unnamed = "("

// Selected is the number of arguments of a name without parentheses, x.size or make[Int]. Only Scala has it: there it calls a
// function without parameters, but is not a call of anything else.
const Selected = -2

// A Call is one place where something is called or constructed.
type Call struct {
	Callee string // the name before the parentheses, or Unnamed; "" never
	// Receiver is the owner of the name as a chain: "", "self", "os.path", "make().items[]". "?" stands for anything that is
	// not a chain: a literal, an operator.
	Receiver string
	// Given has the arguments as chains with commas between them, "{int},x.y()", if they are chains and the language's
	// resolution needs them.
	Given string
	At    int   // of Callee
	Args  int16 // how many arguments; -1 unknown, or Selected
	New   bool  // it constructs: new T(…), T{…}
	In    int32 // the index of the Decl around it, -1 at top level
	Block int   // 1 + At of the call that the block of code around it is given to, of Kotlin; 0 for none
}

// BoundMark begins the name of the binding of a type parameter, whose type is one that bounds it.
const BoundMark = "<"

// BlockMark begins the name of the binding that says in which block a name is declared: it is at the start of the block, and its
// value is the length of the block in bytes.
const BlockMark = "{"

// A Binding has the known facts about the type of a name: a parameter, a field, a variable, a result.
type Binding struct {
	Name  string // "x", "self.x" for an attribute; "()" for the result of a function, "[]" for the values that it yields
	Type  string // as declared: "*pkg.T", "List<T>", "Optional[T]"; "" where nothing is
	Value string // the chain that was assigned, where it is one: "T()", "self.make()", "other"
	At    int
	Param int16 // which parameter of In, from 1; 0 for no parameter
	In    int32 // the index of the Decl around it, -1 at top level
}
