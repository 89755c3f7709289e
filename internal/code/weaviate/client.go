//go:build team

package weaviate

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Client speaks with a Weaviate over REST and GraphQL, as v1.35 documents them.
type Client struct {
	bases []string // of each node, without a slash at the end
	at    atomic.Int32
	key   string
	http  *http.Client
}

// A Error is an answer that is none: the status and what the server says of it.
type Error struct {
	Status int
	Says   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("weaviate answers %d: %s", e.Status, e.Says)
}

// ErrForeign is of an object that this package has not written.
var ErrForeign = errors.New("an object in Weaviate is not of this program")

// Passes reports whether the server may answer later.
func (e *Error) Passes() bool { return e.Status >= 500 || e.Status == http.StatusTooManyRequests }

// Exists reports whether it says that there is one of the name.
func (e *Error) Exists() bool {
	return e.Status == http.StatusUnprocessableEntity && strings.Contains(e.Says, "already exists")
}

// StatusOf returns the status of an answer that is none, 0 of other errors.
func StatusOf(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Status
	}
	return 0
}

const (
	mostAnswer = 256 << 20        // bytes of an answer
	Patience   = 20 * time.Second // one request may take
	inFlight   = 4                // requests of one call at a time
)

// New returns a client of an address, which may have several hosts with commas
// between them: those of the nodes. A key goes to this machine or over TLS, nowhere else.
func New(at, key string) (*Client, error) {
	c := &Client{key: key}
	scheme, hosts, _ := strings.Cut(at, "://")
	for host := range strings.SplitSeq(hosts, ",") {
		u, err := url.Parse(scheme + "://" + host)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return nil, errors.New("the address of the server is none: want https://HOST:PORT")
		}
		if ip := net.ParseIP(u.Hostname()); key != "" && u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return nil, errors.New("over http the key could be read on the way: want https://")
		}
		c.bases = append(c.bases, strings.TrimSuffix(u.String(), "/")+"/v1")
	}
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // net/http says what it is
	t.MaxIdleConnsPerHost = 4 * inFlight
	c.http = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c, nil
}

// Close ends connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// do sends a request, with in as its body unless that is nil, and reads the answer into out
// unless that is nil. Where a node is away another is asked: whatever is sent twice has the
// name that it had, and is made once.
func (c *Client) do(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	var err error
	for range c.bases {
		at := c.at.Load()
		if err = c.ask(ctx, c.bases[int(at)%len(c.bases)], method, path, body, out); err == nil || StatusOf(err) != 0 || ctx.Err() != nil {
			return err
		}
		c.at.CompareAndSwap(at, (at+1)%int32(len(c.bases)))
	}
	return err
}

func (c *Client) ask(ctx context.Context, base, method, path string, body []byte, out any) error {
	ctx, stop := context.WithTimeout(ctx, Patience)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, method, base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, mostAnswer))
	if err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		return &Error{res.StatusCode, string(data[:min(len(data), 300)])}
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(data, out)
}

// A ID names an object.
type ID [16]byte

