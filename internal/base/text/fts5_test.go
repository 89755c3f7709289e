package text_test

import (
	"database/sql"
	"strings"
	"testing"

	_ "github.com/assay-dev/assay/internal/base/store" // SQLite's driver
	"github.com/assay-dev/assay/internal/base/text"
)

// The stems are those of SQLite's tokenizer, so that an engine on it finds what others find.
func TestStemsOfFTS5(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if _, err := db.Exec("CREATE VIRTUAL TABLE words USING fts5(body, content='', tokenize='porter unicode61')"); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(`ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping happy sky
		falling hissing fizzed failing filing relational valency digitizer conformably radically vietnamization triplicate electricity revival
		rate cease toggled silenced rotation healthy deployments authenticated ies`)
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
	if _, err := db.Exec("BEGIN"); err != nil {
		t.Fatal(err)
	}
	for i, w := range words {
		if _, err := db.Exec("INSERT INTO words(rowid, body) VALUES (?, ?)", i, w); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec("CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, words, instance)"); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query("SELECT doc, term FROM temp.v")
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
		if got := text.English(words[doc]); got != want {
			t.Errorf("the stem of %q is %q, want %q", words[doc], got, want)
		}
		seen++
	}
	if err := rows.Err(); err != nil || seen < 20000 {
		t.Error(seen, err)
	}
}
