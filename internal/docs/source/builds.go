package source

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// What a project of Maven or Gradle asks for, and the versions, which are often written elsewhere: as a property, in a
// catalog, in what manages the versions of several modules.

var (
	xmlComment   = lazy.Regexp(`(?s)<!--.*?-->`)
	mavenDepends = lazy.Regexp(`(?s)<dependency>(.*?)</dependency>`)
	mavenExclude = lazy.Regexp(`(?s)<exclusions>.*?</exclusions>`)
	mavenPart    = lazy.Regexp(`<(groupId|artifactId|version|type|scope)>\s*([^<\s]+)\s*</`)
	mavenValue   = lazy.Regexp(`<([\w.-]+)>\s*([^<>]*?)\s*</([\w.-]+)>`)
	property     = lazy.Regexp(`\$\{?([\w.-]*\w)\}?`)

	plainName     = lazy.Regexp(`^[\w.+-]+$`)
	gradleName    = lazy.Regexp(`["']([\w.-]+):([\w.-]+)(?::([\w.$\{\}+-]+|[\[(][\w., -]+[\])]))?(?:@\w+)?["']`)
	gradleGroup   = lazy.Regexp(`group\s*[=:]\s*["']([\w.-]+)["']\s*,\s*name\s*[=:]\s*["']([\w.-]+)["'](?:\s*,\s*version\s*[=:]\s*["']([\w.$\{\}-]+)["'])?`)
	gradleModule  = lazy.Regexp(`module\s*=\s*["']([\w.-]+):([\w.-]+)["']`)
	gradleRef     = lazy.Regexp(`version\.ref\s*=\s*["']([\w.-]+)["']`)
	gradleVersion = lazy.Regexp(`\bversion\s*=\s*["']([\w.-]+)["']`)
	gradleValue   = lazy.Regexp(`(?m)^\s*(?:def|val|const val|ext\.|project\.ext\.|set\()?\s*["']?([\w.]+)["']?\s*[=,]\s*["']?(\d[\w.-]*)["']?\)?\s*$`)
	gradleLocked  = lazy.Regexp(`(?m)^([\w.-]+):([\w.-]+):([\w.-]+)=`)
)

// A build is what the manifests of one builder ask for.
type build struct {
	versions map[string]string // of "group:artifact"; "" where it is not known
	values   map[string]string // of properties
}

// maxValue bounds the value of a property in bytes: no version is longer.
const maxValue = 200

// set keeps the first value of a property.
func (b *build) set(name, value string) {
	if b.values[name] == "" && len(value) <= maxValue {
		b.values[name] = value
	}
}

// ask adds an artifact; a version that is known stays.
func (b *build) ask(group, artifact, version string) {
	group, version = b.filled(group), b.filled(version)
	name := group + ":" + artifact
	if had, ok := b.versions[name]; !ok || had == "" {
		b.versions[name] = version
	}
}

// filled puts the values of properties in; "" where one has none, or they are longer than any version.
func (b *build) filled(s string) string {
	for range 4 { // a property may have others in it
		if len(s) > maxValue {
			return ""
		}
		if !strings.Contains(s, "$") {
			return s
		}
		n := 0
		s = property.ReplaceAllStringFunc(s, func(p string) string {
			value := b.values[strings.Trim(p, "${}")]
			if n += len(value); n > maxValue {
				return ""
			}
			return value
		})
		if n > maxValue {
			return ""
		}
	}
	return ""
}

// maven reads the artifacts that a project of Maven asks for, those of its modules too.
func (p *project) maven() {
	b := &build{versions: map[string]string{}, values: map[string]string{}}
	managed, modules := map[string]string{}, map[string]bool{}
	var poms []string
	for _, file := range p.members("pom.xml", "*/pom.xml") {
		poms = append(poms, xmlComment.ReplaceAllString(string(p.small(file)), ""))
	}
	for _, pom := range poms {
		for _, m := range mavenValue.FindAllStringSubmatch(pom, -1) {
			if m[1] == m[3] {
				b.set(m[1], m[2])
			}
		}
		own := map[string]string{}
		for _, m := range mavenPart.FindAllStringSubmatch(withoutOthers(pom), -1) {
			if own[m[1]] == "" {
				own[m[1]] = m[2]
			}
		}
		modules[own["artifactId"]] = true
		for _, key := range []string{"groupId", "version"} { // of the first, since modules share them
			b.values["project."+key] = b.values[key]
		}
	}
	for _, pom := range poms {
		before, list, _ := strings.Cut(pom, "<dependencyManagement>")
		list, after, _ := strings.Cut(list, "</dependencyManagement>")
		for _, m := range mavenParts(list) {
			managed[b.filled(m["groupId"])+":"+m["artifactId"]] = m["version"]
		}
		for _, m := range mavenParts(before + after) {
			if m["type"] != "pom" && !modules[m["artifactId"]] {
				b.ask(m["groupId"], m["artifactId"], m["version"])
			}
		}
	}
	for name, version := range b.versions {
		if version == "" {
			b.versions[name] = b.filled(managed[name])
		}
	}
	p.artifacts(b, "pom.xml")
}

