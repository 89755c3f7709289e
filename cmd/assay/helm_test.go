//go:build !slim

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/team"
)

// A chart is the one in packaging, read with as many of Helm's functions as it uses.
type chart struct {
	meta, values map[string]any
	all          *template.Template
	names        []string
}

func openChart(t *testing.T) *chart {
	t.Helper()
	dir := filepath.Join("..", "..", "packaging", "team", "helm")
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	c := &chart{all: template.New("")}
	for name, to := range map[string]*map[string]any{"Chart.yaml": &c.meta, "values.yaml": &c.values} {
		if err := yaml.Unmarshal(read(name), to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	indent := func(n int, s string) string {
		return strings.Repeat(" ", n) + strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", n))
	}
	c.all.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var b strings.Builder
			err := c.all.ExecuteTemplate(&b, name, data)
			return b.String(), err
		},
		"indent": indent, "nindent": func(n int, s string) string { return "\n" + indent(n, s) },
		"toYaml": func(v any) (string, error) {
			var b strings.Builder
			e := yaml.NewEncoder(&b)
			e.SetIndent(2)
			err := e.Encode(v)
			return strings.TrimSuffix(b.String(), "\n"), err
		},
		"quote": func(s any) string { return fmt.Sprintf("%q", fmt.Sprint(s)) },
		"default": func(other, v any) any {
			if v == nil || v == "" {
				return other
			}
			return v
		},
		"required": func(why string, v any) (any, error) {
			if v == nil || v == "" {
				return nil, errors.New(why)
			}
			return v, nil
		},
		"trunc":      func(n int, s string) string { return s[:min(n, len(s))] },
		"trimSuffix": func(suffix, s string) string { return strings.TrimSuffix(s, suffix) },
		"sha256sum":  func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) },
	})
	files, err := filepath.Glob(filepath.Join(dir, "templates", "*"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		if _, err := c.all.New(name).Parse(string(read("templates/" + name))); err != nil {
			t.Fatal(err)
		}
		c.names = append(c.names, name)
	}
	return c
}

// overlay is a values file over the defaults, as Helm merges them.
func overlay(base, over map[string]any) map[string]any {
	out := maps.Clone(base)
	for k, v := range over {
		if below, ok := v.(map[string]any); ok {
			if b, ok := out[k].(map[string]any); ok {
				v = overlay(b, below)
			}
		}
		out[k] = v
	}
	return out
}

// render returns the objects of a release by their kinds.
func (c *chart) render(t *testing.T, release, values string) (map[string]map[string]any, error) {
	t.Helper()
	var over map[string]any
	if err := yaml.Unmarshal([]byte(values), &over); err != nil {
		t.Fatal(err)
	}
	data := map[string]any{"Values": overlay(c.values, over), "Release": map[string]any{"Name": release, "Service": "Helm"},
		"Chart": map[string]any{"Name": c.meta["name"], "Version": c.meta["version"], "AppVersion": c.meta["appVersion"]}}
	out := map[string]map[string]any{}
	for _, name := range c.names {
		var b bytes.Buffer
		if err := c.all.ExecuteTemplate(&b, name, data); err != nil {
			return nil, err
		}
		if strings.Contains(b.String(), "<no value>") {
			t.Errorf("%s uses a value that is not there:\n%s", name, &b)
		}
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		d := yaml.NewDecoder(&b)
		for {
			var o map[string]any
			if err := d.Decode(&o); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if kind, _ := o["kind"].(string); o != nil {
				if kind == "" || o["apiVersion"] == "" || out[kind] != nil {
					t.Errorf("%s: an object of kind %q", name, kind)
				}
				out[kind] = o
			}
		}
	}
	return out, nil
}

// at goes down an object by keys and numbers.
func at(t *testing.T, o any, keys ...any) any {
	t.Helper()
	for _, k := range keys {
		switch k := k.(type) {
		case string:
			m, _ := o.(map[string]any)
			o = m[k]
		case int:
			l, _ := o.([]any)
			if k >= len(l) {
				return nil
			}
			o = l[k]
		}
	}
	return o
}

const full = `
hosts: [assay.example.org, assay]
tokensSecret: tokens
tlsSecret: tls
team: {teams: {red: {repos: [api], memory: true, rate: 600}, blue: {docs: [/docs/flask.db], daily: 100}}}
workspace: {repositories: [{path: /repos/api, exclude: [vendor]}]}
repos: {existingClaim: repos}
docs: {existingClaim: docs}
index: {url: "s3://indexes/team", endpoint: "https://minio:9000", region: eu-west-1, credentialsSecret: s3}
caConfigMap: ca
ingress: {enabled: true, tlsSecret: web, className: nginx, annotations: {a: b}}
networkPolicy: {enabled: true, from: [{podSelector: {matchLabels: {role: agent}}}]}
serviceMonitor: {enabled: true, tokenSecret: prometheus}
podAnnotations: {c: d}
nodeSelector: {disk: ssd}
tolerations: [{key: x, operator: Exists}]
affinity: {nodeAffinity: {}}
imagePullSecrets: [{name: pull}]
`

