package markup

import "testing"

func TestIsInvisible(t *testing.T) {
	for _, c := range []struct {
		name, style, class, role string
		hidden, want             bool
	}{
		{name: "display", style: "color: red; display : none", want: true},
		{name: "JSX", style: "{ display: 'none' }", want: true},
		{name: "visibility", style: "visibility:hidden", want: true},
		{name: "no size", style: "font-size: 0px;color:white", want: true},
		{name: "no opacity", style: "opacity:0", want: true},
		{name: "out of sight", style: "position:absolute; left:-9999px", want: true},
		{name: "attribute", hidden: true, want: true},
		{name: "panel of tabs", style: "display:none", role: "tabpanel"},
		{name: "panel of tabs by its class", class: "sphinx-tabs-panel", hidden: true},
		{name: "panel without a size", style: "font-size:0", role: "tabpanel", want: true},
		{name: "small", style: "font-size:0.8em; opacity:0.5; left:-10px"},
		{name: "block", style: "display:block"},
		{name: "nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := IsInvisible(c.style, c.class, c.role, c.hidden); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
