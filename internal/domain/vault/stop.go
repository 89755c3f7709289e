package vault

import (
	"strings"
	"unicode"
)

// language returns the language of a question, as an index of stopLists: the one
// in which most of its words are grammar. Without any it is English.
func language(words []string) int {
	best, most := 0, 0
	for i, list := range stopLists {
		n := 0
		for _, w := range words {
			if _, ok := list[w]; ok {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// stop reports whether a folded word of a question in a language says nothing of
// what is asked for. What is grammar in one language is a thing in another: "son",
// "war" and "door" are.
func stop(lang int, form string) bool {
	if _, ok := stopLists[lang][form]; ok {
		return true
	}
	// Two characters of Hiragana are mostly grammar.
	n := 0
	for _, r := range form {
		if !unicode.Is(unicode.Hiragana, r) && r != 'ー' {
			return false
		}
		n++
	}
	return n > 0 && n <= 2
}

// stopLists are the words that carry grammar, folded, in English, German, French,
// Spanish, Italian, Portuguese and Dutch.
var stopLists = func() (lists [7]map[string]struct{}) {
	for i, words := range [...]string{`
		a about after again all also although am an and any are as at be became because been before being both but by can could did do does doing
		done during each either else ever every for from further get gets getting given got had has have having he her here hers him his how i if in
		into is it its itself just let like ll many may me might more most much must my myself no nor not of off on once only or other our ours out
		over own per please re s same shall she should since so some such t than that the their theirs them then there these they this those though
		through to too under until up upon us ve very was we were what when where whether which while who whom whose why will with within without
		would you your yours d m don doesn didn isn wasn won tell know remember recall`, `
		aber alle als also am an auch auf aus bei beim bin bis da damit dann das dass dem den denn der des dich die dir doch du durch ein eine einem
		einen einer eines er es euch fur gegen hab habe haben hat hatte hatten ich ihm ihn ihr ihre im ist ja jede jeder kann kein keine konnen mal
		man mehr mein meine mich mir mit muss nach nicht noch nur ob oder ohne schon sehr sein seine seit sich sie sind sollen soll uber um und uns
		unser unsere unter viel vom von vor wann war waren warum was weil welche welcher welches wenn wer werden wie wieder wir wird wo wurde wurden
		zu zum zur`, `
		au aux avec ce ces cette comme dans de du elle en est et etait ete etre il ils je la le les leur lui mais meme mes mon ne nos notre nous ou
		par pas plus pour pourquoi qu quand que quel quelle quelles quels qui sa sans ses son sont sur ta te tes toi ton tous tout tu un une vos
		votre vous y`, `
		al como con cual cuando cuanto del desde donde el ella ellos era eres es esta estaba estan este esto estos fue ha hay la las lo los mas muy
		nos nosotros para pero por porque que quien se ser si sin sobre son su sus te tiene todo todos tu una unos usted y ya yo`, `
		che chi ci come cosa cui da dal dalla dei della delle di dove e era essere fra gli ha ho il io la le lei li lo loro ma mi mio nel nella
		nelle noi non o per perche piu quale quali quando quanto quella quello questa questo sei si sono su sua suo sul tra tu un una uno voi`, `
		ao aos as com da das de dela dele do dos e ela ele em entre essa esse esta este eu foi isso isto ja mais mas me meu minha muito na nao
		nas nem no nos nossa nosso num o onde os ou para pela pelo por porque qual quando quem se sem ser seu sua suas tem uma voce`, `
		aan al bij dan dat de deze die dit door een en er geen had heb hebben heeft hem het hij hoe hun iets ik in is je kan maar me meer met mijn
		moet na naar niet nog nu om onder ons onze ook op over te tot uit van veel voor waar waarom wanneer was wat we wel werd wie wij zal ze zich
		zij zijn zo zou`} {
		lists[i] = map[string]struct{}{}
		for w := range strings.FieldsSeq(words) {
			lists[i][w] = struct{}{}
		}
	}
	return lists
}()
