package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"modernc.org/sqlite"

	"github.com/assay-dev/assay/internal/base/file"
)

// Copy writes a consistent copy of the database from to the new file to, page by page, while others read and write from. It
// works for any schema. It returns ErrDamaged if SQLite finds an error in the copy.
func Copy(ctx context.Context, from, to string) error {
	db, err := openReading(ctx, from, 0, func(db *DB) error {
		_, err := versionOf(ctx, db) // a file that is none shows when it is first read
		if err != nil {
			db.Close()
		}
		return err
	})
	if err != nil {
		return err
	}
	defer db.Close()
	copied, err := connect(to, "mode=rwc", 0)
	if err != nil {
		return err
	}
	defer copied.Close()
	if err := pages(ctx, db, copied.dsn); err != nil {
		return Classify(err)
	}
	return quickCheck(ctx, copied.DB)
}

// pages copies all of them: some thousand at a time, so that a call can be ended.
func pages(ctx context.Context, db *DB, dsn string) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driver any) (err error) {
		b, err := driver.(interface {
			NewBackup(dsn string) (*sqlite.Backup, error)
		}).NewBackup(dsn)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, b.Finish()) }()
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = b.Step(4096)
			}
		}
		return err
	})
}

// Replace puts the closed database at from, in the same folder, in the place of the one at
// path, if there is one, which is given the name aside. While others have that open, the
// error is ErrShared and nothing has changed.
func Replace(ctx context.Context, path, from, aside string) error {
	dir, err := openFolder(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	unlock, err := file.Lock(ctx, path+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	name := filepath.Base(path)
	if _, err := dir.Lstat(name); err == nil {
		if err := mergeLog(ctx, path); err != nil {
			return err
		}
		if err := dir.Rename(name, filepath.Base(aside)); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// A log that is left without its database belongs to nothing.
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if err := dir.Remove(name + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := dir.Rename(filepath.Base(from), name); err != nil {
		return err
	}
	return dir.SyncDir(".")
}

// Alone returns ErrShared where others have the database at path open. It leaves one that
// nobody has as one file.
func Alone(ctx context.Context, path string) error {
	dir, err := openFolder(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	unlock, err := file.Lock(ctx, path+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	return mergeLog(ctx, path)
}

// mergeLog merges the log of the database at path into its file, so that it is one file that nobody has open. A file that is
// not a database is left unchanged.
func mergeLog(ctx context.Context, path string) error {
	db, err := connect(path, "mode=rw", 0)
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err == nil {
		defer conn.Close()
		var mode string
		if _, err = conn.ExecContext(ctx, "PRAGMA busy_timeout = 500"); err == nil {
			err = conn.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
		}
		if err == nil && mode != "delete" || code(err) == busy || code(err) == locked {
			return fmt.Errorf("%s: %w", path, ErrShared)
		}
	}
	if err = Classify(fromHeader(err)); errors.Is(err, ErrDamaged) {
		return nil
	}
	return err
}
