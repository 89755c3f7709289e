// Package integrity checks the files of an agent framework against the checksums that
// came with them, before anything is built on them.
//
// It reads only what lies below the project, and changes nothing. What cannot be read
// counts as changed, never as sound.
package integrity

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/safe"
)

// A Mode says what a finding leads to.
type Mode string

// The modes of enforcement.
const (
	Strict   Mode = "strict" // stop
	Warn     Mode = "warn"   // say so and go on
	Disabled Mode = "disabled"
)

const (
	configFile  = ".loa.config.yaml"
	versionFile = ".loa-version.json"
	sumsFile    = ".claude/checksums.json"
	maxConfig   = 1 << 20
	maxSums     = 16 << 20
	maxHashed   = 1 << 30
)

// A Finding is something that is not as it was delivered.
type Finding struct {
	Path string `json:"path"`
	What string `json:"what"` // changed, missing, unreadable, malformed, version, fingerprint
	Why  string `json:"why"`
}

// A Report is what a check found.
type Report struct {
	Mode     Mode      `json:"mode"`
	Set      bool      `json:"mode_is_set"` // the project's configuration says so
	Files    int       `json:"files"`       // that were compared
	Findings []Finding `json:"findings"`
}

// Stops reports whether nothing may be built on the project as it is.
func (r *Report) Stops() bool { return r.Mode == Strict && len(r.Findings) > 0 }

// Options say what runs the check: for the pins of a project.
type Options struct {
	Version string // of this program: "1.2.3", or what is no version
	CK      string // the release of ck that it stands in for
	Binary  string // its file; "" where it is not known
	Known   *Sums  // of an earlier check; nil: none
}

// Sums are the hashes of files, good as long as their sizes and times are the same. It
// is safe for concurrent use.
type Sums struct {
	mu sync.Mutex
	of map[string]stamped // by absolute path
}

type stamped struct {
	size int64
	time time.Time
	sum  string
}

// sum returns the hash of a file below a folder.
func (s *Sums) sum(at *safe.Root, name string) (string, error) {
	if s == nil {
		return hash(at, name)
	}
	st, err := stat(at, name)
	if err != nil {
		return "", err
	}
	key := filepath.Join(at.Name(), name)
	s.mu.Lock()
	was, ok := s.of[key]
	s.mu.Unlock()
	if ok && was.size == st.Size() && was.time.Equal(st.ModTime()) {
		return was.sum, nil
	}
	sum, err := hash(at, name)
	if err == nil {
		s.mu.Lock()
		if s.of == nil {
			s.of = map[string]stamped{}
		}
		s.of[key] = stamped{st.Size(), st.ModTime(), sum}
		s.mu.Unlock()
	}
	return sum, err
}

// ModeOf returns the mode that a project asks for. Without a manifest of checksums
// there is nothing to enforce.
func ModeOf(root string) (mode Mode, set bool, err error) {
	at, err := safe.OpenRoot(root)
	if err != nil {
		return Warn, false, err
	}
	defer at.Close()
	return modeOf(at)
}

func modeOf(at *safe.Root) (Mode, bool, error) {
	mode, set := Warn, false
	data, err := read(at, configFile, maxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Warn, false, fmt.Errorf("%s: %w", configFile, err)
	default:
		var c struct {
			Enforcement yaml.Node `yaml:"integrity_enforcement"`
		}
		if err := yaml.Unmarshal(data, &c); err != nil {
			return Warn, false, fmt.Errorf("%s: %w", configFile, err)
		}
		switch m := Mode(strings.ToLower(c.Enforcement.Value)); m {
		case "":
			if k := c.Enforcement.Kind; k == yaml.SequenceNode || k == yaml.MappingNode {
				return Warn, false, fmt.Errorf("%s: line %d: integrity_enforcement is not a single word", configFile, c.Enforcement.Line)
			}
		case Strict, Warn, Disabled:
			mode, set = m, true
		default:
			return Warn, false, fmt.Errorf("%s: line %d: integrity_enforcement: %q is not strict, warn or disabled", configFile, c.Enforcement.Line, c.Enforcement.Value)
		}
	}
	if !set {
		if _, err := stat(at, sumsFile); errors.Is(err, fs.ErrNotExist) {
			mode = Disabled
		}
	}
	return mode, set, nil
}

// Check compares a project with what it says of itself. A file that cannot be read is
// a finding, and keeps none of the others from being looked at; an error is about the
// project's folder.
func Check(root string, o Options) (*Report, error) {
	at, err := safe.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	mode, set, err := modeOf(at)
	r := &Report{Mode: mode, Set: set, Findings: []Finding{}}
	if err != nil {
		r.add(configFile, "malformed", "%s", strings.TrimPrefix(err.Error(), configFile+": "))
	}
	if mode == Disabled {
		return r, nil
	}
	r.sums(at, o.Known)
	r.pins(at, o)
	return r, nil
}

func (r *Report) add(path, what, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{path, what, fmt.Sprintf(format, args...)})
}

