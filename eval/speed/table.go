package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// A table is what was measured, in order.
type table struct {
	lines []tableLine
	notes []string
}

// A tableLine is a heading, or the samples of one measurement.
type tableLine struct {
	name    string
	unit    string
	samples []float64 // nil for a heading
}

func (t *table) section(name string) { t.lines = append(t.lines, tableLine{name: name}) }

func (t *table) note(format string, args ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

// add adds a measurement.
func (t *table) add(name, unit string, samples ...float64) {
	t.lines = append(t.lines, tableLine{name, unit, samples})
}

// manySamples is from how many on a 95th percentile says something.
const manySamples = 20

func (t *table) String() string {
	var s strings.Builder
	wide := 0
	for _, l := range t.lines {
		wide = max(wide, len(l.name))
	}
	fmt.Fprintf(&s, "\n%-*s %10s %10s %10s %10s %6s  %s\n", wide+2, "", "median", "p95", "least", "most", "n", "unit")
	for i, l := range t.lines {
		if l.samples == nil {
			if i+1 < len(t.lines) && t.lines[i+1].samples != nil {
				fmt.Fprintf(&s, "%s\n", l.name)
			}
			continue
		}
		p95 := "-"
		if len(l.samples) >= manySamples {
			p95 = number(percentile(l.samples, 95))
		}
		unit := l.unit
		if unit != "" {
			unit = "  " + unit
		}
		fmt.Fprintf(&s, "  %-*s %10s %10s %10s %10s %6d%s\n", wide, l.name, number(percentile(l.samples, 50)), p95,
			number(slices.Min(l.samples)), number(slices.Max(l.samples)), len(l.samples), unit)
	}
	for i, n := range t.notes {
		if i == 0 {
			s.WriteByte('\n')
		}
		fmt.Fprintf(&s, "# %s\n", n)
	}
	return s.String()
}

// number writes x with three significant digits, or all of a larger one's whole
// part.
func number(x float64) string {
	digits := 0
	if a := math.Abs(x); a > 0 && a < 100 {
		digits = min(6, 2-int(math.Floor(math.Log10(a))))
	}
	return fmt.Sprintf("%.*f", digits, x)
}

// percentile returns the p-th percentile of xs, linear between neighbours.
func percentile(xs []float64, p float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	at := float64(len(xs)-1) * p / 100
	lo := int(at)
	return xs[lo] + (xs[min(lo+1, len(xs)-1)]-xs[lo])*(at-float64(lo))
}

func ms(d time.Duration) float64      { return float64(d) / float64(time.Millisecond) }
func seconds(d time.Duration) float64 { return d.Seconds() }
func megabytes(n int64) float64       { return float64(n) / 1e6 }
