package script

import (
	"context"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script/catalog"
)

// The values of Config.ProjectModules. A project's modules come with the project, and one that has
// the name of another is loaded in its place: it sees the variables that the other reads.
const (
	projectAlways = "always" // load them, and say so of those that replace another
	projectAsk    = "ask"    // ask a person first
	projectNever  = "never"  // load none
)

// usable are the places that scripts load modules from.
func (f *Feature) usable(in Requests) catalog.Places {
	p := f.places()
	if in.NoProject || f.cfg.ProjectModules == projectNever {
		p.WorkDir = ""
	}
	return p
}

// find returns the module that a script's require loads, once its loading is permitted.
func (f *Feature) find(ctx context.Context, in Requests, name string) (*catalog.Module, string, error) {
	m, src, err := f.usable(in).Find(name)
	if err != nil || m.Source != catalog.Project {
		return m, src, err
	}
	p := f.places()
	p.WorkDir = ""
	replaced, _, missing := p.Find(name) // an error: nobody would load it
	f.admitting.Lock()
	defer f.admitting.Unlock()
	admitted, known := f.admitted[m.Path]
	if !known {
		admitted = true
		switch {
		case f.cfg.ProjectModules == projectAsk:
			if admitted, err = f.askForModule(ctx, m); err != nil {
				return nil, "", err
			}
		case missing == nil:
			work.FromContext(ctx).Note("%s is loaded from %s of this project, in place of the %s one (--no-project-modules loads that)", m.Name, m.Path, replaced.Source)
		}
		if f.admitted == nil {
			f.admitted = map[string]bool{}
		}
		f.admitted[m.Path] = admitted
	}
	if !admitted {
		return nil, "", fault.New(fault.Unavailable, "%s of this project was not permitted", m.Path)
	}
	return m, src, nil
}

// askForModule asks the person whether a module of the project may be loaded.
func (f *Feature) askForModule(ctx context.Context, m *catalog.Module) (bool, error) {
	if f.cfg.Confirm == nil {
		return false, fault.New(fault.Unavailable, "%s is %s of this project, the setting lua.project_modules is ask, and nobody can be asked here; "+
			"give --no-project-modules, or set lua.project_modules to always (assay config set lua.project_modules always)", m.Name, m.Path)
	}
	return f.cfg.Confirm(ctx, "The script loads "+m.Name+" from "+m.Path+", which came with this project and can do whatever the script may.", "Load it?")
}
