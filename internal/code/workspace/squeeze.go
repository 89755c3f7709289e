package workspace

import (
	"bytes"
	"compress/flate"
	"io"
)

// usual is what the questions of cursors are made of, those at the end most often: a squeezed question
// refers to it. A cursor is good for one state of an index and for the program that made it, so it may change.
const usual = `{"q":"importers","i":{"module":"","q":"imports","q":"inventory","q":"implementers","type":"","q":"hierarchy","q":"dead","q":"path","from":"","to":"",` +
	`"q":"impact","target":"","q":"def","name":"","q":"callees","q":"callers","i":{"function":"","depth":1,"transitive":true,"min_confidence":"name-only",` +
	`"q":"refs","i":{"symbol":"","kind":["write","q":"functions","i":{"pattern":"","min_confidence":"likely","no_tests":true,"tests":true,"limit":50},"o":50,"s":1` +
	`"root":"/","repos":[""],"workspace":"","paths":[""],"lang":["go"],"glob":["*."],"exclude":[""],"regex":true,"ignore_case":true,"smart_case":true,"fixed_strings":true,"word_regexp":true,` +
	`"context":2,"full_section":true,"explain":true,"full":true,"files":true,"intent":"","rationale":"","expect":"","agent":"","lexical":true,"semantic":true,"threshold":0.` +
	`{"query":"","query_sha256":"","least":0.4,"no_tests":true,"budget":4000,"page_size":1,"top_k":10,{"query":"","top_k":20,"least":0.5,"budget":2000,"page_size":10,"references":true}`

// maxSqueezed bounds what a squeezed question may become.
const maxSqueezed = 1 << 20

// Squeeze makes the JSON of a question short.
func Squeeze(question []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriterDict(&b, flate.BestCompression, []byte(usual))
	if err != nil { // of a level that there is not
		return nil
	}
	_, _ = w.Write(question) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// Unsqueeze returns what was squeezed; not ok where nothing was.
func Unsqueeze(squeezed []byte) (question []byte, ok bool) {
	out, err := io.ReadAll(io.LimitReader(flate.NewReaderDict(bytes.NewReader(squeezed), []byte(usual)), maxSqueezed))
	return out, err == nil && len(out) > 0
}
