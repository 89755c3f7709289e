package vault

import (
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// A when is the time that a question asks about: days, or months of any year.
type when struct {
	from, to day    // half-open; to 0: none
	months   uint16 // bit 1 is January
}

// The ends of a time that is open.
const (
	firstDay day = -1 << 28
	lastDay  day = 1 << 28
)

func (w when) none() bool { return w.to == 0 && w.months == 0 }

// near returns how well a day fits: 1 inside, less for each day beside it, 0 from ten days on. What happened is told a little later.
func (w when) near(d day) float64 {
	if d == 0 || w.none() {
		return 0
	}
	if w.to > 0 {
		gap := max(w.from-d, d-(w.to-1), 0)
		return max(0, 1-float64(gap)/10)
	}
	if w.months>>timeOf(d).Month()&1 == 1 {
		return 1 / float64(bits.OnesCount16(w.months))
	}
	return 0
}

// asked returns the time that a question names, seen from today.
func asked(q string, today time.Time) when {
	q = text.Fold(q)
	if strings.Contains(q, "day before yesterday") {
		return one(q, today)
	}
	if m := betweenTimes.FindStringSubmatch(q); m != nil {
		if a, b := end(m[1], today), end(m[2], today); a.to != 0 && b.to != 0 {
			if a.from >= b.to { // between November and February: of the year before
				a.from = dayOf(timeOf(a.from).AddDate(-1, 0, 0))
			}
			return when{from: a.from, to: b.to}
		}
	}
	for _, open := range [...]struct {
		re *lazy.Pattern
		to func(when) when
	}{
		{beforeTime, func(w when) when { return when{from: firstDay, to: w.from} }},
		{untilTime, func(w when) when { return when{from: firstDay, to: w.to} }},
		{afterTime, func(w when) when { return when{from: w.to, to: lastDay} }},
		{sinceTime, func(w when) when { return when{from: w.from, to: lastDay} }},
	} {
		for _, at := range open.re.FindAllStringSubmatchIndex(q, 4) {
			if w := end(q[at[2]:at[3]], today); w.to != 0 {
				return open.to(w)
			}
		}
	}
	return one(q, today)
}

// Times that have an open end, or two. What follows must be a time by itself: "before we moved in March" is none.
var (
	betweenTimes = lazy.Regexp(`(?:between|from|zwischen|von) (.{3,30}?) (?:and|to|until|till|und|bis) (.{3,30})`)
	beforeTime   = lazy.Regexp(`(?:^|\s)(?:before|prior to|earlier than|vor(?: dem| der)?) (.{3,30})`)
	untilTime    = lazy.Regexp(`(?:^|\s)(?:until|till|up to|bis(?: zum| zur)?) (.{3,30})`)
	afterTime    = lazy.Regexp(`(?:^|\s)(?:after|later than|nach(?: dem| der)?) (.{3,30})`)
	sinceTime    = lazy.Regexp(`(?:^|\s)(?:since|seit(?: dem| der)?) (.{3,30})`)
	startsTime   = lazy.Regexp(`^(?:the |den |dem |der )?(?:` + monthName + `(?:[^\pL]|$)|(?:19|20)\d\d|\d{1,2}(?:[ .]|st|nd|rd|th)|q[1-4]|last |this |letzte|diese|yesterday|gestern|today|heute|` +
		weekdayName + `|spring|summer|autumn|fall|winter|early|mid|late|beginning|start|end|a |one |two |three |first|second|third|fourth)`)
)

// end returns the time that a text begins with, as one end of a span.
func end(s string, today time.Time) when {
	if !startsTime.MatchString(s) {
		return when{}
	}
	words := strings.Fields(s)
	for n := min(len(words), 5); n > 0; n-- {
		part := strings.TrimRight(strings.Join(words[:n], " "), "?!.,;:")
		for _, before := range [...]string{"", "in "} {
			switch w := one(before+part, today); {
			case w.to != 0:
				return w
			case w.months != 0:
				return lastSuch(w.months, today)
			}
		}
	}
	return when{}
}

// lastSuch returns the latest of the months that has begun.
func lastSuch(months uint16, today time.Time) when { return suchBefore(months, 0, today) }

// suchBefore is the latest of the months that is at least so many months back.
func suchBefore(months uint16, least int, today time.Time) when {
	for back := least; back < least+12; back++ {
		from := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, -back, 0)
		if months>>from.Month()&1 == 1 {
			return when{from: dayOf(from), to: dayOf(from.AddDate(0, 1, 0))}
		}
	}
	return when{}
}

