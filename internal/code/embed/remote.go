package embed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/work"
)

const (
	batchTexts = 128
	batchBytes = 200_000 // about 60,000 tokens: services take no more at once
	maxText    = 24_000  // about 8,000 tokens: models read no further
	maxDims    = 8192
	tries      = 4 // the first and three more, after 1, 2 and 4 seconds
	patience   = time.Minute
	maxMessage = 200
)

// A remote is a service that speaks OpenAI's embeddings protocol
// (platform.openai.com/docs/api-reference/embeddings).
type remote struct {
	kind   string // its provider's name
	model  string
	key    string
	url    *url.URL
	shown  string // the address in messages: no credentials, no query
	want   int    // dimensions that the vectors must have; 0: as they come
	short  int    // dimensions to ask for; 0: as the model has them
	dims   atomic.Int64
	client http.Client
	limit  time.Duration
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
}

func openRemote(cfg Config) (*remote, error) {
	if cfg.Model == "" {
		return nil, errors.New("the embedding model is not named: set embed.model")
	}
	if cfg.Dims < 0 || cfg.Dims > maxDims {
		return nil, fmt.Errorf("%d dimensions: set embed.dims to 1 to %d, or to 0 for what the model gives", cfg.Dims, maxDims)
	}
	u, err := endpoint(cfg.URL)
	if err != nil {
		return nil, err
	}
	r := &remote{kind: cfg.Provider, model: cfg.Model, key: cfg.Key, url: u, shown: u.Scheme + "://" + u.Host + u.Path, want: cfg.Dims,
		limit: cfg.Timeout, now: cfg.Now, sleep: cfg.Sleep}
	if strings.HasPrefix(cfg.Model, "text-embedding-3") {
		r.short = cfg.Dims // these alone are known to understand it
	}
	r.dims.Store(int64(cfg.Dims))
	if cfg.Client != nil {
		r.client = *cfg.Client
	}
	r.client.CheckRedirect = stay
	r.limit = cmp.Or(r.limit, 30*time.Second)
	if r.now == nil {
		r.now = time.Now
	}
	if r.sleep == nil {
		r.sleep = work.Sleep
	}
	return r, nil
}

var errElsewhere = errors.New("it redirects to another place")

// stay follows a redirection only to the same host and by the same means: texts
// and key are for nobody else.
func stay(req *http.Request, via []*http.Request) error {
	first := via[0]
	if req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host || req.Method != first.Method || len(via) > 3 {
		return errElsewhere
	}
	return nil
}

func (r *remote) Name() string {
	name := r.kind + "/" + r.model
	if r.want > 0 {
		name += "/" + strconv.Itoa(r.want)
	}
	return name
}

func (r *remote) Dims() int { return int(r.dims.Load()) }

func (r *remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	var batch []string
	size := 0
	send := func() error {
		if len(batch) == 0 {
			return nil
		}
		vecs, err := r.batch(ctx, batch)
		out = append(out, vecs...)
		batch, size = batch[:0], 0
		return err
	}
	for _, t := range texts {
		t = outgoing(t)
		if len(batch) == batchTexts || size+len(t) > batchBytes {
			if err := send(); err != nil {
				return nil, err
			}
		}
		batch = append(batch, t)
		size += len(t)
	}
	if err := send(); err != nil {
		return nil, err
	}
	return out, nil
}

// outgoing returns t as it may leave the machine.
func outgoing(t string) string {
	clean, n := redact.Text([]byte(t))
	if n > 0 {
		t = string(clean)
	}
	if len(t) > maxText {
		end := maxText
		for !utf8.RuneStart(t[end]) && end > maxText-utf8.UTFMax {
			end--
		}
		t = t[:end]
	}
	if t == "" {
		return " " // services refuse nothing at all
	}
	return t
}

// batch embeds what one request holds, trying again where that may help.
func (r *remote) batch(ctx context.Context, texts []string) ([][]float32, error) {
	q := struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{Model: r.model, Input: texts, Dimensions: r.short}
	body, err := json.Marshal(q)
	if err != nil {
		return nil, fmt.Errorf("embed: %v", err)
	}
	for try := 1; ; try++ {
		vecs, wait, err := r.ask(ctx, body, len(texts))
		if err == nil {
			return vecs, nil
		}
		var e *Error
		if !errors.As(err, &e) || e.Reason != Busy && e.Reason != Failed {
			return nil, err
		}
		wait = max(wait, time.Second<<(try-1))
		end, ends := ctx.Deadline()
		if try == tries || wait > patience || ends && r.now().Add(wait).After(end) {
			return nil, err
		}
		if err := r.sleep(ctx, wait); err != nil {
			return nil, r.ended(ctx, err)
		}
	}
}