func (u ID) String() string {
	h := hex.EncodeToString(u[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func parseID(s string) (u ID, ok bool) {
	b, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	return ID(append(b, make([]byte, 16)...)[:16]), err == nil && len(b) == 16
}

// A Object is an object as it is sent: bytes, with what they are of, or a vector. Of a vector the
// direction counts alone, and in whole numbers it is a third of the text.
type Object struct {
	Class      string  `json:"class"`
	ID         string  `json:"id"`
	Properties content `json:"properties"`
	Vector     []int8  `json:"vector,omitempty"`
}

type content struct {
	Of   string `json:"of,omitempty"` // what it is removed with
	Data string `json:"data"`         // base64
}

func (w content) bytes() ([]byte, error) { return base64.StdEncoding.DecodeString(w.Data) }

func ObjectOf(class string, id ID, of string, data []byte) Object {
	return Object{Class: class, ID: id.String(), Properties: content{of, base64.StdEncoding.EncodeToString(data)}}
}

// Nodes asks how many nodes there are.
func (c *Client) Nodes(ctx context.Context) (int, error) {
	var out struct {
		Nodes []struct {
			Status string `json:"status"`
		} `json:"nodes"`
	}
	err := c.do(ctx, http.MethodGet, "/nodes", nil, &out)
	return len(out.Nodes), err
}

// Insert writes an object, and reports whether there was none of the name: that one stays.
func (c *Client) Insert(ctx context.Context, o Object) (bool, error) {
	err := c.do(ctx, http.MethodPost, "/objects?"+quorum, o, nil)
	if e, ok := errors.AsType[*Error](err); ok && e.Exists() {
		return false, nil
	}
	return err == nil, err
}

// quorum is how many replicas have to have what is written, and to be asked for what is read.
const quorum = "consistency_level=QUORUM"

// mostSent is about how many bytes a request has, and mostObjects how many objects.
const (
	mostSent    = 1 << 20
	mostObjects = 500
)

// Put writes objects; those of the same names are replaced.
func (c *Client) Put(ctx context.Context, objects []Object) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(inFlight)
	for len(objects) > 0 {
		n, size := 0, 0
		for n < len(objects) && n < mostObjects && (n == 0 || size < mostSent) {
			size += len(objects[n].Properties.Data) + 4*len(objects[n].Vector)
			n++
		}
		part := objects[:n]
		objects = objects[n:]
		g.Go(func() error { return c.putOnce(ctx, part) })
	}
	return g.Wait()
}

func (c *Client) putOnce(ctx context.Context, part []Object) error {
	var out []struct {
		Result struct {
			Status string `json:"status"`
			Errors struct {
				Error []struct {
					Message string `json:"message"`
				} `json:"error"`
			} `json:"errors"`
		} `json:"result"`
	}
	if err := c.do(ctx, http.MethodPost, "/batch/objects?"+quorum, map[string]any{"objects": part}, &out); err != nil {
		return err
	}
	if len(out) != len(part) {
		return &Error{http.StatusBadGateway, fmt.Sprintf("%d results of %d objects", len(out), len(part))}
	}
	for _, o := range out {
		if o.Result.Status != "SUCCESS" {
			says := o.Result.Status
			for _, e := range o.Result.Errors.Error {
				says += ": " + e.Message
			}
			return &Error{http.StatusServiceUnavailable, says}
		}
	}
	return nil
}

// One returns what an object has, and false where there is none.
func (c *Client) One(ctx context.Context, class string, id ID) ([]byte, bool, error) {
	var out Object
	err := c.do(ctx, http.MethodGet, "/objects/"+class+"/"+id.String()+"?"+quorum, nil, &out)
	if StatusOf(err) == http.StatusNotFound {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	data, err := out.Properties.bytes()
	return data, true, err
}

// A gotten is an object as GraphQL has it.
type gotten struct {
	Data string `json:"data"`
	More struct {
		ID string `json:"id"`
	} `json:"_additional"`
}

// Query asks GraphQL for objects of a class, of one replica: for a question the server compares what that
// has with the others', and adds nothing that it lacks.
func (c *Client) Query(ctx context.Context, class, args string, each func(id ID, data []byte) error) error {
	q := "{Get{" + class + "(" + args + "){data _additional{id}}}}"
	var out struct {
		Data struct {
			Get map[string][]gotten `json:"Get"`
		} `json:"data"`
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if err := c.do(ctx, http.MethodPost, "/graphql", map[string]string{"query": q}, &out); err != nil {
		return err
	}
	if len(out.Errors) > 0 {
		return &Error{http.StatusServiceUnavailable, out.Errors[0].Message}
	}
	for _, o := range out.Data.Get[class] {
		id, ok := parseID(o.More.ID)
		data, err := base64.StdEncoding.DecodeString(o.Data)
		if !ok || err != nil {
			return fmt.Errorf("%w: of the class %s", ErrForeign, class)
		}
		if err := each(id, data); err != nil {
			return err
		}
	}
	return nil
}

// MostAsked is how many objects are asked for by name at a time.
const MostAsked = 100

// Many returns what objects have. Those that are not there are not among the answers: what the replica
// that was asked does not have, most of them are asked for, which brings it to that one too.
func (c *Client) Many(ctx context.Context, class string, ids []ID) (map[ID][]byte, error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(inFlight)
	parts := make([]map[ID][]byte, (len(ids)+MostAsked-1)/MostAsked)
	for i := range parts {
		part := ids[i*MostAsked : min((i+1)*MostAsked, len(ids))]
		g.Go(func() error {
			parts[i] = map[ID][]byte{}
			names := make([]string, len(part))
			for k, id := range part {
				names[k] = `"` + id.String() + `"`
			}
			args := fmt.Sprintf(`limit:%d,where:{path:["id"],operator:ContainsAny,valueText:[%s]}`, len(part), strings.Join(names, ","))
			if err := c.Query(ctx, class, args, func(id ID, data []byte) error { parts[i][id] = data; return nil }); err != nil {
				return err
			}
			for _, id := range part {
				if _, have := parts[i][id]; have {
					continue
				}
				data, have, err := c.One(ctx, class, id)
				if err != nil {
					return err
				}
				if have {
					parts[i][id] = data
				}
			}
			return nil
		})
	}
	err := g.Wait()
	all := map[ID][]byte{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	return all, err
}

// All gives each object of a class.
func (c *Client) All(ctx context.Context, class string, each func(id ID, data []byte) error) error {
	const page = 1000
	after := ""
	for {
		var out struct {
			Objects []Object `json:"objects"`
		}
		path := fmt.Sprintf("/objects?class=%s&limit=%d&after=%s", class, page, after)
		if err := c.do(ctx, http.MethodGet, path, nil, &out); err != nil {
			return err
		}
		for _, o := range out.Objects {
			id, ok := parseID(o.ID)
			data, err := o.Properties.bytes()
			if !ok || err != nil {
				return fmt.Errorf("%w: of the class %s", ErrForeign, class)
			}
			if err := each(id, data); err != nil {
				return err
			}
			after = o.ID
		}
		if len(out.Objects) < page {
			return nil
		}
	}
}

// Remove removes the objects of a class that a condition holds of.
func (c *Client) Remove(ctx context.Context, class string, where map[string]any) error {
	for {
		var out struct {
			Results struct {
				Matches int `json:"matches"`
				Limit   int `json:"limit"`
				Failed  int `json:"failed"`
			} `json:"results"`
		}
		in := map[string]any{"match": map[string]any{"class": class, "where": where}, "output": "minimal"}
		if err := c.do(ctx, http.MethodDelete, "/batch/objects?"+quorum, in, &out); err != nil {
			return err
		}
		if out.Results.Failed > 0 {
			return &Error{http.StatusServiceUnavailable, "some objects were not removed"}
		}
		if out.Results.Matches == 0 || out.Results.Matches < out.Results.Limit {
			return nil
		}
	}
}

// A Class describes a class of objects: some bytes each, found by name, with a
// vector or without.
type Class struct {
	Class       string         `json:"class"`
	Description string         `json:"description"`
	Vectorizer  string         `json:"vectorizer"`
	Vectors     map[string]any `json:"vectorIndexConfig"`
	Replication map[string]any `json:"replicationConfig,omitempty"`
	Sharding    map[string]any `json:"shardingConfig,omitempty"`
	Properties  []any          `json:"properties,omitempty"`
}

// Create makes a class, and reports whether it was not there: classes are made by consensus
// of the nodes, so of several who make one at a time only one is told that it did.
func (c *Client) Create(ctx context.Context, k Class) (bool, error) {
	k.Vectorizer = "none"
	err := c.do(ctx, http.MethodPost, "/schema", k, nil)
	if e, ok := errors.AsType[*Error](err); ok && e.Exists() {
		return false, nil
	}
	return err == nil, err
}

// Class returns the description of a class, false where there is none.
func (c *Client) Class(ctx context.Context, name string) (string, bool, error) {
	var k Class
	err := c.do(ctx, http.MethodGet, "/schema/"+name+"?consistency=true", nil, &k)
	if StatusOf(err) == http.StatusNotFound {
		return "", false, nil
	}
	return k.Description, err == nil, err
}

func (c *Client) Drop(ctx context.Context, name string) error {
	return c.do(ctx, http.MethodDelete, "/schema/"+name, nil, nil)
}
