package lua

import "sync"

// ballast is memory that is never touched, so that no system gives it a page. Go's collector runs when the heap has grown by as much as
// was alive, which of a small script is a few megabytes: it would run a hundred times a second for what C Lua frees at its end. With
// the ballast counted as alive it waits until there is as much garbage.
var ballast = sync.OnceValue(func() []byte { return make([]byte, ballastBytes) })

const ballastBytes = 32 << 20
