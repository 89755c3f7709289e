package notebook

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/docs/markup"
)

func show(p markup.Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title %s\n", p.Title)
	for _, k := range p.Blocks {
		fmt.Fprintf(&b, "%d %d %s#%s %s\n", k.Line, k.Kind, k.Lang, k.Anchor, strings.ReplaceAll(k.Text, "\n", "⏎"))
	}
	return b.String()
}

const book = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Object creation\n",
    "\n",
    "See *this*."
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "metadata": {},
   "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["\u001b[31mone\u001b[0m\n", "two\n"]},
    {"data": {"text/html": ["<b>x</b>"], "text/plain": ["   A\n", "0  1"]}, "output_type": "execute_result"},
    {"ename": "ValueError", "evalue": "no", "output_type": "error", "traceback": ["long"]}
   ],
   "source": "import pandas as pd\npd.DataFrame()"
  },
  {"cell_type": "code", "source": ["%%bash\n", "ls"], "outputs": [{"text": "LONG"}]},
  {"cell_type": "code", "source": []}
 ],
 "metadata": {"kernelspec": {"language": "python"}},
 "nbformat": 4
}`

func TestParse(t *testing.T) {
	want := `title Object creation
7 1 #Object-creation Object creation
9 0 # See this.
21 2 python# import pandas as pd⏎pd.DataFrame()
17 2 text# one⏎two
18 2 text#    A⏎0  1
19 2 text# ValueError: no
23 2 bash# %%bash⏎ls
`
	src := strings.Replace(book, "LONG", strings.Repeat("x", maxOutput+1), 1)
	if d := cmp.Diff(want, show(Parse([]byte(src), markup.Options{}))); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestVersion3(t *testing.T) {
	src := `{"worksheets":[{"cells":[{"cell_type":"code","input":"x","language":"python"}]}],"nbformat":3}`
	if got, want := show(Parse([]byte(src), markup.Options{})), "title \n1 2 python# x\n"; got != want {
		t.Errorf("Parse = %q, want %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(book)
	f.Add(`{"cells":[{"cell_type":"markdown","source":"<b>\n# x"}]}`)
	f.Add(strings.Repeat("[", 100))
	f.Fuzz(func(t *testing.T, src string) {
		n := 0
		for _, b := range Parse([]byte(src), markup.Options{}).Blocks {
			n += len(b.Text)
			if b.Line < 1 {
				t.Errorf("a block at line %d", b.Line)
			}
		}
		if n > 8*len(src)+1024 {
			t.Errorf("%d bytes became %d", len(src), n)
		}
	})
}
