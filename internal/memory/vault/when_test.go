package vault

import (
	"testing"
	"time"
)

func TestDateIn(t *testing.T) {
	for in, want := range map[string]string{
		"2025-03-02-standup.md": "2025-03-02", "daily/20250302.md": "2025-03-02", "log_2025_3_2": "2025-03-02", "## 2 March 2025": "2025-03-02",
		"1:56 pm on 8 May, 2023": "2023-05-08", "May 8, 2023": "2023-05-08", "8th of May 2023": "2023-05-08", "am 2. März 2025": "2025-03-02", "02.03.2025": "2025-03-02",
		"2025年3月2日": "2025-03-02", "Sept. 3, 2024": "2024-09-03",
		"2025-13-02": "", "2025-02-30": "", "version 1.2.3": "", "call 5551234567": "", "": "", "in May": "", "120250302": "", "v2.10.2024x": "2024-10-02",
	} {
		got := ""
		if d := dateIn(in); d != 0 {
			got = timeOf(d).Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("dateIn(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAsked(t *testing.T) {
	today := time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC) // a Wednesday
	for q, want := range map[string]string{
		"what did we do yesterday":                   "2026-11-17 2026-11-18",
		"what was decided last week":                 "2026-11-09 2026-11-16",
		"was haben wir letzte Woche gemacht":         "2026-11-09 2026-11-16",
		"昨日の決定":                                      "2026-11-17 2026-11-18",
		"先週の会議":                                      "2026-11-09 2026-11-16",
		"incident two weeks ago":                     "2026-11-02 2026-11-09",
		"vor 3 Tagen":                                "2026-11-15 2026-11-16",
		"decisions of March 2025":                    "2025-03-01 2025-04-01",
		"budget for Q2 2025":                         "2025-04-01 2025-07-01",
		"2025年3月の障害":                                 "2025-03-01 2025-04-01",
		"releases in 2024":                           "2024-01-01 2025-01-01",
		"What did Melanie do on 20 May 2023?":        "2023-05-20 2023-05-21",
		"What happened on May 20, 2023?":             "2023-05-20 2023-05-21",
		"what did we ship in July":                   "month 7",
		"was ist im Dezember passiert":               "month 12",
		"what may have gone wrong":                   "",
		"why were we paged the day before yesterday": "2026-11-16 2026-11-17",
		"what woke us in Q2":                         "2026-04-01 2026-07-01",
		"what do we plan for Q4?":                    "2026-10-01 2027-01-01",
		"the upgrade of this February":               "2026-02-01 2026-03-01",
		"how this may help":                          "",
		"the budget round last November":             "2025-11-01 2025-12-01",
		"the budget round last October":              "2026-10-01 2026-11-01",
		"load test from the spring":                  "2026-03-01 2026-06-01",
		"what broke over the summer":                 "2026-06-01 2026-09-01",
		"the end of last year":                       "2025-01-01 2026-01-01",
		"first quarter of this year":                 "2026-01-01 2026-04-01",
		"in December last year":                      "2025-12-01 2026-01-01",
		"what was decided last year":                 "2025-01-01 2026-01-01",
		"what did we say this Monday":                "2026-11-16 2026-11-17",
		"which spring bean is injected":              "",
		"how do I march through the tests":           "",
		"which todayish names does it accept":        "",
		"where is the yesterdayfile configured":      "",
	} {
		w := asked(q, today)
		got := ""
		switch {
		case w.to > 0:
			got = timeOf(w.from).Format(time.DateOnly) + " " + timeOf(w.to).Format(time.DateOnly)
		case w.months > 0:
			for m := 1; m <= 12; m++ {
				if w.months == 1<<m {
					got = "month " + time.Month(m).String()
				}
			}
			if want == "month 7" {
				want = "month July"
			} else {
				want = "month December"
			}
		}
		if got != want {
			t.Errorf("asked(%q) = %q, want %q", q, got, want)
		}
	}
}

func FuzzDates(f *testing.F) {
	for _, s := range []string{"2025-03-02", "8 May, 2023", "vor 3 Tagen", "2025年3月2日", "in July", "99 weeks ago"} {
		f.Add(s)
	}
	today := time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		if d := dateIn(s); d != 0 && (timeOf(d).Year() < 1900 || timeOf(d).Year() > 2099) {
			t.Errorf("dateIn(%q) = %s", s, timeOf(d))
		}
		if w := asked(s, today); w.to != 0 && w.from >= w.to {
			t.Errorf("asked(%q) = %v", s, w)
		}
	})
}
