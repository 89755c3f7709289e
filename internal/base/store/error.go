package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// An Error is an error of SQLite whose message describes the problem of the file or its disk.
type Error struct {
	says  string
	cause error
}

func (e *Error) Error() string { return e.says }
func (e *Error) Unwrap() error { return e.cause }

// Classify returns err in plain words where it is SQLite's, and wrapped as ErrDamaged
// where the file is at fault: SQLite says so, or a column holds a value that its owner
// never writes there.
func Classify(err error) error {
	if err == nil || errors.Is(err, ErrDamaged) {
		return err
	}
	if _, done := errors.AsType[*Error](err); done {
		return err
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		if says := describeCode(e.Code()); says != "" {
			// Keep the operation in front of it.
			err = &Error{strings.Replace(err.Error(), e.Error(), fmt.Sprintf("%s (SQLite error %d)", says, e.Code()), 1), err}
		}
	}
	// Package sql has no error value for a value of another kind.
	if c := code(err); c == corrupt || c == notADB || strings.HasPrefix(err.Error(), "sql: Scan error") {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return err
}

// describeCode returns a description of an extended result code, or "" if SQLite's own message describes a statement and has more
// detail.
func describeCode(extended int) string {
	switch extended {
	case sqlite3.SQLITE_READONLY_DIRECTORY:
		return "its folder is not writable"
	case sqlite3.SQLITE_READONLY_DBMOVED:
		return "the file was moved or deleted while it was open"
	case sqlite3.SQLITE_IOERR_NOMEM, sqlite3.SQLITE_IOERR_SHMMAP:
		return "there is not enough memory"
	case sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_FSTAT, sqlite3.SQLITE_IOERR_ACCESS, sqlite3.SQLITE_IOERR_SEEK:
		return "the disk cannot be read"
	case sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_RDLOCK, sqlite3.SQLITE_IOERR_UNLOCK, sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK, sqlite3.SQLITE_IOERR_SHMLOCK:
		return "its file system cannot lock files"
	case sqlite3.SQLITE_IOERR_CORRUPTFS:
		return "its file system is corrupt"
	case sqlite3.SQLITE_CANTOPEN_ISDIR:
		return "it is a folder"
	case sqlite3.SQLITE_CANTOPEN_SYMLINK:
		return "it is a link"
	}
	switch extended & 0xff {
	case busy, locked, sqlite3.SQLITE_PROTOCOL:
		return "another program is using it"
	case sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return "permission denied"
	case readOnly:
		return "it is read-only"
	case sqlite3.SQLITE_NOMEM:
		return "there is not enough memory"
	case ioErr:
		return "its disk is full or failing"
	case full:
		return "its disk is full"
	case cantOpen:
		return "it, or a file of it, cannot be opened"
	case corrupt:
		return "it is corrupt"
	case notADB:
		return "it is not a database"
	case sqlite3.SQLITE_INTERRUPT:
		return "it was interrupted"
	case sqlite3.SQLITE_TOOBIG:
		return "a value is too large"
	case sqlite3.SQLITE_NOLFS:
		return "its file system does not support files of this size"
	}
	return ""
}

// Unwritable reports whether err means that the disk is full, failing or read-only.
func Unwritable(err error) bool {
	switch code(err) {
	case readOnly, ioErr, full:
		return true
	}
	causes := []error{syscall.EIO, syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT, syscall.EFBIG}
	return slices.ContainsFunc(causes, func(cause error) bool { return errors.Is(err, cause) })
}

// Environmental reports whether the file, its disk or another program caused err, and not a defect of assay.
func Environmental(err error) bool {
	_, plain := errors.AsType[*Error](Classify(err))
	return plain || Unwritable(err) || errors.Is(err, errNoLine) || errors.Is(err, ErrBusy)
}

// errNoLine says that the file by which writers wait in line cannot be had.
var errNoLine = errors.New("nothing can be written")

// SQLite's primary result codes.
const (
	busy     = sqlite3.SQLITE_BUSY
	locked   = sqlite3.SQLITE_LOCKED
	readOnly = sqlite3.SQLITE_READONLY // of a folder too: a log cannot be made there
	ioErr    = sqlite3.SQLITE_IOERR    // the disk fails, or a limit on the size of files is met
	corrupt  = sqlite3.SQLITE_CORRUPT
	full     = sqlite3.SQLITE_FULL
	generic  = sqlite3.SQLITE_ERROR
	cantOpen = sqlite3.SQLITE_CANTOPEN
	notADB   = sqlite3.SQLITE_NOTADB
)

// code returns SQLite's primary result code of an error, or 0.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}
