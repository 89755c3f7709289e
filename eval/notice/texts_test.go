package main

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

// TestBillOfMaterials holds that every module of NOTICE is in the bill of materials with a
// licence, and its licence's text among the texts.
func TestBillOfMaterials(t *testing.T) {
	host := []target{{runtime.GOOS, runtime.GOARCH}}
	modules, err := linked(root, host)
	if err != nil {
		t.Fatal(err)
	}
	out, err := spdx(root, host, "1.2.3", "2026-01-02T03:04:05Z")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		SPDXVersion string `json:"spdxVersion"`
		Packages    []struct{ Name, VersionInfo, LicenseDeclared string }
		Relations   []struct{ RelatedSPDXElement string } `json:"relationships"`
	}
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatal(err)
	}
	if v.SPDXVersion != "SPDX-2.3" || len(v.Packages) != len(modules)+1 || len(v.Relations) != len(v.Packages) || v.Packages[0].VersionInfo != "1.2.3" {
		t.Errorf("%d packages of %d modules, %d relations", len(v.Packages), len(modules), len(v.Relations))
	}
	text, err := texts(root, host)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range v.Packages[1:] {
		if p.LicenseDeclared == "NOASSERTION" {
			t.Errorf("%s has no licence", p.Name)
		}
		if !strings.Contains(string(text), "======== "+p.Name+" "+p.VersionInfo+": ") {
			t.Errorf("%s has no licence text", p.Name)
		}
	}
}
