package main

import (
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// A registry is one of npm's on a port of this machine: what npm publish sends, npm
// install gets. It has what these two ask for, and no users.
type registry struct {
	server *http.Server
	url    string
	mu     sync.Mutex
	docs   map[string]map[string]any // of each package, as it was published
	files  map[string][]byte         // by the path of their address
}

func newRegistry() (*registry, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &registry{url: "http://" + listener.Addr().String() + "/", docs: map[string]map[string]any{}, files: map[string][]byte{}}
	r.server = &http.Server{Handler: r}
	go func() { _ = r.server.Serve(listener) }() // until it is closed, which is its error
	return r, nil
}

func (r *registry) close() { _ = r.server.Close() }

// ServeHTTP answers PUT and GET of /NAME, and GET of a package's file.
func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := strings.TrimPrefix(req.URL.Path, "/")
	switch data, isFile := r.files[req.URL.Path]; {
	case req.Method == http.MethodPut:
		var doc map[string]any
		err := json.NewDecoder(http.MaxBytesReader(w, req.Body, 256<<20)).Decode(&doc)
		if err == nil {
			err = r.publish(name, doc)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write([]byte(`{"ok": true}`))
	case isFile:
		_, _ = w.Write(data)
	case r.docs[name] != nil:
		_ = json.NewEncoder(w).Encode(r.docs[name])
	default:
		http.Error(w, `{"error": "not found"}`, http.StatusNotFound)
	}
}

// publish keeps a package and its file, whose address becomes one of this registry.
func (r *registry) publish(name string, doc map[string]any) error {
	attachments, _ := doc["_attachments"].(map[string]any)
	delete(doc, "_attachments")
	for file, a := range attachments {
		text, _ := a.(map[string]any)["data"].(string)
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return err
		}
		at := "/" + name + "/-/" + file
		r.files[at] = data
		address, err := url.JoinPath(r.url, at)
		if err != nil {
			return err
		}
		versions, _ := doc["versions"].(map[string]any)
		for _, v := range versions {
			if dist, ok := v.(map[string]any)["dist"].(map[string]any); ok {
				dist["tarball"] = address
			}
		}
	}
	r.docs[name] = doc
	return nil
}
