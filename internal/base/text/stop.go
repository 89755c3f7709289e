package text

import (
	"strings"
	"sync"
	"unicode"
)

// A stopList has the words that do not describe the subject of a question. It is built at its first use, because most
// commands need none.
type stopList struct {
	lists []string
	once  sync.Once
	words map[string]struct{}
	begin Prefixes
}

func stops(lists ...string) *stopList { return &stopList{lists: lists} }

func (l *stopList) ready() *stopList {
	l.once.Do(func() {
		l.words = map[string]struct{}{}
		for _, list := range l.lists {
			for w := range strings.FieldsSeq(list) {
				l.words[w] = struct{}{}
				l.begin.Add(w)
			}
		}
	})
	return l
}

func (l *stopList) has(folded string) bool {
	_, ok := l.ready().words[folded]
	return ok
}

// longestStop is the most bytes that a stop word has.
const longestStop = 14

// Stop reports whether a word, in upper or lower case, does not describe the subject of a question to this corpus.
func (a *Analyser) Stop(word []byte) bool {
	if len(word) > longestStop || !a.stops.ready().begin.May(word) {
		return false
	}
	var low [longestStop]byte
	for i, c := range word {
		if class[c] == upper {
			c |= 0x20
		}
		low[i] = c
	}
	_, ok := a.stops.words[string(low[:len(word)])]
	return ok
}

// Stop reports whether a folded word carries no meaning in a question about code.
func Stop(word string) bool { return code.stops.has(word) }

// Language returns the language of a question, as Grammar takes it: the one in which
// most of its folded words are grammar. Without any it is English.
func Language(words []string) int {
	best, most := 0, 0
	for i, list := range grammar {
		n := 0
		for _, w := range words {
			if list.has(w) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// German is the language in which every noun has a capital.
const German = 1

// Grammar reports whether a folded word of a question in a language is only grammar. It depends on the language, because
// "son", "war" and "door" are grammar in one language and things in another.
func Grammar(language int, word string) bool {
	if grammar[language].has(word) {
		return true
	}
	// Two characters of Hiragana are mostly grammar.
	n := 0
	for _, r := range word {
		if !unicode.Is(unicode.Hiragana, r) && r != 'ー' {
			return false
		}
		n++
	}
	return n > 0 && n <= 2
}

// The words of English that are grammar wherever they are, and those that are in
// questions about one kind of text.
const (
	english = `
		a about all also am an and any are as at be been being both but by can could did do does doing each either else ever
		for from get had has have having he her here his how i if in into is it its just let like may me might more most much
		must my no not of off on once only or other our out over own please same shall she should so some such tell than that
		the their them then there these they this those through to too under until up upon us very was we were what when where
		whether which while who whom whose why will with within without would you your`
	inCode = `
		after because before between done during etc every few further gets getting give given happens hers him itself make
		makes many nor ours per show theirs use used uses using via yours
		locate explain describe classes defined definition handled implement implementation implemented implements work works`
	ofCode  = `class code file files find function functions` // which may be the subject of an API
	inProse = `best etc example examples explain need show use used uses using via want way`
	inNotes = `
		after again although became because before d didn doesn don done during every further gets getting given got hers him
		isn itself know ll m many myself nor ours per re recall remember s since t theirs though ve wasn won yours`
)

// grammar is folded words of English, German, French, Spanish, Italian, Portuguese and
// Dutch.
var grammar = [...]*stopList{stops(english, inNotes), stops(`
		aber alle als also am an auch auf aus bei beim bin bis da damit dann das dass dem den denn der des dich die dir doch
		du durch ein eine einem einen einer eines er es euch fur gegen hab habe haben hat hatte hatten ich ihm ihn ihr ihre im
		ist ja jede jeder kann kein keine konnen mal man mehr mein meine mich mir mit muss nach nicht noch nur ob oder ohne
		schon sehr sein seine seit sich sie sind sollen soll uber um und uns unser unsere unter viel vom von vor wann war
		waren warum was weil welche welcher welches wenn wer werden wie wieder wir wird wo wurde wurden zu zum zur`), stops(`
		au aux avec ce ces cette comme dans de du elle en est et etait ete etre il ils je la le les leur lui mais meme mes mon
		ne nos notre nous ou par pas plus pour pourquoi qu quand que quel quelle quelles quels qui sa sans ses son sont sur ta
		te tes toi ton tous tout tu un une vos votre vous y`), stops(`
		al como con cual cuando cuanto del desde donde el ella ellos era eres es esta estaba estan este esto estos fue ha hay
		la las lo los mas muy nos nosotros para pero por porque que quien se ser si sin sobre son su sus te tiene todo todos
		tu una unos usted y ya yo`), stops(`
		che chi ci come cosa cui da dal dalla dei della delle di dove e era essere fra gli ha ho il io la le lei li lo loro ma
		mi mio nel nella nelle noi non o per perche piu quale quali quando quanto quella quello questa questo sei si sono su
		sua suo sul tra tu un una uno voi`), stops(`
		ao aos as com da das de dela dele do dos e ela ele em entre essa esse esta este eu foi isso isto ja mais mas me meu
		minha muito na nao nas nem no nos nossa nosso num o onde os ou para pela pelo por porque qual quando quem se sem ser
		seu sua suas tem uma voce`), stops(`
		aan al bij dan dat de deze die dit door een en er geen had heb hebben heeft hem het hij hoe hun iets ik in is je kan
		maar me meer met mijn moet na naar niet nog nu om onder ons onze ook op over te tot uit van veel voor waar waarom
		wanneer was wat we wel werd wie wij zal ze zich zij zijn zo zou`)}
