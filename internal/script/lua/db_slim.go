//go:build slim

package lua

// openDB opens a module that only tells that there is none: the drivers of databases are a tenth of what this build would be.
func (vm *VM) openDB() {
	none := func(c call) int {
		c.Fail("%s: this build has no databases: it was made with -tags slim", c.name)
		return 0
	}
	vm.lib("db", map[string]builtin{"close": none, "connect": none, "execute": none, "query": none})
}
