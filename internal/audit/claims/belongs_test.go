package claims

import (
	"slices"
	"strings"
	"testing"
)

// A qualified name is judged as a whole: that another type has the member says nothing, unless the type
// takes members from elsewhere, or a file, also of tests, has both.
func TestQualified(t *testing.T) {
	files := map[string]string{
		"pom.xml":                           "<project><artifactId>wires</artifactId></project>",
		"src/main/java/WireClient.java":     "package a.wires;\npublic class WireClient {\n  public void openWire() {}\n}\n",
		"src/main/java/WireServer.java":     "package a.wires;\npublic class WireServer extends Base {\n  public void acceptAll() {}\n}\n",
		"src/main/java/Base.java":           "package a.wires;\npublic class Base {\n  public void closeWire() {}\n}\n",
		"src/main/java/Relay.java":          "package a.wires;\n@Generated\npublic class WireRelay {}\n",
		"src/test/java/WireClientTest.java": "package a.wires;\nclass WireClientTest { void t() { new WireClient().halfOpen(); } }\n",
		"src/main/java/Half.java":           "package a.wires;\npublic class Half {\n  public void halfOpen() {}\n}\n",
		"src/main/java/Tag.java":            "package a.wires;\n@Data public class WireTag {}\n",
		"src/Part.cs":                       "namespace Wires;\npublic partial class WirePart { }\n",
		"src/WirePool.php":                  "<?php\nclass WirePool { use Closes; }\n",
		"src/wires.py":                      "class WireTable:\n    rows = {1: 2}\n    def fill(self): pass\n",
		"README.md":                         "# wires\n\nUse `WireClient.openWire`, `WireClient.closeWire()`, `WireClient#acceptAll`, `WireClient.halfOpen()`, `WireServer.closeWire()`, `WireRelay.closeWire()`, `Stranger.closeWire()` and `client.closeWire()` and `Half.openWire`.\n\nAlso `WireTag.closeWire()`, `WirePart.closeWire()`, `WirePool::closeWire()` and `WireTable.closeWire()`.\n",
	}
	if got, want := reported(t, files), []string{"WireClient#acceptAll", "WireClient.closeWire", "WireTable.closeWire"}; !slices.Equal(got, want) {
		t.Errorf("%q are reported, want %q", got, want)
	}
}

// What an example takes out of a package of the project is to be there, however its language says it; how
// a role of reStructuredText is shown is no part of a name.
func TestTaken(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"rust": {map[string]string{"Cargo.toml": "[package]\nname = \"wires\"\n", "src/lib.rs": "pub struct WireClient;\npub fn open_wire() {}\n",
			"README.md": "# wires\n\n```rust\nuse wires::{WireClient, WireClients as C};\nuse wires::net::Relayed;\nuse other::Strange;\n```\n"}, "wires.Relayed wires.WireClients"},
		"java": {map[string]string{"pom.xml": "<project/>", "src/main/java/a/wires/WireClient.java": "package a.wires;\npublic class WireClient {}\n",
			"README.md": "# wires\n\n```java\nimport a.wires.WireClient;\nimport a.wires.OldClient;\nimport a.other.Strange;\n```\n"}, "wires.OldClient"},
		"python in a literal block": {map[string]string{"setup.py": "setup(name='wires')\n", "wires/__init__.py": "def open_wire(): pass\n",
			"README.rst": "wires\n=====\n\nRun this::\n\n    from wires import open_wire, open_wires_all\n\n    open_wires_all()\n"}, "wires.open_wires_all"},
		"of another package": {map[string]string{"pom.xml": "<project/>", "src/main/java/a/wires/WireSpan.java": "package a.wires;\npublic class WireSpan { void totalOf() {} }\n",
			"README.md": "# wires\n\n```java\njava.time.WireSpan d = WireSpan.formerWires(3);\n```\n\nUse `WireSpan.formerMinutes()`.\n"}, "WireSpan.formerMinutes"},
		"a role": {map[string]string{"setup.py": "setup(name='wires')\n", "wires/client.py": "class WireClient:\n    def open(self): pass\n", "wires/__init__.py": "",
			"README.rst": "wires\n=====\n\nIt is opened by :meth:`~wires.client.WireClient.open_in_background`.\n"}, "wires.client.WireClient.open_in_background"},
	} {
		got := reported(t, c.files)
		if len(got) == 0 || !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: %q are reported, want %q", name, got, c.want)
		}
	}
}
