package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script/catalog"
	"github.com/assay-dev/assay/internal/script/lua"
)

// Context finds the modules that help with a query. What matches nothing is an answer too.
func (f *Feature) Context(ctx context.Context, in ContextInput) (*catalog.ModulesAnswer, error) {
	query := strings.TrimSpace(strings.Join(append([]string{in.Query}, in.More...), " "))
	var c *catalog.Catalog
	var err error
	if query == "" {
		c, err = f.usable(Requests{}).Discover(ctx)
	} else {
		c, err = f.usable(Requests{}).Skim(ctx, query)
	}
	if err != nil {
		return nil, err
	}
	tell(ctx, c)
	limit := in.Limit
	if limit <= 0 && query != "" {
		limit = 5
	}
	guesses := strings.TrimSpace(strings.Join(in.Words, " "))
	if query == "" { // all modules are listed
		guesses = ""
	}
	a, err := f.askModules(ctx, c, query, guesses, limit)
	if err != nil {
		return nil, err
	}
	a.Explained = in.Explain
	for i := range a.Entries {
		if !in.Explain {
			a.Entries[i].Explain = nil
		}
	}
	return a, nil
}

// askModules asks for modules, and for those that the caller's guesses find beside them.
func (f *Feature) askModules(ctx context.Context, c *catalog.Catalog, query, guesses string, limit int) (*catalog.ModulesAnswer, error) {
	if guesses == "" {
		return c.Ask(ctx, query, limit)
	}
	a, err := c.Ask(ctx, query, mostListed)
	if err != nil {
		return nil, err
	}
	other, err := f.places().Skim(ctx, guesses)
	if err != nil {
		return nil, err
	}
	guessed, err := other.Ask(ctx, guesses, mostListed)
	if err != nil {
		return nil, err
	}
	return a.Beside(guessed, limit), nil
}

// A ModuleInfo is a module as a list has it.
type ModuleInfo struct {
	Name        string   `json:"name"`
	Source      string   `json:"source"` // project, global, built-in or library
	Path        string   `json:"path,omitempty"`
	Description string   `json:"description"`
	Keywords    []string `json:"keywords,omitempty"`
	Env         []string `json:"env,omitempty"`
	Functions   []string `json:"functions,omitempty"`
	Shadowed    bool     `json:"shadowed,omitempty"` // another source has one of this name, which is loaded instead
	Replaces    string   `json:"replaces,omitempty"` // the source of the one of this name that it is loaded in place of
}

// A ModuleList is what modules there are, by source and name.
type ModuleList struct {
	Modules []ModuleInfo   `json:"modules"`
	Count   map[string]int `json:"count"` // by source
}

// Modules lists the modules of all sources, or of one.
func (f *Feature) Modules(ctx context.Context, in ModulesInput) (*ModuleList, error) {
	c, err := f.usable(Requests{}).Discover(ctx)
	tell(ctx, c)
	if err != nil {
		return nil, err
	}
	if f.cfg.ProjectModules == projectNever {
		work.FromContext(ctx).Note("modules of this project are left out: the setting lua.project_modules is never")
	}
	list := &ModuleList{Modules: infos(c, in.Source), Count: map[string]int{}}
	for _, m := range list.Modules {
		list.Count[m.Source]++
	}
	return list, nil
}

// infos returns the modules of a source, or of all.
func infos(c *catalog.Catalog, source string) []ModuleInfo {
	out := []ModuleInfo{}
	replaced := map[string]string{}
	for i := range c.Modules {
		if m := &c.Modules[i]; m.Shadowed && replaced[m.Name] == "" {
			replaced[m.Name] = m.Source.String()
		}
	}
	for i := range c.Modules {
		m := &c.Modules[i]
		if source != "" && m.Source.String() != source {
			continue
		}
		meta := m.Meta()
		info := ModuleInfo{Name: m.Name, Source: m.Source.String(), Description: meta.Description, Keywords: meta.Keywords, Env: meta.Env, Shadowed: m.Shadowed}
		if !m.Shadowed {
			info.Replaces = replaced[m.Name]
		}
		if m.Source != catalog.BuiltIn {
			info.Path = m.Path
		}
		for _, fn := range meta.Functions {
			if !fn.Helper() {
				info.Functions = append(info.Functions, fn.Name)
			}
		}
		out = append(out, info)
	}
	return out
}

