package team

import (
	"crypto/sha256"
	"crypto/tls"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

const (
	maxKey   = 1 << 20
	keyEvery = time.Second // how often the files are looked at, at most
)

// A keyPair is a certificate and its key, read again when their files change. Files that
// were changed and do not fit together change nothing: the pair before them stays.
type keyPair struct {
	files Files
	tell  func(format string, args ...any)
	now   func() time.Time

	mu     sync.Mutex
	looked time.Time
	sum    [sha256.Size]byte
	pair   *tls.Certificate
}

// openKeys reads a pair, which has to be right at first.
func openKeys(f Files, now func() time.Time, tell func(format string, args ...any)) (*keyPair, error) {
	k := &keyPair{files: f, tell: tell, now: now}
	if err := k.read(); err != nil {
		return nil, fault.New(fault.Usage, "tls").Because(err).Or("cert and key are files in PEM that belong to each other, and that others may not write")
	}
	if permits(f.Key, othersRead) {
		tell("every user of this machine may read the key of tls: chmod o-r %s", f.Key)
	}
	return k, nil
}

// read reads the files where they changed.
func (k *keyPair) read() error {
	cert, err := readOwn(k.files.Cert, maxKey)
	if err != nil {
		return err
	}
	key, err := readOwn(k.files.Key, maxKey)
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

// config is that of a server with the pair.
func (k *keyPair) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		if now := k.now(); now.Sub(k.looked) >= keyEvery {
			k.looked = now
			if err := k.read(); err != nil {
				k.tell("the certificate cannot be read again, so the one before counts: %v", err)
			}
		}
		return k.pair, nil
	}}
}