// Every object of the chart is one, with the fewest values and with all; what is mounted is a
// volume, and what the server is given are flags and a file that it takes.
func TestHelm(t *testing.T) {
	c := openChart(t)
	for name, tc := range map[string]struct {
		values string
		kinds  []string
	}{
		"few": {"hosts: [a.example.org]\ntokensSecret: tokens\nteam: {teams: {red: {memory: true}}}", []string{"ConfigMap", "Service", "StatefulSet"}},
		"all": {full, []string{"ConfigMap", "Ingress", "NetworkPolicy", "Service", "ServiceMonitor", "StatefulSet"}},
	} {
		all, err := c.render(t, "mine", tc.values)
		if got := slices.Sorted(maps.Keys(all)); err != nil || !slices.Equal(got, tc.kinds) {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
		for kind, o := range all {
			if got := at(t, o, "metadata", "name"); got != "mine-assay" {
				t.Errorf("%s: %s is called %v", name, kind, got)
			}
		}
		pod := at(t, all["StatefulSet"], "spec", "template", "spec")
		volumes := map[string]bool{}
		for _, list := range [][]any{list(at(t, pod, "volumes")), list(at(t, all["StatefulSet"], "spec", "volumeClaimTemplates"))} {
			for _, v := range list {
				n, _ := at(t, v, "name").(string)
				if m, ok := at(t, v, "metadata", "name").(string); ok {
					n = m
				}
				volumes[n] = true
			}
		}
		mounts := list(at(t, pod, "containers", 0, "volumeMounts"))
		for _, m := range mounts {
			if n, _ := at(t, m, "name").(string); !volumes[n] {
				t.Errorf("%s: %q is mounted and no volume", name, n)
			}
		}
		if len(mounts) != len(volumes) {
			t.Errorf("%s: %d mounts of %d volumes", name, len(mounts), len(volumes))
		}
		serves(t, name, all, pod)
	}
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// serves holds a release to what the server takes.
func serves(t *testing.T, name string, all map[string]map[string]any, pod any) {
	t.Helper()
	flag := regexp.MustCompile(`^--[a-z-]+$`)
	args := list(at(t, pod, "containers", 0, "args"))
	for _, a := range args {
		s, _ := a.(string)
		if flag.MatchString(s) && !strings.Contains(mcp.Usage, "  "+s+" ") {
			t.Errorf("%s: serve has no %s", name, s)
		}
	}
	if len(args) < 9 || args[0] != "serve" || args[6] != "8443" {
		t.Errorf("%s: it is started with %v", name, args)
	}
	dir := t.TempDir()
	for _, f := range []string{"team.yaml", "work.yaml"} {
		text, _ := at(t, all["ConfigMap"], "data", f).(string)
		if err := os.WriteFile(filepath.Join(dir, f), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := team.Load(filepath.Join(dir, "team.yaml"))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if (cfg.TLS == nil) != cfg.Plain || cfg.Data != "/data" || cfg.Teams["red"] == nil || cfg.AccessLog != "-" {
		t.Errorf("%s: team.yaml says %+v", name, cfg)
	}
	scheme := map[bool]any{true: "HTTP", false: "HTTPS"}[cfg.Plain]
	for _, probe := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		if got := at(t, pod, "containers", 0, probe, "httpGet", "scheme"); got != scheme {
			t.Errorf("%s: %s asks by %v, want %v", name, probe, got, scheme)
		}
	}
	security := at(t, pod, "containers", 0, "securityContext")
	if at(t, security, "readOnlyRootFilesystem") != true || at(t, security, "allowPrivilegeEscalation") != false || at(t, pod, "securityContext", "runAsNonRoot") != true {
		t.Errorf("%s: it runs with %v", name, security)
	}
	if stop, _ := at(t, pod, "terminationGracePeriodSeconds").(int); stop < 30+5 {
		t.Errorf("%s: it has %d seconds to end", name, stop)
	}
}

// What cannot work is refused before anything is installed, and says why.
func TestHelmRefuses(t *testing.T) {
	c := openChart(t)
	for values, want := range map[string]string{
		"tokensSecret: x": "hosts",
		"hosts: [a]":      "tokensSecret",
		"{hosts: [a], tokensSecret: x, ingress: {enabled: true}}":        "ingress.tlsSecret",
		"{hosts: [a], tokensSecret: x, serviceMonitor: {enabled: true}}": "serviceMonitor.tokenSecret",
	} {
		if _, err := c.render(t, "assay", values); err == nil || !strings.Contains(err.Error(), want+":") {
			t.Errorf("%s: %v, want an error about %s", values, err, want)
		}
	}
}

// The schema of the values knows each of them.
func TestHelmSchema(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "packaging", "team", "helm", "values.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := yaml.Unmarshal(b, &schema); err != nil { // JSON is YAML
		t.Fatal(err)
	}
	var walk func(path string, values, schema map[string]any)
	walk = func(path string, values, schema map[string]any) {
		known, _ := schema["properties"].(map[string]any)
		for k, v := range values {
			s, ok := known[k].(map[string]any)
			if !ok {
				t.Errorf("the schema does not know %s%s", path, k)
				continue
			}
			if below, ok := v.(map[string]any); ok && s["properties"] != nil {
				walk(path+k+".", below, s)
			}
		}
	}
	c := openChart(t)
	walk("", c.values, schema)
	var all map[string]any
	if err := yaml.Unmarshal([]byte(full), &all); err != nil {
		t.Fatal(err)
	}
	walk("", all, schema)
}
