package lua

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"hash"
	"math/big"
	"slices"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

func (vm *VM) openCrypto() {
	vm.lib("crypto", map[string]builtin{
		"hash": cryptoHash, "hmac": cryptoHMAC, "jwt_sign": cryptoJWTSign, "jwt_verify": cryptoJWTVerify, "random": cryptoRandom,
	})
}

const hashNames = "sha224, sha256, sha384, sha512, sha3-224, sha3-256, sha3-384, sha3-512"

func (c call) hash(name string) func() hash.Hash {
	switch strings.ToLower(name) {
	case "sha224":
		return sha256.New224
	case "sha256":
		return sha256.New
	case "sha384":
		return sha512.New384
	case "sha512":
		return sha512.New
	case "sha3-224":
		return func() hash.Hash { return sha3.New224() }
	case "sha3-256":
		return func() hash.Hash { return sha3.New256() }
	case "sha3-384":
		return func() hash.Hash { return sha3.New384() }
	case "sha3-512":
		return func() hash.Hash { return sha3.New512() }
	}
	c.Fail("%s: unsupported algorithm: %s (supported: %s)", c.name, name, hashNames)
	return nil
}

// digest hashes a string in pieces, which are copied.
func (c call) digest(h hash.Hash, s string) {
	for len(s) > 0 {
		n := min(len(s), 1<<16)
		h.Write([]byte(s[:n]))
		s = s[n:]
		c.Step(n >> 4)
	}
}

func cryptoHash(c call) int {
	h := c.hash(c.OptStr(2, "sha256"))()
	c.digest(h, c.Str(1))
	return c.str(hex.EncodeToString(h.Sum(nil)))
}

func cryptoHMAC(c call) int {
	h := hmac.New(c.hash(c.OptStr(3, "sha256")), []byte(c.Str(1)))
	c.digest(h, c.Str(2))
	sum := h.Sum(nil)
	if c.Arg(4).Truth() {
		return c.Return(c.Bytes(sum))
	}
	return c.str(hex.EncodeToString(sum))
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func cryptoRandom(c call) int {
	n := c.OptInt(1, 32)
	if n <= 0 {
		c.Fail("crypto.random: length must be positive, got %d", n)
	}
	c.Room(n)
	b := make([]byte, n)
	size, chance := big.NewInt(int64(len(alphabet))), c.vm.chance()
	if chance == nil {
		chance = rand.Reader
	}
	for i := range b {
		c.Step(1)
		x, err := rand.Int(chance, size)
		c.Check("crypto.random", err)
		b[i] = alphabet[x.Int64()]
	}
	return c.Return(c.Bytes(b))
}

// signatures are the algorithms of crypto.jwt_sign (RFC 7518, section 3; RFC 8037).
var signatures = []string{
	"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
	"HS256", "HS384", "HS512",
}

// cryptoJWTSign signs claims (RFC 7519) with a private key in PEM or, for HS256 and its like, with a secret.
func cryptoJWTSign(c call) int {
	claims, ok := c.asTable(1)
	c.FailIf(!ok, "crypto.jwt_sign: first argument must be a claims table")
	opts := c.options(4)
	alg := c.OptStr(3, "RS256")
	if !slices.Contains(signatures, alg) {
		c.Fail("crypto.jwt_sign: unsupported algorithm: %s (supported: %s)", alg, strings.Join(signatures, ", "))
	}
	key, err := signingKey(alg, c.Str(2))
	c.Check("crypto.jwt_sign", err)
	head := map[string]string{"alg": alg, "typ": "JWT"}
	if v := opts.GetField("kid"); !v.IsNil() {
		if head["kid"], ok = v.AsString(); !ok {
			c.Fail("crypto.jwt_sign: kid must be a string")
		}
	}
	header, err := json.Marshal(head)
	c.Check("crypto.jwt_sign", err)
	body := []byte("{}")
	if n, list := claims.List(); !list || n > 0 {
		if body, err = c.appendJSON(nil, claims.Of()); err != nil {
			c.Fail("crypto.jwt_sign: %v", err)
		}
	}
	enc := base64.RawURLEncoding
	text := enc.EncodeToString(header) + "." + enc.EncodeToString(body)
	sig, err := jwt.GetSigningMethod(alg).Sign(text, key)
	c.Check("crypto.jwt_sign", err)
	return c.str(text + "." + enc.EncodeToString(sig))
}

// maxKey is how long a key may be as text: one of 16384 bits is. Signing takes time with
// the third power of it, and nothing can stop it.
const maxKey = 16 << 10

// signingKey reads the key of an algorithm.
func signingKey(alg, text string) (any, error) {
	if strings.HasPrefix(alg, "HS") {
		switch {
		case text == "":
			return nil, errors.New("the secret is empty")
		case strings.Contains(text, "-----BEGIN "):
			return nil, fmt.Errorf("%s wants a secret, and this is a key in PEM", alg)
		}
		return []byte(text), nil
	}
	key, err := privateKey(text)
	if err != nil {
		return nil, fmt.Errorf("invalid PEM key: %w", err)
	}
	var fits bool
	kind := "an RSA key"
	switch alg[:2] {
	case "RS", "PS":
		_, fits = key.(*rsa.PrivateKey)
	case "ES":
		kind = "an EC key"
		_, fits = key.(*ecdsa.PrivateKey)
	default:
		kind = "an Ed25519 key"
		_, fits = key.(ed25519.PrivateKey)
	}
	if !fits {
		return nil, fmt.Errorf("invalid PEM key: not %s, which %s wants", kind, alg)
	}
	return key, nil
}

// privateKey reads one in PKCS #1, PKCS #8 or SEC 1.
func privateKey(text string) (any, error) {
	if len(text) > maxKey {
		return nil, fmt.Errorf("larger than %d bytes", maxKey)
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("no PEM block")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("neither PKCS#1 nor PKCS#8")
	}
	return key, nil
}
