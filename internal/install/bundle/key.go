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

// How keys are written, each on one line of a file.
const (
	privateHead = "assay-bundle-private-ed25519:"
	publicHead  = "ed25519:"

	maxKey = 4 << 10
)

// KeygenInput asks for a pair of keys.
type KeygenInput struct {
	File string `json:"file" arg:"1" out:"file" help:"the file to write the private key to; the public key goes to FILE.pub"`
}

// A Keypair says where the keys are.
type Keypair struct {
	Private string `json:"private"` // the file
	Public  string `json:"public"`  // the file
	Key     string `json:"key"`     // the public one
}

// WriteText writes what to do with them.
func (k *Keypair) WriteText(w io.Writer, _ bool) error {
	_, err := fmt.Fprintf(w, "private key: %s (sign with it, and keep it to yourself)\npublic key:  %s (give it to those who apply bundles)\n%s\n", k.Private, k.Public, k.Key)
	return err
}

// Keygen makes a pair of keys, and replaces none.
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
			return nil, fault.New(fault.Usage, "%s exists, and a key is not replaced", filepath.Join(filepath.Dir(at), w.name)).Or("name another file")
		}
		if err != nil {
			return nil, fault.Unwritten(at, err)
		}
	}
	return out, nil
}

// private reads a private key.
func (f *Feature) private(name string) (ed25519.PrivateKey, error) {
	if name == "" {
		return nil, fault.New(fault.Usage, "a bundle is signed, and no key is named").Or("assay bundle keygen FILE makes one; name it with --key FILE")
	}
	text, err := safe.ReadNamed(f.path(name), maxKey)
	if err != nil {
		return nil, unread(name, err)
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(string(text)), privateHead)
	seed, err := hex.DecodeString(rest)
	if !ok || err != nil || len(seed) != ed25519.SeedSize {
		return nil, fault.New(fault.Usage, "%s is not a private key of bundle keygen", name).Or("assay bundle keygen FILE makes one")
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func public(key ed25519.PrivateKey) string {
	p, _ := key.Public().(ed25519.PublicKey)
	return shown(p)
}

func shown(p ed25519.PublicKey) string { return publicHead + hex.EncodeToString(p) }

// parsePublic reads a public key as keygen prints it.
func parsePublic(text string) (ed25519.PublicKey, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), publicHead)
	key, err := hex.DecodeString(rest)
	if !ok || err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("it is not a public key: ed25519: and 64 hexadecimal digits")
	}
	return key, nil
}

// trusted reads the public key that a call names, as a file or directly, or else the one in the settings.
func (f *Feature) trusted(name string) (ed25519.PublicKey, error) {
	text := name
	switch {
	case name == "" && f.cfg.Key == "":
		return nil, fault.New(fault.Usage, "no key says whose bundles may be applied").
			Or("name the public key of who made it with --key FILE.pub, or once and for all: assay config set bundle.key ed25519:…")
	case name == "":
		text = f.cfg.Key
	case !strings.HasPrefix(name, publicHead):
		b, err := safe.ReadNamed(f.path(name), maxKey)
		if err != nil {
			return nil, unread(name, err)
		}
		text = string(b)
	}
	key, err := parsePublic(text)
	if err != nil {
		return nil, fault.New(fault.Usage, "the public key").Because(err).Or("bundle keygen wrote it beside the private one, as FILE.pub")
	}
	return key, nil
}
