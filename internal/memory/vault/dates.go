package vault

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// A day is counted from 1970-01-01; 0 is no day that is known.
type day = int

func dayOf(t time.Time) day {
	if t.IsZero() {
		return 0
	}
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func timeOf(d day) time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// Dates as they are written in names of files, headings and questions.
const (
	monthName = `(jan(?:uary|uar|\.)?|feb(?:ruary|ruar|\.)?|mar(?:ch|\.)?|marz|apr(?:il|\.)?|may|mai|june?|juni|july?|juli|aug(?:ust|\.)?|` +
		`sept?(?:ember|\.)?|o[ck]t(?:ober|\.)?|nov(?:ember|\.)?|de[cz](?:ember|\.)?)`
	year = `((?:19|20)\d\d)`
)

var (
	ymd      = lazy.Regexp(`(?:^|\D)` + year + `[-/_.](\d\d?)[-/_.](\d\d?)(?:\D|$)`)
	ymdShort = lazy.Regexp(`(?:^|\D)` + year + `(\d\d)(\d\d)(?:\D|$)`)
	dmyDots  = lazy.Regexp(`(?:^|\D)(\d\d?)\. ?(\d\d?)\. ?` + year + `(?:\D|$)`)
	dMonthY  = lazy.Regexp(`(?:^|\D)(\d\d?)(?:st|nd|rd|th|\.)? (?:of )?` + monthName + `,? ` + year + `(?:\D|$)`)
	monthDY  = lazy.Regexp(`(?:^|[^\pL])` + monthName + ` (\d\d?)(?:st|nd|rd|th)?,? ` + year + `(?:\D|$)`)
	ymdJa    = lazy.Regexp(year + `年(\d\d?)月(\d\d?)日`)

	monthY  = lazy.Regexp(`(?:^|[^\pL])` + monthName + `,? (?:of )?` + year + `(?:\D|$)`)
	ym      = lazy.Regexp(`(?:^|\D)` + year + `-(\d\d)(?:\D|$)`)
	ymJa    = lazy.Regexp(year + `年(\d\d?)月`)
	quarter = lazy.Regexp(`(?:^|[^\pL])q([1-4])(?:[ /-]?` + year + `|[^\pL\d]|$)`)
	aMonth  = lazy.Regexp(`(?:^|[^\pL])(in|im|en|since|seit|last|this|letzten|diesen|until|bis|during|of|from|around|early|late|mid) ` + monthName + `(?:[^\pL]|$)`)
	aYear   = lazy.Regexp(`(?:^|[^\pL])(?:in|im jahr|en|since|seit|during|of) ` + year + `(?:\D|$)`)
	aYearJa = lazy.Regexp(year + `年`)
	ago     = lazy.Regexp(`(?:^|\D)(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|einem|einer|zwei|drei) (day|week|month|year|tag|woche|monat|jahr)[a-z]* ago|vor (\d{1,3}|einem|einer|zwei|drei) (tag|woche|monat|jahr)`)
)

// dateIn returns the first whole date in a text, or 0.
func dateIn(s string) day {
	if !strings.Contains(s, "19") && !strings.Contains(s, "20") {
		return 0 // every date that is understood has a year
	}
	s = text.Fold(s)
	for _, f := range [...]struct {
		re      *lazy.Pattern
		y, m, d int
	}{{ymd, 1, 2, 3}, {ymdShort, 1, 2, 3}, {dMonthY, 3, 2, 1}, {monthDY, 3, 1, 2}, {dmyDots, 3, 2, 1}, {ymdJa, 1, 2, 3}} {
		if m := f.re.FindStringSubmatch(s); m != nil {
			if d := date(m[f.y], m[f.m], m[f.d]); d != 0 {
				return d
			}
		}
	}
	return 0
}

func date(y, m, d string) day {
	year, month, dom := number(y), monthOf(m), number(d)
	t := time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC)
	if month == 0 || t.Day() != dom || t.Year() != year {
		return 0
	}
	return dayOf(t)
}

func number(s string) int {
	switch s {
	case "a", "an", "einem", "einer":
		s = "one"
	case "a couple of", "zwei":
		s = "two"
	case "drei":
		s = "three"
	}
	words := []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	n, err := strconv.Atoi(s)
	if err != nil {
		n = max(slices.Index(words, s), 0)
	}
	return n
}

// monthOf returns the number of a month, given as a number or by a name; 0 for
// none.
func monthOf(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		if n < 1 || n > 12 {
			return 0
		}
		return n
	}
	for i, p := range [...]string{"jan", "feb", "mar", "apr", "ma", "jun", "jul", "aug", "se", "o", "nov", "de"} {
		if strings.HasPrefix(s, p) {
			return i + 1
		}
	}
	return 0
}
