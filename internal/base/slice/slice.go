// Package slice has the one operation on slices that the standard library lacks.
package slice

// Map returns what each item becomes, in their order: nil for no items.
func Map[T, U any](items []T, become func(T) U) []U {
	if len(items) == 0 {
		return nil
	}
	out := make([]U, len(items))
	for i, item := range items {
		out[i] = become(item)
	}
	return out
}
