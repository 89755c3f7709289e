package lua

import (
	"compress/gzip"
	"io"
	"strings"
)

func (vm *VM) openGzip() {
	vm.lib("gzip", map[string]builtin{"compress": gzipCompress, "decompress": gzipDecompress})
}

func gzipCompress(c call) int {
	b, err := compressed([]byte(c.Str(1)))
	c.Check("gzip.compress", err)
	return c.Return(c.Bytes(b))
}

// gzipDecompress returns the text that was compressed, which may take half of the script's memory.
func gzipDecompress(c call) int {
	h := c.vm.holding(c.vm.memory / 2)
	defer h.end()
	var b []byte
	r, err := gzip.NewReader(strings.NewReader(c.Str(1)))
	if err == nil {
		b, err = io.ReadAll(h.reader(&polledReader{c.vm.ceiling(), r}))
	}
	c.Poll()
	c.Check("gzip.decompress", err)
	return c.Return(c.Bytes(b))
}
