package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/assay-dev/assay/internal/base/safe"
)

// maxImage bounds the bytes of a database and its log that are read into memory.
const maxImage = 1 << 30

// openImage opens a copy in memory of the database at path, including its log. It needs neither shared memory nor locks, so
// that any number of processes can use it at once.
func openImage(ctx context.Context, path string) (*DB, error) {
	image, err := readImage(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file::memory:?_defensive=1&_dqs=0&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // another connection would be another database
	db.SetMaxIdleConns(1)
	conn, err := db.Conn(ctx)
	if err == nil {
		err = conn.Raw(func(driver any) error { return driver.(interface{ Deserialize([]byte) error }).Deserialize(image) })
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "PRAGMA query_only = 1")
	}
	if conn != nil {
		err = errors.Join(err, conn.Close())
	}
	if err != nil {
		db.Close()
		return nil, Classify(err)
	}
	return &DB{DB: db, ReadOnly: true, Immutable: true, path: path, idle: 1}, nil
}

// readImage returns the content of the database at path including the commits in its log. If another process writes
// meanwhile, it reads again.
func readImage(path string) ([]byte, error) {
	for range 5 {
		before, err := sizes(path)
		if err != nil {
			return nil, err
		}
		if before[0].Size() > maxImage || before[1].Size() > maxImage {
			return nil, fmt.Errorf("%s has a log and more than %d MB: free some space on its disk to read it", path, maxImage>>20)
		}
		image, err := readAll(path, before[0])
		if err != nil {
			return nil, err
		}
		log, err := readAll(path+"-wal", before[1])
		if err != nil {
			return nil, err
		}
		after, err := sizes(path)
		if err != nil {
			return nil, err
		}
		if !same(before[0], after[0]) || !same(before[1], after[1]) {
			continue
		}
		if image = replay(image, log); len(image) < 100 {
			return nil, fmt.Errorf("%w: %s is not a database", ErrDamaged, path)
		}
		image[18], image[19] = 1, 1 // a database in memory has no log
		return image, nil
	}
	return nil, fmt.Errorf("other processes write to %s without a pause", path)
}

func sizes(path string) (st [2]fs.FileInfo, err error) {
	for i, name := range []string{path, path + "-wal"} {
		if st[i], err = os.Lstat(name); err != nil {
			return st, err
		}
		if !st[i].Mode().IsRegular() {
			return st, fmt.Errorf("open %s: not a file", name)
		}
	}
	return st, nil
}

func same(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func readAll(path string, st fs.FileInfo) ([]byte, error) {
	f, err := safe.OpenNamed(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, st.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // the caller sees that it changed
	}
	return data[:n], err
}

// replay puts into a database the pages that its log has for it, up to the last commit
// that is whole: https://www.sqlite.org/fileformat2.html#walformat
func replay(image, log []byte) []byte {
	const header, frame = 32, 24
	be := binary.BigEndian
	if len(log) < header || be.Uint32(log)&^1 != 0x377f0682 || be.Uint32(log[4:]) != 3007000 {
		return image
	}
	size := int(be.Uint32(log[8:]))
	var order binary.ByteOrder = binary.LittleEndian
	if be.Uint32(log)&1 != 0 {
		order = binary.BigEndian
	}
	var a, b uint32
	add := func(p []byte) {
		for ; len(p) >= 8; p = p[8:] {
			a += order.Uint32(p) + b
			b += order.Uint32(p[4:]) + a
		}
	}
	add(log[:24])
	validSize := size >= 512 && size <= 65536 && size&(size-1) == 0
	if !validSize || be.Uint32(log[24:]) != a || be.Uint32(log[28:]) != b {
		return image
	}
	pages := map[uint32][]byte{} // of the transaction that has not been committed yet
	for rest := log[header:]; len(rest) >= frame+size; rest = rest[frame+size:] {
		page, total := be.Uint32(rest), be.Uint32(rest[4:])
		add(rest[:8])
		add(rest[frame : frame+size])
		if page == 0 || string(rest[8:16]) != string(log[16:24]) || be.Uint32(rest[16:]) != a || be.Uint32(rest[20:]) != b {
			break
		}
		pages[page] = rest[frame : frame+size]
		if total == 0 {
			continue
		}
		length := int(total) * size
		if length > maxImage {
			return image
		}
		if length > len(image) {
			image = append(image, make([]byte, length-len(image))...)
		}
		image = slices.Clip(image[:length])
		for n, data := range pages {
			if at := int(n-1) * size; at < length {
				copy(image[at:], data)
			}
		}
		clear(pages)
	}
	return image
}
