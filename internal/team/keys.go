package team

import (
	"crypto/sha256"
	"crypto/tls"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

const (
	maxKey           = 1 << 20
	keyCheckInterval = time.Second // the shortest time between two checks of the files
)

// A keyPair is a certificate and its key, read again when their files change. If the changed files do not belong together,
// the pair read before stays in use.
type keyPair struct {
	files Files
	warn  func(format string, args ...any)
	now   func() time.Time

	mu        sync.Mutex
	lastCheck time.Time
	sum       [sha256.Size]byte
	pair      *tls.Certificate
}

// openKeys reads a pair; both files must be valid when the server starts.
func openKeys(f Files, now func() time.Time, warn func(format string, args ...any)) (*keyPair, error) {
	k := &keyPair{files: f, warn: warn, now: now}
	if err := k.read(); err != nil {
		return nil, fault.New(fault.Usage, "cannot use the certificate and key of tls").Because(err).
			Or("cert and key must be PEM files that belong together, and only their owner may write them")
	}
	if hasMode(f.Key, othersRead) {
		warn("every user of this machine can read the TLS key: run chmod o-r %s", f.Key)
	}
	return k, nil
}

// read reads the files and replaces the pair if they have changed.
func (k *keyPair) read() error {
	cert, err := readProtected(k.files.Cert, maxKey)
	if err != nil {
		return err
	}
	key, err := readProtected(k.files.Key, maxKey)
	if err != nil {
		return err
	}
	h := sha256.New()
	h.Write(cert)
	h.Write([]byte{0})
	h.Write(key)
	sum := [sha256.Size]byte(h.Sum(nil))
	if sum == k.sum {
		return nil
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return err
	}
	k.sum, k.pair = sum, &pair
	return nil
}

// tlsConfig returns the TLS configuration of a server that presents the pair.
func (k *keyPair) tlsConfig() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if now := k.now(); now.Sub(k.lastCheck) >= keyCheckInterval {
			k.lastCheck = now
			if err := k.read(); err != nil {
				k.warn("cannot reload the TLS certificate: %v; the previous one stays in use", err)
			}
		}
		return k.pair, nil
	}}
}
