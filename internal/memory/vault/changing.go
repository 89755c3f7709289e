package vault

import (
	"strings"
	"sync"
)

// changing are the words by which people say that something is no longer as it was. An
// ending * stands for any further letters and digits; ~ stands for up to twenty characters.
const changing = `no longer|no more|anymore|any more|any longer|instead|replac*|switch*|moved|migrat*|droped|dropped|drop|remov*|gone|abandon*|ditch*|retired|deprecated|` +
	`turned off|shut down|ripped|rewritten|relicensed|renamed|rebrand*|upgrad*|raised|lowered|increased|reduced|extended|shortened|changed|new|now|nowadays|as of|since|` +
	`until further notice|used to|former*|previous*|lately|update|updated|took over|handed over|hands over|left|belongs to|stopped|ended|never|fell through|after|out|` +
	`archive|archived|obsolete|outdated|legacy|supersed*|take over|takes over|over to|pulled forward|postponed|moving|longer|eol|from ~ on|is done|` +
	`jetzt|nun|neu|neue|neuer|neues|neuen|neuem|neuerdings|ab sofort|nicht mehr|statt|ersetzt|umgestellt|geändert|seit|gekündigt|weg|raus|entfällt|abgeschafft|abgelöst|` +
	`désormais|remplac*|ahora|ya no`

// changingHan are the same where words are not told apart.
var changingHan = [...]string{"変更", "変わ", "廃止", "移行", "今後", "切り替"}

// changingBy are those words by their first two bytes. Most words of a text have none under
// theirs: an expression of them all, which is tried at each character, takes a tenth of a
// search.
var changingBy = sync.OnceValue(func() map[[2]byte][]string {
	by := map[[2]byte][]string{}
	for w := range strings.SplitSeq(changing, "|") {
		by[[2]byte{w[0], w[1]}] = append(by[[2]byte{w[0], w[1]}], w)
	}
	return by
})

// speaksOfChange reports whether a text has a word of change.
func speaksOfChange(s string) bool {
	by := changingBy()
	for i := 0; i+2 <= len(s); i++ {
		if !wordByte(s[i]) || i > 0 && wordByte(s[i-1]) {
			continue
		}
		for _, w := range by[[2]byte{lower(s[i]), lower(s[i+1])}] {
			if saysAt(s[i:], w) {
				return true
			}
		}
	}
	for _, w := range changingHan {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// saysAt reports whether a text begins with a word of changing, and the word ends there.
func saysAt(s, w string) bool {
	before, after, wild := strings.Cut(w, "~")
	if wild {
		return foldedPrefix(s, before) && reaches(s[len(before):], after)
	}
	stem, open := strings.CutSuffix(w, "*")
	return foldedPrefix(s, stem) && (open || len(s) == len(stem) || !wordByte(s[len(stem)]))
}

// reaches reports whether what stands after one to twenty characters of a line is end, and a
// word ends there.
func reaches(s, end string) bool {
	n := 0
	for i, r := range s {
		if n >= 1 && foldedPrefix(s[i:], end) && (len(s) == i+len(end) || !wordByte(s[i+len(end)])) {
			return true
		}
		if n++; n > 20 || r == '\n' {
			break
		}
	}
	return false
}

func foldedPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func wordByte(c byte) bool { return lower(c)-'a' < 26 || c-'0' < 10 || c == '_' }

func lower(c byte) byte {
	if c-'A' < 26 {
		return c + 'a' - 'A'
	}
	return c
}
