package pydoc

import "testing"

func TestFields(t *testing.T) {
	for _, c := range []struct{ in, rst, md string }{
		{"Does it.\n\nArgs:\n  seconds (float): The timeout.\n  shield (bool): Initial value\n      of the scope.\n\nRaises:\n  TooSlowError: if late\n    and caught.\n\nReturns:\n  The scope.\n",
			"Does it.\n\n:param float seconds: The timeout.\n:param bool shield: Initial value\n   of the scope.\n\n\n:raises TooSlowError: if late\n   and caught.\n\n\n:returns: The scope.",
			"Does it.\n\n- `seconds` (float): The timeout.\n- `shield` (bool): Initial value\n  of the scope.\n\n\n- Raises `TooSlowError`: if late\n  and caught.\n\n\n- Returns: The scope."},
		{"Args:\n    x: the one\n    y (Dict[str, Tuple[int, ...]]): other", ":param x: the one\n:param Dict[str, Tuple[int, ...]] y: other", "- `x`: the one\n- `y` (Dict[str, Tuple[int, ...]]): other"},
		{"Note:\n  stays\n\nArgs:\n  as prose is written", "Note:\n  stays\n\nArgs:\n  as prose is written", "Note:\n  stays\n\nArgs:\n  as prose is written"},
		{"Args:\nnot indented", "Args:\nnot indented", "Args:\nnot indented"},
	} {
		if got := Fields(c.in, false); got != c.rst {
			t.Errorf("Fields(%q)\n%s\nwant\n%s", c.in, got, c.rst)
		}
		if got := Fields(c.in, true); got != c.md {
			t.Errorf("Fields(%q) of Markdown\n%s\nwant\n%s", c.in, got, c.md)
		}
	}
}
