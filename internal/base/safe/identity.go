package safe

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
)

// An Identity is a secret of one user on one machine. A folder that bears its mark was
// made by this user here: an archive or a repository cannot know the secret, and a copy
// of a marked folder is another folder. The zero Identity marks nothing and owns nothing.
type Identity struct{ secret string }

// Mark is the name of the file that marks a folder.
const Mark = "owner"

const (
	identityFile = "identity"
	identitySize = 64 // hexadecimal digits
	markHead     = "assay owner 1 "
)

// OpenIdentity reads the identity kept in the first of dirs that has one, and else makes
// one in the first that can be written. dirs are the user's own, outside any tree.
func OpenIdentity(dirs ...string) (Identity, error) {
	var errs []error
	for _, dir := range dirs {
		id, err := readIdentity(dir)
		if err == nil {
			return id, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	for _, dir := range dirs {
		id, err := makeIdentity(dir)
		if err == nil {
			return id, nil
		}
		errs = append(errs, err)
	}
	return Identity{}, errors.Join(errs...)
}

func readIdentity(dir string) (Identity, error) {
	r, err := OpenRoot(dir)
	if err != nil {
		return Identity{}, err
	}
	defer r.Close()
	b, err := r.ReadFile(identityFile, 1<<10)
	if err != nil {
		return Identity{}, err
	}
	secret := strings.TrimSpace(string(b))
	r.Tidy(".")
	if _, err := hex.DecodeString(secret); err != nil || len(secret) != identitySize {
		return Identity{}, fmt.Errorf("%s contains no valid identity: delete it; the indexes are then rebuilt", filepath.Join(dir, identityFile))
	}
	return Identity{secret}, nil
}

func makeIdentity(dir string) (Identity, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Identity{}, err
	}
	r, err := OpenRoot(dir)
	if err != nil {
		return Identity{}, err
	}
	defer r.Close()
	var b [identitySize / 2]byte
	rand.Read(b[:])
	secret := hex.EncodeToString(b[:])
	err = r.WriteNew(identityFile, []byte(secret+"\n"), 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was first
		return readIdentity(dir)
	}
	return Identity{secret}, err
}

// ErrForeign says that a folder is not one that this user made on this machine.
var ErrForeign = errors.New("it was not created by you on this machine")

// mark returns the mark that the folder must contain. It includes the folder's inode number, because a mark must not be
// valid in a copy.
func (id Identity) mark(r *Root) (string, error) {
	number, err := r.number()
	if err != nil {
		return "", err
	}
	h := hmac.New(sha256.New, []byte(id.secret))
	fmt.Fprintf(h, "folder %s", number)
	return markHead + hex.EncodeToString(h.Sum(nil)) + "\n", nil
}

// Owns returns nil where r bears the mark of id, and else an error that wraps ErrForeign
// or says why that cannot be told.
func (id Identity) Owns(r *Root) error {
	if id.secret == "" {
		return ErrForeign
	}
	have, err := r.ReadFile(Mark, 1<<10)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrLink) || errors.Is(err, ErrNotFile) || errors.Is(err, ErrTooLarge) {
		return ErrForeign
	}
	if err != nil {
		return err
	}
	want, err := id.mark(r)
	if err == nil && !hmac.Equal(have, []byte(want)) {
		err = ErrForeign
	}
	return err
}

// Free returns nil where the folder rel below r bears the mark of id, or is empty or not
// there, so that Folder can make it.
func (id Identity) Free(r *Root, rel string) error {
	sub, err := r.Sub(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer sub.Close()
	err = id.Owns(sub)
	if errors.Is(err, ErrForeign) {
		if list, e := sub.ReadDir("."); e == nil && len(list) == 0 {
			return nil
		}
	}
	return err
}

// Folder makes the folder rel below r and marks it, unless it is there: then it must be
// marked. A folder is complete when it gets its name, so that of several processes none
// finds one without its mark. An empty folder that is in the way is replaced. The folder
// above is tidied.
func (id Identity) Folder(r *Root, rel string) error {
	r.Tidy(path.Dir(filepath.ToSlash(rel)))
	for range 3 {
		if err := id.Free(r, rel); err != nil {
			return err
		}
		// A missing or empty folder can be marked; a folder of ours is not empty.
		if _, err := r.Lstat(path.Join(filepath.ToSlash(rel), Mark)); err == nil {
			return nil
		}
		if err := id.make(r, rel); err == nil || !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return ErrForeign
}

func (id Identity) make(r *Root, rel string) error {
	if id.secret == "" {
		return errors.New("no identity is available to mark it")
	}
	rel = filepath.ToSlash(rel)
	up := path.Dir(rel)
	if err := r.MkdirAll(up, 0o755); err != nil {
		return err
	}
	tmp := path.Join(up, file.TemporaryName())
	if err := r.Mkdir(tmp, 0o700); err != nil {
		return err
	}
	err := id.put(r, tmp)
	if err == nil {
		err = r.renameDir(tmp, rel)
	}
	if err != nil {
		_ = errors.Join(r.unlink(tmp+"/"+Mark), r.RemoveDir(tmp)) // nobody else knows of it
	}
	return err
}

func (id Identity) put(r *Root, rel string) error {
	sub, err := r.Sub(rel)
	if err != nil {
		return err
	}
	defer sub.Close()
	return id.Adopt(sub)
}

// Adopt marks a folder as it is. The caller knows that nothing in it can be taken for
// ours that is not.
func (id Identity) Adopt(r *Root) error {
	mark, err := id.mark(r)
	if err != nil {
		return err
	}
	return r.Write(Mark, []byte(mark), 0o600)
}
