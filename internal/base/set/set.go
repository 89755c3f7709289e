// Package set makes sets of lists.
package set

// The function Of makes a set of the items of a list.
func Of[K comparable](items []K) map[K]bool {
	return By(items, func(item *K) K { return *item })
}

// By returns the set of the keys of items. A key is taken of a pointer, because some items are large.
func By[T any, K comparable](items []T, key func(*T) K) map[K]bool {
	out := make(map[K]bool, len(items))
	for i := range items {
		out[key(&items[i])] = true
	}
	return out
}

// Add adds items to a set.
func Add[K comparable](to map[K]bool, items ...K) {
	for _, item := range items {
		to[item] = true
	}
}
