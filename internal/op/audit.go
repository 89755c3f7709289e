package op

import "github.com/assay-dev/assay/internal/face/audit"

// truth is the operations of face audit.
func truth(f *audit.Face) []Op {
	return []Op{
		define(Op{
			Name:    "audit cite",
			Brief:   "Verify the code that documents quote, word for word",
			Example: "assay audit cite docs/review.md --fix",
			Effect:  Writes,
		}, f.Cite),
		define(Op{
			Name:    "audit check",
			Brief:   "Decide whether documents are grounded enough to hand over",
			Example: "assay audit check docs/review.md",
		}, f.Check),
	}
}