const (
	weekdayName = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)`
	seasonName  = `(spring|summer|autumn|fall|winter|fruhling|fruhjahr|sommer|herbst)`
)

var (
	aSeason     = lazy.Regexp(`(?:^|[^\pL])(?:(last|this|letzten|diesen|im|in|(?:in|over|during|from|since|of) the) )?` + seasonName + `(?: (?:of )?` + year + `)?(?:[^\pL]|$)`)
	nthQuarter  = lazy.Regexp(`(first|second|third|fourth|last) quarter(?: of)? ` + year)
	dayMonth    = lazy.Regexp(`(?:^|[^\pL\d])(?:(\d\d?)(?:st|nd|rd|th|\.)? (?:of )?` + monthName + `|` + monthName + ` (\d\d?)(?:st|nd|rd|th)?)(?:[^\pL\d]|$)`)
	aWeekday    = lazy.Regexp(`(?:^|[^\pL])(?:on|last|this|am|letzten|diesen) (` + weekdayName + `)(?:[^\pL]|$)`)
	lastOfThese = lazy.Regexp(`(?:last|past|previous|letzten|vergangenen) (?:(\d{1,3}|two|three|four|five|six|zwei|drei) )?(days|weeks|months|years|tage[n]?|wochen|monate[n]?|jahre[n]?)`)
	bareDays    = lazy.Regexp(`^(\d{1,4}) ?(d|days?|w|weeks?|m|months?|y|years?|tage?|wochen?|monate?|jahre?)$`)
)

// lastDays understands a number of days, weeks, months or years up to today.
func lastDays(q string, today time.Time) when {
	n, unit := 0, ""
	if m := lastOfThese.FindStringSubmatch(q); m != nil {
		if n, unit = number(m[1]), m[2]; n == 0 {
			n = 3 // "the last days"
		}
	} else if m := bareDays.FindStringSubmatch(q); m != nil {
		n, unit = number(m[1]), m[2]
	}
	if n == 0 {
		return when{}
	}
	var from time.Time
	switch unit[0] {
	case 'd', 't':
		from = today.AddDate(0, 0, -n)
	case 'w':
		from = today.AddDate(0, 0, -7*n)
	case 'm':
		from = today.AddDate(0, -n, 0)
	default:
		from = today.AddDate(-n, 0, 0)
	}
	return when{from: dayOf(from), to: dayOf(today) + 1}
}

// partial understands seasons, quarters in words, days without a year, and days of the week. One of the sets times of
// eval/memory falls by .02 to .10 without each of them.
func partial(q string, today time.Time) when {
	date := func(y, m, d int) day { return dayOf(time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)) }
	if m := nthQuarter.FindStringSubmatch(q); m != nil {
		n := map[string]int{"first": 0, "second": 1, "third": 2, "fourth": 3, "last": 3}[m[1]]
		return when{from: date(number(m[2]), 1+3*n, 1), to: date(number(m[2]), 4+3*n, 1)}
	}
	if m := aSeason.FindStringSubmatch(q); m != nil && (m[1] != "" || m[3] != "") {
		begin := map[byte]int{'p': 3, 'u': 6, 'o': 6, 'r': 3, 'a': 9, 'e': 9, 'i': 12}[m[2][1]]
		if m[2] == "autumn" || m[2] == "fall" {
			begin = 9
		}
		y := today.Year()
		if m[3] != "" {
			y = number(m[3])
		} else if date(y, begin, 1) > dayOf(today) || m[1] == "last" && date(y, begin+3, 1) > dayOf(today) {
			y--
		}
		return when{from: date(y, begin, 1), to: date(y, begin+3, 1)}
	}
	if m := dayMonth.FindStringSubmatch(q); m != nil {
		month, dom := monthOf(m[2]+m[3]), number(m[1]+m[4])
		if month > 0 && dom > 0 && dom <= 31 {
			d := date(today.Year(), month, dom)
			if d > dayOf(today) {
				d = date(today.Year()-1, month, dom)
			}
			return when{from: d, to: d + 1}
		}
	}
	if m := aWeekday.FindStringSubmatch(q); m != nil {
		for back := 1; back <= 7; back++ {
			t := today.AddDate(0, 0, -back)
			german := [...]string{"sonntag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag"}[t.Weekday()]
			if strings.EqualFold(t.Weekday().String(), m[1]) || german == m[1] {
				return when{from: dayOf(t), to: dayOf(t) + 1}
			}
		}
	}
	return when{}
}

// one returns a time without an open end.
func one(q string, today time.Time) when {
	if d := dateIn(q); d != 0 {
		return when{from: d, to: d + 1}
	}
	// A part of a year that is told from today, as the end of last year.
	for back, words := range [...]string{"this year", "last year"} {
		if i := strings.Index(q, words); i >= 0 && apart(q, i, len(words)) {
			if w := one(q[:i]+strconv.Itoa(today.Year()-back)+q[i+len(words):], today); w.to != 0 {
				return w
			}
		}
	}
	if w := relative(q, today); !w.none() {
		return w
	}
	if w := partial(q, today); !w.none() {
		return w
	}
	month := func(y, m string) when {
		n := monthOf(m)
		if n == 0 {
			return when{}
		}
		from := time.Date(number(y), time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		return when{from: dayOf(from), to: dayOf(from.AddDate(0, 1, 0))}
	}
	if m := monthY.FindStringSubmatch(q); m != nil {
		return month(m[2], m[1])
	}
	for _, re := range [...]*lazy.Pattern{ym, ymJa} {
		if m := re.FindStringSubmatch(q); m != nil {
			return month(m[1], m[2])
		}
	}
	if m := quarter.FindStringSubmatch(q); m != nil {
		y := number(m[2])
		if y == 0 {
			if y = today.Year(); time.Month(3*number(m[1])-2) > today.Month() {
				y--
			}
		}
		from := time.Date(y, time.Month(3*number(m[1])-2), 1, 0, 0, 0, 0, time.UTC)
		return when{from: dayOf(from), to: dayOf(from.AddDate(0, 3, 0))}
	}
	if m := aMonth.FindStringSubmatch(q); m != nil && !(m[1] == "this" && m[2] == "may") { // which is more often a verb
		switch such := uint16(1) << monthOf(m[2]); m[1] {
		case "last", "letzten":
			return suchBefore(such, 1, today)
		case "this", "diesen":
			return lastSuch(such, today)
		default:
			return when{months: such}
		}
	}
	for _, re := range [...]*lazy.Pattern{aYear, aYearJa} {
		if m := re.FindStringSubmatch(q); m != nil {
			from := time.Date(number(m[1]), 1, 1, 0, 0, 0, 0, time.UTC)
			return when{from: dayOf(from), to: dayOf(from.AddDate(1, 0, 0))}
		}
	}
	return when{}
}

// relative understands what is counted from today.
func relative(q string, today time.Time) when {
	now := dayOf(today)
	monday := now - (int(today.Weekday())+6)%7
	first := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	months := func(n int) when {
		return when{from: dayOf(first.AddDate(0, n, 0)), to: dayOf(first.AddDate(0, n+1, 0))}
	}
	years := func(n int) when {
		return when{from: dayOf(time.Date(today.Year()+n, 1, 1, 0, 0, 0, 0, time.UTC)), to: dayOf(time.Date(today.Year()+n+1, 1, 1, 0, 0, 0, 0, time.UTC))}
	}
	for _, r := range [...]struct {
		words string // any of them, separated by |
		is    when
	}{
		{"day before yesterday|vorgestern|一昨日|おととい", when{from: now - 2, to: now - 1}},
		{"yesterday|gestern|昨日", when{from: now - 1, to: now}},
		{"today|heute|今日", when{from: now, to: now + 1}},
		{"last week|letzte woche|letzter woche|vorige woche|先週", when{from: monday - 7, to: monday}},
		{"this week|diese woche|dieser woche|今週", when{from: monday, to: monday + 7}},
		{"last month|letzten monat|letzter monat|vorigen monat|先月", months(-1)},
		{"this month|diesen monat|今月", months(0)},
		{"last quarter|letztes quartal|letzten quartal", quarterOf(today, -1)},
		{"this quarter|dieses quartal", quarterOf(today, 0)},
		{"last year|letztes jahr|letzten jahr|vorigen jahr|去年|昨年", years(-1)},
		{"this year|dieses jahr|今年", years(0)},
	} {
		for w := range strings.SplitSeq(r.words, "|") {
			if i := strings.Index(q, w); i >= 0 && apart(q, i, len(w)) {
				return r.is
			}
		}
	}
	if w := lastDays(q, today); !w.none() {
		return w
	}
	n, unit := 0, ""
	if m := ago.FindStringSubmatch(q); m != nil {
		n, unit = number(m[1]+m[3]), m[2]+m[4]
	}
	switch unit {
	case "":
		return when{}
	case "day", "tag":
		return when{from: now - n, to: now - n + 1}
	case "week", "woche":
		return when{from: monday - 7*n, to: monday - 7*n + 7}
	case "year", "jahr":
		return years(-n)
	}
	return months(-n)
}

func quarterOf(today time.Time, n int) when {
	from := time.Date(today.Year(), (today.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 3*n, 0)
	return when{from: dayOf(from), to: dayOf(from.AddDate(0, 3, 0))}
}

// apart reports whether the words at i of a folded text are not part of longer ones, as far as the script parts words.
func apart(s string, i, n int) bool {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' }
	return !(i > 0 && letter(s[i-1]) && letter(s[i])) && !(i+n < len(s) && letter(s[i+n]) && letter(s[i+n-1]))
}

// dateWords are the words by which a day is asked for.
func dateWords(d day) string {
	if d == 0 {
		return ""
	}
	t := timeOf(d)
	return t.Format("2 January 2006 Monday 2006-01-02")
}
