package apidoc

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const doxygenHead = `<?xml version='1.0'?><doxygen version="1.9"><compounddef id="classShop" kind="class" language="C++" prot="public"><compoundname>shop::Cart</compoundname>`

func TestDoxygen(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a class", doxygenHead + `
<sectiondef kind="public-func">
<memberdef kind="function" prot="public"><templateparamlist><param><type>typename</type><declname>T</declname><defval>int</defval></param></templateparamlist>
<type>bool</type><definition>bool shop::Cart::add</definition><argsstring>(T item, int &amp;n)</argsstring><name>add</name><qualifiedname>shop::Cart::add</qualifiedname>
<briefdescription><para>Adds an <computeroutput>item</computeroutput>.</para></briefdescription>
<detaileddescription><para>See <ref refid="x">Cart</ref>.<parameterlist kind="param"><parameteritem><parameternamelist><parametername>item</parametername></parameternamelist><parameterdescription><para>the item</para></parameterdescription></parameteritem></parameterlist>
<simplesect kind="return"><para>if it fits</para></simplesect><simplesect kind="note"><para>It copies.</para></simplesect><programlisting><codeline><highlight class="normal">cart.add(1,<sp/>n);</highlight></codeline></programlisting></para></detaileddescription><location file="shop.h" line="4"/></memberdef>
<memberdef kind="function" prot="private"><definition>void own</definition><name>own</name></memberdef>
<memberdef kind="variable" prot="public"><definition>int bare</definition><name>bare</name></memberdef></sectiondef>
<briefdescription><para>A cart.</para></briefdescription></compounddef></doxygen>`,
			"[shop::Cart]\ncpp| class shop::Cart\nA cart.\n[shop::Cart > shop::Cart::add]\ncpp| template <typename T = int>\n  | bool shop::Cart::add(T item, int &n)\nAdds an `item`.\nNote: It copies.\nDeclared in shop.h.\nSee Cart.\ncpp| cart.add(1, n);\nParameters:\n- `item`: the item\nReturns: if it fits\n"},
		{"a class of the inside", strings.Replace(doxygenHead, "shop::Cart<", "shop::detail::Cart<", 1) + "<briefdescription><para>A.</para></briefdescription></compounddef></doxygen>", ""},
		{"an enumeration and a macro", `<doxygen><compounddef kind="file" language="C"><compoundname>shop.h</compoundname><sectiondef><memberdef kind="enum" prot="public"><name>size</name><enumvalue><name>SMALL</name><briefdescription><para>Little.</para></briefdescription></enumvalue></memberdef><memberdef kind="define" prot="public"><name>MAX</name><param><defname>a</defname></param><briefdescription><para>The larger.</para></briefdescription></memberdef></sectiondef></compounddef></doxygen>`,
			"[shop.h > size]\nc| enum size { SMALL }\nParameters:\n- `SMALL`: Little.\n[shop.h > MAX]\nc| #define MAX(a)\nThe larger.\n"},
		{"other XML", "<project><compounddef kind='class'><compoundname>A</compoundname></compounddef></project>", ""},
		{"entities that multiply are not expanded", `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><doxygen>` + doxygenHead[len(`<?xml version='1.0'?><doxygen version="1.9">`):] + "<briefdescription><para>&b;</para></briefdescription></compounddef></doxygen>", "[shop::Cart]\ncpp| class shop::Cart\n&b;\n"},
		{"depth", doxygenHead + "<briefdescription>" + strings.Repeat("<para>", 20_000) + "deep", ""},
		{"a part", doxygenHead + "<briefdescription><para>A.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, shown(Read("xml/classCart.xml", Language("xml/classCart.xml", false), []byte(c.text), nil))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithoutHeaders(t *testing.T) {
	for _, c := range []struct{ name, sources, want string }{
		{"beside its headers", "include/a.h xml/classA.xml", "include/a.h"},
		{"alone", "lib/Assembly.xml xml/classA.xml a.py", "lib/Assembly.xml xml/classA.xml a.py"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := WithoutHeaders(strings.Fields(c.sources)); !slices.Equal(got, strings.Fields(c.want)) {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
}

func FuzzDoxygen(f *testing.F) {
	f.Add([]byte(doxygenHead + "<briefdescription><para>A.</para></briefdescription></compounddef></doxygen>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, e := range Read("classA.xml", Doxygen, data, nil) {
			if e.Title == "" || len(e.Blocks) == 0 {
				t.Errorf("%+v", e)
			}
		}
	})
}
