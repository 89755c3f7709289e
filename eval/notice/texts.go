package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// texts returns the licence files of Go and of every module that the program is linked
// from, whole: what the archives of a release contain beside the binary.
func texts(root string, systems []target) ([]byte, error) {
	modules, err := linked(root, systems)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %v", err)
	}
	all := append([]module{{path: "go", version: runtime.Version(), dir: strings.TrimSpace(string(goroot))}}, modules...)
	for _, m := range all {
		names, err := licenceFiles(m.dir)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(m.dir, name))
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "======== %s %s: %s ========\n\n%s\n\n", m.path, m.version, name, bytes.TrimSpace(text))
		}
	}
	return b.Bytes(), nil
}

// spdx returns a bill of materials, as SPDX 2.3 defines its JSON
// (https://spdx.github.io/spdx-spec/v2.3/): the program, and the modules that it is
// linked from. It has no time of its own but that of the release, in RFC 3339.
func spdx(root string, systems []target, version, time string) ([]byte, error) {
	modules, err := linked(root, systems)
	if err != nil {
		return nil, err
	}
	type external struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	type pkg struct {
		ID        string     `json:"SPDXID"`
		Name      string     `json:"name"`
		Version   string     `json:"versionInfo"`
		Location  string     `json:"downloadLocation"`
		Analysed  bool       `json:"filesAnalyzed"`
		Concluded string     `json:"licenseConcluded"`
		Declared  string     `json:"licenseDeclared"`
		Copyright string     `json:"copyrightText"`
		Refs      []external `json:"externalRefs"`
	}
	type relation struct {
		From string `json:"spdxElementId"`
		Type string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
	const self = "github.com/assay-dev/assay"
	packages := []pkg{{ID: "SPDXRef-assay", Name: self, Version: version, Declared: "Apache-2.0", Concluded: "Apache-2.0"}}
	relations := []relation{{"SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-assay"}}
	for i, m := range modules {
		licences, err := declared(m)
		if err != nil {
			return nil, err
		}
		id := fmt.Sprintf("SPDXRef-module-%d", i+1)
		packages = append(packages, pkg{ID: id, Name: m.path, Version: m.version, Declared: licences, Concluded: licences})
		relations = append(relations, relation{"SPDXRef-assay", "DEPENDS_ON", id})
	}
	for i := range packages {
		p := &packages[i]
		p.Location, p.Copyright = "NOASSERTION", "NOASSERTION"
		p.Refs = []external{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + p.Name + "@" + p.Version}}
	}
	out, err := json.MarshalIndent(map[string]any{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "assay " + version,
		"documentNamespace": "https://" + self + "/sbom/" + version,
		"creationInfo":      map[string]any{"created": time, "creators": []string{"Tool: eval/notice"}},
		"packages":          packages, "relationships": relations,
	}, "", "  ")
	return append(out, '\n'), err
}

// declared returns the licence expression of a module.
func declared(m module) (string, error) {
	names, err := licenceFiles(m.dir)
	if err != nil {
		return "", err
	}
	var all []string
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil {
			return "", err
		}
		if upper := strings.ToUpper(name); !strings.HasPrefix(upper, "NOTICE") && !strings.Contains(upper, "3RD-PARTY") {
			all = appendNew(all, licencesOf(text)...)
		}
	}
	var known []string
	for _, l := range all {
		if !strings.Contains(l, " ") { // of the public domain SPDX has no name
			known = append(known, l)
		}
	}
	if len(known) == 0 {
		return "NOASSERTION", nil
	}
	return strings.Join(known, " AND "), nil
}