const (
	shownDescription = 80 // characters
	ruleWidth        = 80
	beforeIt         = 40 // columns
)

// WriteText writes a table.
func (l *ModuleList) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-30s%-10s%s\n%s\n", "MODULE", "SOURCE", "DESCRIPTION", strings.Repeat("-", ruleWidth))
	var counts []string
	shown := shownDescription
	if columns := render.Columns(w); columns > 0 {
		shown = max(columns-beforeIt, beforeIt/2)
	}
	for i, m := range l.Modules {
		about := m.Description
		if m.Shadowed {
			about = strings.TrimSpace("(shadowed) " + about)
		} else if m.Replaces != "" {
			about = strings.TrimSpace("(replaces the " + m.Replaces + " one) " + about)
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("%-29s %-9s %s", m.Name, m.Source, text.Clip(text.Line(about), shown)), " "))
		if i+1 == len(l.Modules) || l.Modules[i+1].Source != m.Source {
			counts = append(counts, fmt.Sprintf("%d %s", l.Count[m.Source], m.Source))
		}
	}
	fmt.Fprint(&b, text.Counted("\n%d module{s}", len(l.Modules)))
	if len(counts) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(counts, ", "))
	}
	b.WriteByte('\n')
	return fault.Only(io.WriteString(w, b.String()))
}

func (l *ModuleList) WriteLines(w io.Writer) error {
	return codec.WriteLines(w, l.Modules)
}

// A LintReport says what is wrong with modules.
type LintReport struct {
	Modules int             `json:"modules"` // that were looked at
	Aliases int             `json:"aliases"` // of them
	Faults  []catalog.Fault `json:"faults"`
}

// Lint checks modules: all, or those of some names and files.
func (f *Feature) Lint(ctx context.Context, in LintInput) (*LintReport, error) {
	c, err := f.catalog(ctx)
	if err != nil {
		return nil, err
	}
	places := f.places()
	r := &LintReport{Faults: []catalog.Fault{}}
	look := func(m *catalog.Module, src string) {
		r.Modules++
		if catalog.Parse(src).Alias != "" {
			r.Aliases++
		}
		r.Faults = append(r.Faults, c.Lint(m, src, lua.Check)...)
	}
	if len(in.Modules) == 0 {
		for i := range c.Modules {
			src, err := places.Code(&c.Modules[i])
			if err != nil {
				return nil, fault.New(fault.Unavailable, "%v", err)
			}
			look(&c.Modules[i], src)
		}
		for _, err := range c.Skipped {
			r.Faults = append(r.Faults, catalog.Fault{Rule: "file", Text: err.Error()})
		}
		return r, ctx.Err()
	}
	for _, name := range in.Modules {
		m, src, err := f.lintTarget(places, name)
		if err != nil {
			return nil, err
		}
		look(m, src)
	}
	return r, ctx.Err()
}

// lintTarget returns the module that a name or a path means.
func (f *Feature) lintTarget(places catalog.Places, name string) (*catalog.Module, string, error) {
	if strings.HasSuffix(name, ".lua") {
		src, err := f.read(name)
		if err != nil {
			return nil, "", fault.New(fault.NotFound, "reading %s", name).Because(err)
		}
		stem := strings.TrimSuffix(filepath.Base(name), ".lua")
		return &catalog.Module{Name: "assay." + stem, Source: catalog.Project, Path: name}, string(src), nil
	}
	m, src, err := places.Find(name)
	switch {
	case errors.Is(err, catalog.ErrNotFound):
		return nil, "", fault.New(fault.NotFound, "no module %s", name).Try("modules")
	case err != nil:
		return nil, "", fault.New(fault.Unavailable, "%v", err)
	}
	return m, src, nil
}

// WriteText writes a line for each fault, and how many there are.
func (r *LintReport) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	for _, f := range r.Faults {
		if f.Path == "" {
			fmt.Fprintln(&b, f.Text)
			continue
		}
		fmt.Fprintln(&b, f)
	}
	fmt.Fprintf(&b, "%d modules, %d of them aliases: %d faults\n", r.Modules, r.Aliases, len(r.Faults))
	return fault.Only(io.WriteString(w, b.String()))
}

// Verdict returns nil where there is no fault, and else an error for when the report has been written.
func (r *LintReport) Verdict() error {
	if len(r.Faults) == 0 {
		return nil
	}
	return fault.New(fault.Negative, "%d faults in %d modules", len(r.Faults), r.Modules)
}
