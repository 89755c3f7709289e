// Package embed turns texts into vectors of unit length whose products say how
// alike the texts are in meaning. Without a provider search works by words alone.
//
// No text reaches a network before redact.Text has seen it, and none at all
// unless a remote provider is configured. No key is part of an error.
package embed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"
)

// A Provider makes vectors. It may be used by several goroutines at once. All are
// tested for the same promises.
type Provider interface {
	// Name identifies what the vectors are comparable with: provider, model and
	// dimensions. An index keeps it.
	Name() string
	// Dims returns the length of the vectors; 0 while it is not known yet.
	Dims() int
	// Embed returns one vector of unit length for each text, in their order, or an
	// error and none. A provider may give zeros for a text without any word.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A Config chooses a provider.
type Config struct {
	Provider string // as config.Providers names them; empty is none
	Model    string // for model2vec its folder; openai has a default
	URL      string // of an openai-compatible service, with or without its /v1
	Key      string // sent as a bearer token unless it is empty
	Dims     int    // what the vectors must have, or are shortened to; 0: what the model gives
	Text     bool   // the texts are ones that people read: static has other vectors for them than for code

	Client  *http.Client                               // nil: one of its own
	Timeout time.Duration                              // of one request; 0: 30 s
	Now     func() time.Time                           // nil: time.Now
	Sleep   func(context.Context, time.Duration) error // nil: waits, or until the context ends
}

// Open returns the provider that cfg describes; nil for none. It asks nobody:
// that a service does not answer shows when it is first used.
func Open(cfg Config) (Provider, error) {
	switch cfg.Provider {
	case "", "none":
		return nil, nil
	case "static":
		return openStatic(cfg.Text)
	case "model2vec":
		return openDirectory(cfg)
	case "openai", "openai-compatible":
		open := openRemote
		if cfg.Provider == "openai" {
			open = openOpenAI
		}
		r, err := open(cfg)
		if err != nil {
			return nil, err // not r: a nil remote would be a Provider
		}
		return r, nil
	}
	return nil, fmt.Errorf("there is no embedding provider %q", cfg.Provider)
}

// A Reason says what kind of trouble an Error is.
type Reason int

// The reasons. Those up to Failed may be gone at the next try.
const (
	Unreachable Reason = iota + 1 // no connection, or no answer in time
	Busy                          // 429, also after some waiting
	Failed                        // 5xx, also after some waiting
	Refused                       // 401, 403, or a redirection to somebody else
	Rejected                      // any other status: the model, the address or a text
	Malformed                     // an answer that is none
	Mismatch                      // vectors of other dimensions than the index has
)

// An Error says why there are no vectors. A caller goes on by words and says so.
type Error struct {
	Reason Reason
	Status int // of the answer; 0 where there was none
	text   string
	cause  error
}

func (e *Error) Error() string { return e.text }

// Unwrap returns the end of the caller's context, if that was the cause.
func (e *Error) Unwrap() error { return e.cause }

// Temporary reports whether the same call may work later.
func (e *Error) Temporary() bool { return e.Reason <= Failed }

// endpoint returns where a service at base takes texts.
func endpoint(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil {
		var parse *url.Error // it quotes the address, which may hold a password
		if errors.As(err, &parse) {
			err = parse.Err
		}
		return nil, fmt.Errorf("the embedding service's address: %v", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the embedding service's address must start with http:// or https:// and name a host")
	}
	u.Fragment = ""
	version := regexp.MustCompile(`(^|/)v[0-9]+[a-z0-9]*(/|$)`)
	switch p := strings.TrimRight(u.Path, "/"); {
	case strings.HasSuffix(p, "/embeddings"):
		u.Path = p
	case version.MatchString(p):
		u.Path = path.Join(p, "embeddings")
	default:
		u.Path = path.Join("/", p, "v1/embeddings")
	}
	u.RawPath = ""
	return u, nil
}
