package claims

import (
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/core/index"
)

// neighbours finds the words of some code that mean nearly what another means.
type neighbours struct {
	model *Model
	words []string
	table []float32
	known map[string][]alt
}

// mostNear is how many words may stand for another.
const mostNear = 4

func newNeighbours(m *Model, e *Evidence) *neighbours {
	n := &neighbours{model: m, known: map[string][]alt{}}
	e.posts.Each(func(t string, _ []index.Posting) {
		if len(t) > 2 && len(t) <= 24 && letters(t) {
			n.words = append(n.words, t)
		}
	})
	n.table = make([]float32, len(n.words)*m.Dims)
	for i, w := range n.words {
		m.Embed(n.table[i*m.Dims:(i+1)*m.Dims], []byte(w))
	}
	return n
}

func letters(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// of returns what may stand for a word, nearest first.
func (n *neighbours) of(word string) []alt {
	if got, ok := n.known[word]; ok {
		return got
	}
	v := make([]float32, n.model.Dims)
	n.model.Embed(v, []byte(word))
	var out []alt
	by := weigh()
	for i, w := range n.words {
		dot := vec.Dot(n.table[i*len(v):(i+1)*len(v)], v)
		if dot >= by.nearEnough && w != word {
			out = append(out, alt{w, float64(dot) * by.near})
		}
	}
	slices.SortFunc(out, func(a, b alt) int {
		switch {
		case a.factor > b.factor:
			return -1
		case a.factor < b.factor:
			return 1
		}
		return strings.Compare(a.term, b.term)
	})
	out = out[:min(len(out), mostNear)]
	n.known[word] = out
	return out
}

// synonyms are words that designs and code use for the same, by their stems.
var synonyms = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, group := range strings.Split(strings.TrimSpace(`
		login signin logon authenticate auth
		logout signout
		authentication auth login credential
		authorization authorize permission acl role access
		sso saml oidc oauth identity signon singlesignon
		signup register registration
		mfa twofactor multifactor totp otp 2fa
		rbac rolebased
		delete remove erase drop unset
		create add new insert make
		update modify edit patch set
		fetch get retrieve load download
		list enumerate index
		search find query lookup
		config configuration setting option preference
		cache memoize memo cached
		encrypt cipher aes crypt
		hash digest checksum sha
		compress gzip zip deflate
		notify notification alert
		email mail smtp
		log logging logger trace
		metric telemetry statistic counter
		schedule cron timer periodic
		retry backoff attempt
		throttle limit ratelimit limiter
		upload attach multipart
		export dump serialize write
		import load ingest read
		parse decode unmarshal parser
		format render encode marshal
		validate verify check validator
		websocket socket ws
		database db sql store storage
		queue job worker
		thread goroutine concurrent parallel async
		color colour
		undo revert rollback
		watch observe monitor
		directory folder dir path
		environment env
		parameter argument arg param
		flag option switch
		error err failure
		callback hook handler listener
		comparison compare diff equal
		copy clone duplicate
		translate locale i18n language localization
		pagination page paginate cursor
		merge combine join
		random rand shuffle
		sort order sorted
		iterate iterator loop range each
		count number len size
		json marshal
		terminal tty console cli
	`), "\n") {
		words := strings.Fields(group)
		for _, w := range words {
			for _, o := range words {
				if o != w {
					m[fold(w)] = append(m[fold(w)], fold(o))
				}
			}
		}
	}
	return m
})
