package lua

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/assay-dev/assay/internal/lua/template"
)

func (vm *VM) openTemplate() {
	vm.setGlobal("template", lib("template.", map[string]builtin{"render": templateRender, "render_string": templateRenderString}))
}

func templateRender(c call) int {
	p := c.str(1)
	src, err := c.readFile(p)
	if err != nil {
		c.fail("template.render: failed to read %q: %v", p, reason(err))
	}
	return c.render(p, src, filepath.Dir(p))
}

func templateRenderString(c call) int { return c.render("<string>", c.str(1), "") }

// render renders a template with the second argument as its variables. It may
// include what lies in dir or below.
func (c call) render(name, src, dir string) int {
	vars := map[string]any{}
	if t, ok := c.asTable(2); ok {
		v, err := c.run().toGo(t)
		if err != nil {
			c.fail("%s: %v", c.name, err)
		}
		if m, ok := v.(map[string]any); ok {
			vars = m
		}
	} else if !c.absent(2) {
		c.fail("%s: second argument must be a table or nil", c.name)
	}
	vm := c.vm()
	var out string
	var err error
	c.wait(func(ctx context.Context) {
		o := template.Options{Limit: int(vm.memory / 4), Poll: c.run().poll}
		if dir != "" {
			o.Load = func(name string) (string, error) {
				if !filepath.IsLocal(name) {
					return "", fs.ErrNotExist
				}
				s, err := vm.slurp(ctx, filepath.Join(dir, name))
				return s, reason(err)
			}
		}
		out, err = template.Render(name, src, vars, o)
	})
	if err != nil {
		var bad *template.Error
		if errors.As(err, &bad) && name == "<string>" && bad.Name == name {
			c.fail("%s: line %d: %s", c.name, bad.Line, bad.Message)
		}
		c.fail("%s: %v", c.name, err)
	}
	return c.ret(str(out))
}
