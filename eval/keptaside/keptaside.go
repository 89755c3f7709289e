// Package keptaside knows the projects that judge ranking, structure and audits, and refuses
// them where evidence is collected or read: a weight that was fitted to one of them would be
// judged by what it has seen.
package keptaside

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed projects.txt
var list string

// Projects returns the projects that are kept aside, as OWNER/NAME.
func Projects() []string { return strings.Fields(list) }

var (
	// site tells the repository of a project's documentation or web site by its name.
	site = regexp.MustCompile(`^(docs?|documentation|guides?|book|blog|weblog|website|web|www|site)$|` +
		`[-_.](docs?|documentation|website|web|www|site|tutorials?|wiki)$|^(docs?|www|website)[-_.]|\.(com|org|io|dev|net|rs)$`)
	// elsewhere is sites that neither their owner nor their name tells.
	elsewhere = map[string]string{
		"bagder/everything-curl": "curl/curl", "curl/everything-curl": "curl/curl", "jetbrains/kotlin-web-site": "Kotlin/kotlinx.coroutines",
		"xarray-contrib/xarray-tutorial": "pydata/xarray",
	}
	// ordinary is the names of projects that others have too: they count with their owner alone.
	ordinary = []string{"cli", "task"}
)

// Check refuses a project that is kept aside, a copy of it under another owner, and the site
// that documents it. A project is named OWNER/NAME, OWNER+NAME, by an address, or by its name
// alone; what follows that after a space or a comma is no part of it.
func Check(project string) error {
	name := strings.ToLower(strings.TrimSpace(project))
	if _, rest, ok := strings.Cut(name, "://"); ok {
		name = rest
	}
	if at := strings.IndexAny(name, " ,"); at >= 0 {
		name = name[:at]
	}
	name = strings.TrimSuffix(strings.TrimRight(strings.ReplaceAll(name, "+", "/"), "/"), ".git")
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == ':' })
	if len(parts) == 0 {
		return nil
	}
	base, owner := parts[len(parts)-1], ""
	if len(parts) > 1 {
		owner = parts[len(parts)-2]
	}
	for _, kept := range Projects() {
		keptOwner, keptBase, _ := strings.Cut(strings.ToLower(kept), "/")
		switch {
		case base == keptBase && (owner == keptOwner || !slices.Contains(ordinary, base)):
			return refused(project, "is "+kept)
		case owner == keptOwner && site.MatchString(base) || elsewhere[owner+"/"+base] == kept:
			return refused(project, "is named as the site of "+kept)
		}
	}
	return nil
}

func refused(project, why string) error {
	return fmt.Errorf("%s %s, which is kept aside to judge what is fitted: nothing may be fitted to it or tried on it; take it out of the evidence", project, why)
}
