package bundle

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
)

// The prefixes of keys, each on one line of a file.
const (
	privateHead = "assay-bundle-private-ed25519:"
	publicHead  = "ed25519:"

	maxKey = 4 << 10
)

// KeygenInput asks for a pair of keys.
type KeygenInput struct {
	File string `json:"file" arg:"1" out:"file" help:"the file to write the private key to; the public key goes to FILE.pub"`
}

// A Keypair names the files of a pair of keys.
type Keypair struct {
	Private string `json:"private"` // the file
	Public  string `json:"public"`  // the file
	Key     string `json:"key"`     // the public one
}

// WriteText writes the names of the files and the use of each.
func (k *Keypair) WriteText(w io.Writer, _ bool) error {
	_, err := fmt.Fprintf(w, "private key: %s (signs bundles; keep it secret)\npublic key:  %s (give it to users who apply your bundles)\n%s\n",
		k.Private, k.Public, k.Key)
	return err
}

// Keygen creates a pair of keys. It never replaces an existing file.
func (f *Feature) Keygen(_ context.Context, in KeygenInput) (*Keypair, error) {
	pub, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	at := f.path(in.File)
	dir, name, err := safe.Output(at)
	if err != nil {
		return nil, fault.Unwritten(at, err)
	}
	defer dir.Close()
	out := &Keypair{Private: at, Public: at + ".pub", Key: publicHead + hex.EncodeToString(pub)}
	for _, w := range []struct {
		name, text string
		perm       fs.FileMode
	}{{name + ".pub", out.Key + "\n", 0o644}, {name, privateHead + hex.EncodeToString(key.Seed()) + "\n", 0o600}} {
		err := dir.WriteNew(w.name, []byte(w.text), w.perm)
		if errors.Is(err, fs.ErrExist) {
			return nil, fault.New(fault.Usage, "%s exists, and keygen never replaces a key", filepath.Join(filepath.Dir(at), w.name)).Or("name another file")
		}
		if err != nil {
			return nil, fault.Unwritten(at, err)
		}
	}
	return out, nil
}

// readPrivate reads a private key.
func (f *Feature) readPrivate(name string) (ed25519.PrivateKey, error) {
	if name == "" {
		return nil, fault.New(fault.Usage, "a bundle must be signed: --key is required").Or("assay bundle keygen FILE creates a key; name it with --key FILE")
	}
	text, err := safe.ReadNamed(f.path(name), maxKey)
	if err != nil {
		return nil, readError(name, err)
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(string(text)), privateHead)
	seed, err := hex.DecodeString(rest)
	if !ok || err != nil || len(seed) != ed25519.SeedSize {
		return nil, fault.New(fault.Usage, "%s is not a private key of bundle keygen", name).Or("assay bundle keygen FILE creates one")
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func publicText(key ed25519.PrivateKey) string {
	p, _ := key.Public().(ed25519.PublicKey)
	return formatPublic(p)
}

func formatPublic(p ed25519.PublicKey) string { return publicHead + hex.EncodeToString(p) }

// parsePublic reads a public key as keygen prints it.
func parsePublic(text string) (ed25519.PublicKey, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), publicHead)
	key, err := hex.DecodeString(rest)
	if !ok || err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("a public key must be ed25519: and 64 hexadecimal digits")
	}
	return key, nil
}

// trustedKey returns the public key that a call names, directly or as a file, or else the one in the settings.
func (f *Feature) trustedKey(name string) (ed25519.PublicKey, error) {
	text := name
	switch {
	case name == "" && f.cfg.Key == "":
		return nil, fault.New(fault.Usage, "the bundle's public key is required").
			Or("name the public key of its maker with --key FILE.pub, or store it: assay config set bundle.key ed25519:…")
	case name == "":
		text = f.cfg.Key
	case !strings.HasPrefix(name, publicHead):
		b, err := safe.ReadNamed(f.path(name), maxKey)
		if err != nil {
			return nil, readError(name, err)
		}
		text = string(b)
	}
	key, err := parsePublic(text)
	if err != nil {
		return nil, fault.New(fault.Usage, "invalid public key").Because(err).Or("bundle keygen writes it to FILE.pub, beside the private key")
	}
	return key, nil
}
