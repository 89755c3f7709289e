package lua

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/script/template"
)

func (vm *VM) openTemplate() {
	vm.lib("template", map[string]builtin{"render": templateRender, "render_string": templateRenderString})
}

func templateRender(c call) int {
	p := c.Str(1)
	src, err := c.readFile(p)
	if err != nil {
		c.Fail("template.render: failed to read %q: %v", p, file.Bare(err))
	}
	return c.render(p, src, filepath.Dir(p))
}

func templateRenderString(c call) int { return c.render("<string>", c.Str(1), "") }

// render renders a template with the second argument as its variables. It may include what is in dir or below.
func (c call) render(name, src, dir string) int {
	vars := map[string]any{}
	if t, ok := c.asTable(2); ok {
		v, err := c.vm.run.toGo(t.Of())
		c.Check(c.name, err)
		if m, ok := v.(map[string]any); ok {
			vars = m
		}
	} else if !c.absent(2) {
		c.Fail("%s: second argument must be a table or nil", c.name)
	}
	vm := c.vm
	var out string
	above := vm.ceiling()
	var err error
	c.wait(func(ctx context.Context) {
		o := template.Options{Limit: int(vm.memory / 4), Poll: above.poll}
		if dir != "" {
			o.Load = func(name string) (string, error) {
				if !filepath.IsLocal(name) {
					return "", fs.ErrNotExist
				}
				s, err := vm.slurp(ctx, filepath.Join(dir, name))
				return s, file.Bare(err)
			}
		}
		out, err = template.Render(name, src, vars, o)
	})
	if err != nil {
		var bad *template.Error
		if errors.As(err, &bad) && name == "<string>" && bad.Name == name {
			c.Fail("%s: line %d: %s", c.name, bad.Line, bad.Message)
		}
		c.Fail("%s: %v", c.name, err)
	}
	return c.str(out)
}