// sums compares the files of the manifest.
func (r *Report) sums(at *safe.Root, known *Sums) {
	data, err := read(at, sumsFile, maxSums)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var m struct {
		Algorithm string            `json:"algorithm"`
		Files     map[string]string `json:"files"`
	}
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err == nil && m.Algorithm != "" && !strings.EqualFold(strings.ReplaceAll(m.Algorithm, "-", ""), "sha256") {
		err = fmt.Errorf("the algorithm %q is not sha256", m.Algorithm)
	}
	if err != nil {
		r.add(sumsFile, "malformed", "%s", place(data, err))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m.Files)) {
		r.Files++
		path := filepath.FromSlash(strings.TrimPrefix(name, "./"))
		if !filepath.IsLocal(path) {
			r.add(name, "malformed", "%s: line %d: the path leads out of the project", sumsFile, lineOf(data, name))
			continue
		}
		want := strings.TrimPrefix(m.Files[name], "sha256:")
		if _, err := hex.DecodeString(want); err != nil || len(want) != 2*sha256.Size {
			r.add(name, "malformed", "%s: line %d: %q is not a SHA-256 checksum", sumsFile, lineOf(data, name), short(want))
			continue
		}
		sum, err := known.sum(at, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.add(name, "missing", "the file is not there")
		case err != nil:
			r.add(name, "unreadable", "%v", err)
		case !strings.EqualFold(sum, want):
			r.add(name, "changed", "its SHA-256 is %s…, and %s… was delivered", sum[:12], short(want))
		}
	}
}

func short(s string) string {
	s = strings.TrimPrefix(s, "sha256:")
	return s[:min(12, len(s))]
}

// lineOf returns the line on which a file of the manifest is named.
func lineOf(data []byte, name string) int {
	quoted, _ := json.Marshal(name) // a string is always one
	at := max(0, bytes.Index(data, quoted))
	return 1 + bytes.Count(data[:at], []byte("\n"))
}

// place adds to an error of JSON the line it is about.
func place(data []byte, err error) string {
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf("line %d: %v", 1+strings.Count(string(data[:min(int(e.Offset), len(data))]), "\n"), err)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("line %d: %v", 1+strings.Count(string(data[:min(int(e.Offset), len(data))]), "\n"), err)
	}
	return err.Error()
}

// pins compares this program with what the project is pinned to. The framework calls
// its search program ck.
func (r *Report) pins(at *safe.Root, o Options) {
	data, err := read(at, versionFile, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var v struct {
		Dependencies map[string]json.RawMessage `json:"dependencies"`
		Fingerprints map[string]string          `json:"binary_fingerprints"`
	}
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		r.add(versionFile, "malformed", "%s", place(data, err))
		return
	}
	have := map[string]string{"assay": o.Version, "ck": o.CK}
	for _, name := range []string{"assay", "ck"} {
		if want := pin(v.Dependencies[name]); want != "" && !satisfies(have[name], want) {
			r.add(versionFile, "version", "it asks for %s %s, and this is %s", name, want, cmp.Or(have[name], "of no version"))
		}
		want := strings.TrimPrefix(v.Fingerprints[name], "sha256:")
		if want == "" || o.Binary == "" {
			continue
		}
		if sum, err := hashFile(o.Binary); err != nil || !strings.EqualFold(sum, want) {
			r.add(versionFile, "fingerprint", "this program is not the %s with the SHA-256 %s…", name, short(want))
		}
	}
}

// pin reads ">=1.2.3", or {"version": ">=1.2.3"}.
func pin(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var o struct {
		Version string `json:"version"`
	}
	_ = json.Unmarshal(raw, &o) // what is neither pins nothing
	return o.Version
}

// satisfies reports whether a version is what a pin asks for: "1.2.3", or with one of
// >=, >, =, ^ and ~ before it. A program of no version satisfies every pin: it was
// built from source.
func satisfies(version, want string) bool {
	have, ok := numbers(version)
	if !ok {
		return true
	}
	want = strings.TrimSpace(want)
	op := want[:len(want)-len(strings.TrimLeft(want, "<>=^~"))]
	need, ok := numbers(want[len(op):])
	if !ok {
		return true
	}
	c := slices.Compare(have[:], need[:])
	switch op {
	case ">":
		return c > 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case "^":
		return c >= 0 && have[0] == need[0]
	case "~":
		return c >= 0 && have[0] == need[0] && have[1] == need[1]
	case "", "=", "==":
		return c == 0
	}
	return c >= 0
}

func numbers(s string) (v [3]int, ok bool) {
	s, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(s), "v"), "-")
	parts := strings.Split(s, ".")
	if len(parts) > 3 {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return v, false
		}
		v[i] = n
	}
	return v, true
}

func stat(at *safe.Root, name string) (fs.FileInfo, error) {
	f, err := at.OpenLinked(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

func read(at *safe.Root, name string, most int64) ([]byte, error) {
	f, err := at.OpenLinked(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > most {
		return nil, fmt.Errorf("it is not a regular file of at most %d MB", most>>20)
	}
	return io.ReadAll(io.LimitReader(f, most))
}

func hash(at *safe.Root, name string) (string, error) {
	return sum(at.OpenLinked(name))
}

func hashFile(name string) (string, error) {
	return sum(safe.OpenNamed(name))
}

// sum returns the checksum of a file that was opened, unless err says that it was not, and closes it.
func sum(f *os.File, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > maxHashed {
		return "", errors.New("it is not a regular file, or it is too large")
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