// ask sends one request. Wait is how long the service asked to be left alone.
func (r *remote) ask(ctx context.Context, body []byte, n int) (vecs [][]float32, wait time.Duration, err error) {
	limited, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, http.MethodPost, r.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, 0, r.fail(Rejected, 0, "the request cannot be made")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if r.key != "" {
		req.Header.Set("Authorization", "Bearer "+r.key)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, 0, r.unanswered(ctx, err)
	}
	defer resp.Body.Close()
	dims := cmp.Or(r.Dims(), maxDims)
	// No number of an answer takes more than 32 bytes.
	most := int64(1<<20 + n*dims*32)
	if resp.StatusCode != http.StatusOK {
		most = 64 << 10
	}
	text, err := file.ReadUpTo(resp.Body, most)
	large := errors.Is(err, file.ErrTooLarge)
	if err != nil && !large && resp.StatusCode == http.StatusOK {
		return nil, 0, r.unanswered(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, r.retryAfter(resp.Header.Get("Retry-After")), r.status(resp.StatusCode, text)
	}
	if large {
		return nil, 0, r.fail(Malformed, resp.StatusCode, "the answer is larger than %d vectors can be", n)
	}
	vecs, err = r.read(text, n, resp.Header.Get("Content-Type"))
	return vecs, 0, err
}

// retryAfter reads a header that says for how long or until when to wait.
func (r *remote) retryAfter(s string) time.Duration {
	if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && n >= 0 {
		return min(time.Duration(n), 1<<20) * time.Second
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(0, t.Sub(r.now()))
	}
	return 0
}

// read returns the n unit vectors of an answer. Its type is only told where the
// answer is none: services that give vectors do not all call them JSON.
func (r *remote) read(text []byte, n int, kind string) ([][]float32, error) {
	var a struct {
		Data []struct {
			Index     *int   `json:"index"`
			Embedding vector `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &a); err != nil {
		what := ""
		if media, _, err := mime.ParseMediaType(kind); err == nil && media != "application/json" && len(media) < 100 {
			what = ", but " + media
		}
		return nil, r.fail(Malformed, http.StatusOK, "the answer is not what the protocol says%s", what)
	}
	if len(a.Data) != n {
		return nil, r.fail(Malformed, http.StatusOK, "%d vectors for %d texts", len(a.Data), n)
	}
	out := make([][]float32, n)
	for i, d := range a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || out[at] != nil || len(d.Embedding) == 0 {
			return nil, r.fail(Malformed, http.StatusOK, "a text has no vector, or two")
		}
		if len(d.Embedding) > maxDims {
			return nil, r.fail(Malformed, http.StatusOK, "a vector of %d dimensions", len(d.Embedding))
		}
		if !unit(d.Embedding) {
			return nil, r.fail(Malformed, http.StatusOK, "a vector without direction")
		}
		out[at] = d.Embedding
	}
	dims := len(out[0])
	r.dims.CompareAndSwap(0, int64(dims))
	for _, v := range out {
		if len(v) != r.Dims() {
			return nil, r.fail(Mismatch, http.StatusOK, "vectors of %d dimensions where %d were expected", len(v), r.Dims())
		}
	}
	return out, nil
}

// A vector is an array of numbers, all there: encoding/json alone would read null
// as zero.
type vector []float32

func (v *vector) UnmarshalJSON(b []byte) error {
	if bytes.Contains(b, []byte("null")) {
		return errors.New("a number is missing")
	}
	return json.Unmarshal(b, (*[]float32)(v))
}

// unit scales v to length 1; false where it has no direction.
func unit(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsInf(sum, 0) || math.IsNaN(sum) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return true
}

// status returns the error of an answer that is none.
func (r *remote) status(code int, body []byte) error {
	reason := Rejected
	switch {
	case code == http.StatusTooManyRequests:
		reason = Busy
	case code >= 500:
		reason = Failed
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		reason = Refused
	}
	said := r.message(body)
	if said != "" {
		said = ": " + said
	}
	return r.fail(reason, code, "status %d%s", code, said)
}

// message returns what a service says of its failure, fit to be shown.
func (r *remote) message(body []byte) string {
	var a struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &a) != nil {
		return ""
	}
	said := a.Message
	var inner struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(a.Error, &said) != nil && json.Unmarshal(a.Error, &inner) == nil {
		said = inner.Message
	}
	if r.key != "" {
		said = strings.ReplaceAll(said, r.key, "[redacted:key]")
	}
	clean, _ := redact.Text([]byte(said))
	said = strings.Join(strings.Fields(strings.ToValidUTF8(string(clean), "?")), " ")
	if len(said) > maxMessage {
		end := maxMessage
		for !utf8.RuneStart(said[end]) {
			end--
		}
		said = said[:end] + "…"
	}
	return said
}

// unanswered returns the error of a request without an answer.
func (r *remote) unanswered(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return r.ended(ctx, ctx.Err())
	}
	if errors.Is(err, errElsewhere) {
		return r.fail(Refused, 0, "%v", errElsewhere)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return r.fail(Unreachable, 0, "no answer in %v", r.limit)
	}
	var u *url.Error // it quotes the address
	if errors.As(err, &u) {
		err = u.Err
	}
	return r.fail(Unreachable, 0, "%v", err)
}

func (r *remote) ended(ctx context.Context, err error) error {
	text := fmt.Sprintf("embed with %s at %s: %v", r.model, r.shown, context.Cause(ctx)) // nothing to be done about it
	return &Error{Reason: Unreachable, text: text, cause: err}
}

func (r *remote) fail(reason Reason, status int, format string, args ...any) *Error {
	text := fmt.Sprintf("embed with %s at %s: ", r.model, r.shown) + fmt.Sprintf(format, args...)
	if s := r.advice(reason); s != "" {
		text += "; " + s
	}
	return &Error{Reason: reason, Status: status, text: text}
}

// advice says what to do about a failure.
func (r *remote) advice(reason Reason) string {
	own := r.kind == "openai" // there is no address to be wrong
	switch {
	case reason == Unreachable && own:
		return "is there a network? --embed static needs none"
	case reason == Unreachable:
		return "is the service running, and embed.url right?"
	case reason == Busy, reason == Failed:
		return "try again later"
	case reason == Refused && own:
		return "is the key in OPENAI_API_KEY, or in the variable that embed.key_env names, a good one?"
	case reason == Refused:
		return "check embed.url, and the key in the variable that embed.key_env names"
	case reason == Rejected && own:
		return "check embed.model and embed.dims"
	case reason == Rejected, reason == Malformed && !own:
		return "check embed.url and embed.model"
	case reason == Mismatch:
		return "set embed.dims to what the model gives"
	}
	return ""
}
