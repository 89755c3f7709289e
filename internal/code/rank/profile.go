package rank

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Profile says what the candidates of a corpus are ranked by: its signals with
// their weights, and how scores are calibrated. It is data, so that a program can
// fit it: see the files in profiles.
type Profile struct {
	name      string
	signals   []signal
	damping   []dampening  // by the number of a candidate's group
	columns   []conditions // of the variants, the first without any
	weights   [][]float64  // by column: of the signals, then of the damping
	midpoints []float64    // by column, or none where
	scales    []float64    // scores are evidence times these
	constants map[string]float64
}

// A signal is one kind of evidence.
type signal struct {
	name string
	role role
}

// A dampening holds back all but the best candidate of a group.
type dampening struct {
	name string
	flat bool // the third counts as much as the second
}

// A role says what a signal does to a score.
type role uint8

const (
	lexical     role = iota // adds; evidence of the words, balanced against the meaning
	semantic                // adds; evidence of the meaning
	context                 // adds, whatever the balance
	either                  // of these the one that would add most does, whatever the balance
	factor                  // multiplies what was added
	damping                 // multiplies the evidence of each further one of a group, once more than that of the one before
	flatDamping             // multiplies the evidence of all but the best of a group
)

var roles = map[string]role{"lexical": lexical, "meaning": semantic, "context": context, "either": either, "factor": factor, "damping": damping, "flat-damping": flatDamping}

// maxGroups is how many groups a candidate may belong to.
const maxGroups = 2

// conditions are what has to hold for a column of a profile, a bit each.
type conditions uint8

const (
	ofSymbol conditions = 1 << iota
	ofPhrase
	ofQuestion
	withMeaning
	bySemantics
)

var conditionNames = map[string]conditions{"any": 0, "symbol": ofSymbol, "phrase": ofPhrase, "question": ofQuestion, "meaning": withMeaning, "semantic": bySemantics}

// A Variant is what the weights of a profile may depend on.
type Variant struct {
	Kind    Kind
	Mode    Mode
	Meaning bool // candidates are measured by meaning too
}

func (v Variant) conditions() conditions {
	c := ofSymbol << v.Kind
	if v.Meaning {
		c |= withMeaning
		if v.Mode == Semantic {
			c |= bySemantics
		}
	}
	return c
}

// Column returns which column of the profile applies: of those whose conditions hold,
// the one with most. ParseProfile sees to it that there is one.
func (p *Profile) Column(v Variant) int {
	best, held := 0, v.conditions()
	for i, c := range p.columns {
		if c&^held == 0 && c.count() > p.columns[best].count() {
			best = i
		}
	}
	return best
}

func (c conditions) count() int { return bits.OnesCount8(uint8(c)) }

// open returns a function that reads an embedded profile once.
func open(name string, signals int) func() *Profile {
	return sync.OnceValue(func() *Profile { return readProfile(name, signals) })
}

// readProfile reads an embedded profile, which has so many signals: code measures them by their
// numbers, in the order of the file (see TestSignals).
func readProfile(name string, signals int) *Profile {
	text, err := files.ReadFile("profiles/" + name + ".txt")
	if err != nil {
		panic(err) // it is part of the program: TestProfiles
	}
	p, err := ParseProfile(string(text))
	if err == nil && (p.name != name || len(p.signals) != signals) {
		err = fmt.Errorf("profile %s has %d signals, want %s with %d", p.name, len(p.signals), name, signals)
	}
	if err != nil {
		panic(err)
	}
	return p
}

// Signals returns the names of the signals, in the order of a row of values.
func (p *Profile) Signals() []string {
	names := make([]string, len(p.signals))
	for i, s := range p.signals {
		names[i] = s.name
	}
	return names
}

// Columns returns how many variants the profile has.
func (p *Profile) Columns() int { return len(p.columns) }

// A Weight is how much a signal counts.
type Weight struct {
	Signal string
	Weight float64
	Adds   bool // to the evidence; else it multiplies it
}

// Weights returns the weights of a column, in the order of a row of values.
func (p *Profile) Weights(column int) []Weight {
	out := make([]Weight, len(p.signals))
	for i, s := range p.signals {
		out[i] = Weight{s.name, p.weights[column][i], s.role != factor}
	}
	return out
}

// Constant returns a number of the profile that is no weight of a signal. One that is
// not in the file is a mistake of the caller.
func (p *Profile) Constant(name string) float64 {
	x, ok := p.constants[name]
	if !ok {
		panic("profile " + p.name + " has no constant " + name)
	}
	return x
}

