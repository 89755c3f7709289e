//go:build !slim

package catalog

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/text"
)

// The stems are those of SQLite's tokenizer.
func TestPorter(t *testing.T) {
	e, err := NewFTS5()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	words := strings.Fields(`ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping happy sky k8s s3s
		falling hissing fizzed failing filing relational valency digitizer conformably radically vietnamization triplicate electricity revival
		rate cease toggled silenced rotation healthy deployments authenticated naïve zürich 10ing ies`)
	starts := strings.Fields("a ab adjust agr b bl c certif co deplo e fil h hop i log m mo n o p pl probat r rol s sk t tr u w x zy")
	middles := append(strings.Fields("al ance ant ate ation b el ence ent er ful ic ical ion iv iz l ll logi ment ous s ss t tion y z"), "")
	ends := append(strings.Fields("s es ies ed eed ing y e ly ness ity ement able ible ism ization iveness ational enci ou iti at bl"), "")
	for _, a := range starts {
		for _, b := range middles {
			for _, c := range ends {
				words = append(words, a+b+c)
			}
		}
	}
	for _, w := range words {
		if err := e.Add(w, Fields{Description: "xxx " + w}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Search(t.Context(), "end the transaction", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := e.db.Exec("CREATE VIRTUAL TABLE v USING fts5vocab(modules, instance)"); err != nil {
		t.Fatal(err)
	}
	rows, err := e.db.Query("SELECT doc, term FROM v WHERE offset = 1")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	seen := 0
	for rows.Next() {
		var doc int
		var want string
		if err := rows.Scan(&doc, &want); err != nil {
			t.Fatal(err)
		}
		if got := text.Porter(words[doc]); got != want {
			t.Errorf("porter(%q) = %q, want %q", words[doc], got, want)
		}
		var begin wordStarts
		begin.add(want)
		found := false
		for _, w := range []string{words[doc], strings.ToUpper(words[doc])} {
			found = false
			eachWord(w, &begin, func([]byte) { found = true })
		}
		if len(words[doc]) > 1 && !found {
			t.Errorf("%q is passed over, though its stem is %q", words[doc], want)
		}
		seen++
	}
	if err := rows.Err(); err != nil || seen < 20000 {
		t.Error(seen, err)
	}
}