// withoutOthers removes from a pom what it says of other projects. One expression of all these would look for the end of what has
// none again after each that has.
func withoutOthers(pom string) string {
	for _, name := range []string{"parent", "dependencyManagement", "dependencies", "dependency", "build", "profiles"} {
		var b strings.Builder
		rest := pom
		for {
			before, after, ok := strings.Cut(rest, "<"+name+">")
			_, end, closed := strings.Cut(after, "</"+name+">")
			if !ok || !closed {
				break
			}
			b.WriteString(before)
			rest = end
		}
		pom = b.String() + rest
	}
	return pom
}

// mavenParts returns what the dependencies of a list are called.
func mavenParts(list string) (out []map[string]string) {
	for _, d := range mavenDepends.FindAllStringSubmatch(list, -1) {
		parts := map[string]string{}
		for _, m := range mavenPart.FindAllStringSubmatch(mavenExclude.ReplaceAllString(d[1], ""), -1) {
			parts[m[1]] = m[2]
		}
		out = append(out, parts)
	}
	return out
}

// gradle reads the artifacts that a project of Gradle asks for, its parts too: from its scripts and its catalog of versions,
// and what it has locked.
func (p *project) gradle() {
	b := &build{versions: map[string]string{}, values: map[string]string{}}
	var scripts []string
	for _, file := range p.members("gradle.properties", "build.gradle", "build.gradle.kts", "*/build.gradle", "*/build.gradle.kts") {
		text := string(p.small(file))
		for _, m := range gradleValue.FindAllStringSubmatch(text, -1) {
			b.set(m[1], m[2])
			b.set(m[1][strings.LastIndexByte(m[1], '.')+1:], m[2])
		}
		if !strings.HasSuffix(file, ".properties") {
			scripts = append(scripts, text)
		}
	}
	p.catalog(b)
	for _, text := range scripts {
		for _, m := range gradleName.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], ".") || m[3] != "" && strings.Trim(m[3], "0123456789") != m[3] {
				b.ask(m[1], m[2], m[3])
			}
		}
		for _, m := range gradleGroup.FindAllStringSubmatch(text, -1) {
			b.ask(m[1], m[2], m[3])
		}
	}
	if len(b.versions) == 0 {
		return
	}
	locked := gradleLocked.FindAllStringSubmatch(string(p.read("gradle.lockfile")), -1)
	for _, m := range locked {
		if _, ok := b.versions[m[1]+":"+m[2]]; ok {
			b.versions[m[1]+":"+m[2]] = m[3]
		}
	}
	from := "the build of Gradle"
	if len(locked) > 0 {
		from = "gradle.lockfile"
	}
	p.artifacts(b, from)
}

// catalog reads the catalog of versions that the parts of a project of Gradle share.
func (p *project) catalog(b *build) {
	all := map[string]string{}
	for header, body := range tables(string(p.small("gradle/libs.versions.toml"))) {
		for line := range strings.SplitSeq(body, "\n") {
			key, value, ok := strings.Cut(line, "=")
			key, value = strings.Trim(key, " \t\"'"), strings.TrimSpace(value)
			if !ok || strings.HasPrefix(key, "#") {
				continue
			}
			if header == "versions" {
				if m := gradleVersion.FindStringSubmatch("version=" + value); m != nil {
					all[key] = m[1]
				}
				continue
			}
			version := ""
			if m := gradleRef.FindStringSubmatch(value); m != nil {
				version = all[m[1]]
			} else if m := gradleVersion.FindStringSubmatch(value); m != nil {
				version = m[1]
			}
			switch m := gradleModule.FindStringSubmatch(value); {
			case header != "libraries":
			case m != nil:
				b.ask(m[1], m[2], version)
			default:
				if m := gradleGroup.FindStringSubmatch(value); m != nil {
					b.ask(m[1], m[2], version)
				} else if m := gradleName.FindStringSubmatch(value); m != nil {
					b.ask(m[1], m[2], m[3])
				}
			}
		}
	}
}

// buildRange returns the range that a build file asks for: "1.+" of Gradle is "1.x", "latest.release" is none.
func buildRange(asked string) string {
	if at, ok := strings.CutSuffix(asked, ".+"); ok {
		return at + ".x"
	}
	if asked == "" || !isDigit(asked[0]) && asked[0] != '[' && asked[0] != '(' {
		return ""
	}
	return asked
}

// artifacts adds those of a build whose sources were fetched too. from is the name of its file.
func (p *project) artifacts(b *build, from string) {
	for _, name := range slices.Sorted(maps.Keys(b.versions)) {
		group, artifact, _ := strings.Cut(name, ":")
		version := b.versions[name]
		if !plainName.MatchString(group) || !plainName.MatchString(artifact) {
			continue
		}
		asked := ""
		if !plainName.MatchString(version) || strings.HasSuffix(version, "+") || !isDigit(version[0]) {
			asked, version = buildRange(version), ""
		}
		jar := artifact + "-" + version + "-sources.jar"
		pkg := called("maven", name, version, from)
		pkg.asks(asked, from)
		p.find(pkg, "its sources are not here: mvn dependency:sources fetches them",
			place{p.places.Maven, strings.ReplaceAll(group, ".", "/") + "/" + artifact + "/" + version + "/" + jar},
			place{p.places.Gradle, "caches/modules-2/files-2.1/" + group + "/" + artifact + "/" + version + "/*/" + jar})
	}
}