// ParseProfile reads a profile. Each line is a word that says what it is, its numbers,
// and a name; # begins a comment. profiles/code.txt explains the format.
func ParseProfile(text string) (*Profile, error) {
	p := &Profile{constants: map[string]float64{}}
	var rows, damped [][]float64
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		row, err := p.line(line)
		if err != nil {
			return nil, fmt.Errorf("profile %s, line %d: %w", p.name, n+1, err)
		}
		if row.damping {
			damped = append(damped, row.numbers)
			continue
		}
		rows = append(rows, row.numbers)
	}
	for _, numbers := range append(rows, damped...) {
		for i, x := range numbers {
			p.weights[i] = append(p.weights[i], x)
		}
	}
	return p, p.check()
}

// A row is the weights of a signal.
type row struct {
	numbers []float64
	damping bool
}

// line takes in one line, and returns the weights that it gives.
func (p *Profile) line(line string) (row, error) {
	f := strings.Fields(line)
	what, rest := f[0], f[1:]
	switch what {
	case "profile":
		p.name = strings.Join(rest, " ")
		return row{}, nil
	case "variants":
		return row{}, p.variants(rest)
	}
	var numbers []float64
	for len(rest) > 0 {
		x, err := strconv.ParseFloat(rest[0], 64)
		if err != nil {
			break
		}
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return row{}, fmt.Errorf("%s: a number must be finite and not negative", line)
		}
		numbers, rest = append(numbers, x), rest[1:]
	}
	name := strings.Join(rest, " ")
	if what == "constant" {
		if _, twice := p.constants[name]; twice || len(numbers) != 1 || name == "" {
			return row{}, fmt.Errorf("%s: a constant is one number and a name of its own", line)
		}
		p.constants[name] = numbers[0]
		return row{}, nil
	}
	if len(numbers) == 1 && len(p.columns) > 1 {
		numbers = slices.Repeat(numbers, len(p.columns))
	}
	if len(numbers) != len(p.columns) || len(numbers) == 0 {
		return row{}, fmt.Errorf("%s: %d numbers for %d variants", line, len(numbers), len(p.columns))
	}
	switch what {
	case "midpoint":
		p.midpoints = numbers
		return row{}, nil
	case "scale":
		p.scales = numbers
		return row{}, nil
	}
	r, ok := roles[what]
	switch {
	case !ok:
		return row{}, fmt.Errorf("%q is not a kind of line", what)
	case name == "" || slices.Contains(p.Signals(), name) || slices.ContainsFunc(p.damping, func(d dampening) bool { return d.name == name }):
		return row{}, fmt.Errorf("%s: a signal needs a name of its own", line)
	case r >= factor && slices.Max(numbers) > 1:
		return row{}, fmt.Errorf("%s: a factor is at most 1", line)
	case r >= damping:
		p.damping = append(p.damping, dampening{name, r == flatDamping})
		return row{numbers, true}, nil
	}
	p.signals = append(p.signals, signal{name, r})
	return row{numbers, false}, nil
}

// variants takes in the names of the columns.
func (p *Profile) variants(names []string) error {
	for _, name := range names {
		var c conditions
		for part := range strings.SplitSeq(name, "+") {
			bit, ok := conditionNames[part]
			if !ok {
				return fmt.Errorf("%q is not a condition", part)
			}
			c |= bit
		}
		if slices.Contains(p.columns, c) {
			return fmt.Errorf("variant %s is there twice", name)
		}
		p.columns = append(p.columns, c)
	}
	p.weights = make([][]float64, len(p.columns))
	return nil
}

// check finds what no single line shows.
func (p *Profile) check() error {
	switch {
	case p.name == "" || len(p.columns) == 0 || p.columns[0] != 0 || len(p.signals) == 0:
		return fmt.Errorf("profile %q needs a name, signals, and variants that begin with any", p.name)
	case (len(p.midpoints) == 0) == (len(p.scales) == 0) || slices.Min(slices.Concat(p.midpoints, p.scales)) <= 0:
		return fmt.Errorf("profile %s needs midpoints or scales above 0", p.name)
	case len(p.damping) > maxGroups:
		return fmt.Errorf("profile %s damps by %d groups, at most %d", p.name, len(p.damping), maxGroups)
	}
	// Two variants of equally many conditions that may hold at once need one of both.
	for i, a := range p.columns {
		for _, b := range p.columns[:i] {
			if a.count() == b.count() && together(a|b) && !slices.Contains(p.columns, a|b) {
				return fmt.Errorf("profile %s does not say which of two variants applies where both do", p.name)
			}
		}
	}
	return nil
}

// together reports whether conditions can hold at once: a query is of one kind.
func together(c conditions) bool { return (c & (ofSymbol | ofPhrase | ofQuestion)).count() <= 1 }
