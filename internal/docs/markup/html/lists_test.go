package html

import (
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// What Javadoc sets as a table, Doxygen's lines of code, and titles: of pages as Doxygen has them, of
// blocks as Asciidoctor does.
func TestListings(t *testing.T) {
	for src, want := range map[string]string{
		`<main><h1>C</h1><div class="summary-table three-column-summary"><div class="table-header col-first">Type</div>
<div class="table-header col-second">Method</div><div class="table-header col-last">Description</div>
<div class="col-first even"><code>int</code></div><div class="col-second even"><code><a href="#x">size</a>()</code></div><div class="col-last even"><div class="block">How many.</div></div>
<div class="col-first odd"><code>void</code></div><div class="col-second odd"><code>clear()</code></div><div class="col-last odd">&nbsp;</div></div></main>`: "Type | Method | Description\n`int` | `size()` | How many.\n`void` | `clear()`",
		`<main><h1>C</h1><div class="summary-table two-column-summary"><div class="table-header col-first">Constructor</div><div class="table-header col-last">Description</div>
<div class="col-constructor-name even"><code>C()</code></div><div class="col-last even">Makes one.</div></div></main>`: "Constructor | Description\n`C()` | Makes one.",
		"<main><h1>C</h1><div class=\"fragment\"><div class=\"line\">a {</div>\n<div class=\"line\"> </div>\n<div class=\"line\">}</div>\n</div></main>": "a {\n\n}",
	} {
		page := Parse([]byte(src), markup.Options{})
		if n := len(page.Blocks); n != 2 || page.Blocks[1].Text != want {
			t.Errorf("%s\n%+v, want %q", src, page.Blocks, want)
		}
	}
	for src, want := range map[string]string{
		`<div class="header"><div class="headertitle"><div class="title">Executor</div></div></div><div class="contents"><p>Text.</p></div>`: "Executor",
		`<h1>Options</h1><div class="listingblock"><div class="title">/tmp/parameters</div><div class="content"><pre>-v</pre></div></div>`:   "Options",
		`<title>T</title><div class="listingblock"><div class="title">/tmp/parameters</div><div class="content"><pre>-v</pre></div></div>`:   "T",
	} {
		if page := Parse([]byte(src), markup.Options{}); page.Title != want {
			t.Errorf("the title of %s is %q, want %q", src, page.Title, want)
		}
	}
}
