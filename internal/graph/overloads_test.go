package graph_test

import (
	"testing"
)

// TestOverloadsOfAbstractClasses holds that in C# an overload without a body is one of its own, and that a type may be written with its
// namespace where a base writes it without.
func TestOverloadsOfAbstractClasses(t *testing.T) {
	_, f := project(t, `
-- IEnc.cs --
namespace N;
public interface IEnc { void Encrypt(string a, string b); void Encrypt(Stream a, Stream b); Stream Encrypt(Stream a); }
-- Base.cs --
namespace N;
public abstract class Base : IEnc {
    public abstract Stream Encrypt(Stream input);
    public virtual void Encrypt(string input, string output) {
        this.Encrypt(File.OpenRead(input), output);
    }
    public virtual void Encrypt(System.IO.Stream input, System.IO.Stream output) {
        using (Stream cs = Encrypt(output)) { }
    }
    public abstract void Seal(int n);
    public void Seal(string s) { }
}
public class AES : Base { public override Stream Encrypt(Stream input) { return input; } }
public class Use {
    public void Go(MemoryStream q) {
        using var m = new AES();
        m.Encrypt(q, q);
    }
    public void Other(Elsewhere.Tool t) {
        t.Encrypt(1, 2, 3);
    }
}
public partial class Part {
    partial void Start(int n);
}
public partial class Part {
    partial void Start(int n) { }
    void Go() { Start(1); }
}
`)
	askEach(t, f, []question{
		{"a call with two arguments", "refs", "IEnc.Encrypt", "     5: this.Encrypt(File.OpenRead(input), output);  [of N.Base.Encrypt]", "N.IEnc.Encrypt]"},
		{"a call of the abstract one", "refs", "Base.Encrypt(Stream)", "     8: using (Stream cs = Encrypt(output)) { }  [call, exact, in N.Base.Encrypt]", "5: this"},
		{"a call on what using declares", "callers", "Base.Encrypt", "    17: m.Encrypt(q, q);  [in N.Use.Go, likely", "t.Encrypt(1, 2, 3);  [in N.Use.Other, "},
		{"a type that is not known", "refs", "IEnc.Encrypt", "NOT RESOLVED:\nBase.cs\n    20: t.Encrypt(1, 2, 3);", "t.Encrypt(1, 2, 3);  [call"},
		{"a part of a class that is not abstract", "callers", "Part.Start", "    28: void Go() { Start(1); }  [in N.Part.Go, exact", "likely"},
	})
}
