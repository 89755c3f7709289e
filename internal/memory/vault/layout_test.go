package vault

import (
	"testing"

	"github.com/assay-dev/assay/internal/base/store/storetest"
)

func TestLayout(t *testing.T) { storetest.Layout(t, schema()) }
