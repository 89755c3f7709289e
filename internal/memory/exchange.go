package memory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// An ExchangeReport says what was exchanged with a remote.
type ExchangeReport struct {
	Remote      string           `json:"remote"` // without a password
	Branch      string           `json:"branch"`
	Sent        int              `json:"sent"`
	Received    int              `json:"received"`
	Removed     int              `json:"removed_here"`
	RemovedAway int              `json:"removed_there"`
	Conflicts   []vault.Conflict `json:"conflicts"`
	Skipped     map[string]int   `json:"skipped,omitempty"`
}

// Share merges the notes with those of a remote, and brings the index up to date.
func (f *Feature) Share(ctx context.Context, in ShareInput) (*SyncResult, error) {
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	remote := strings.TrimSpace(in.Remote)
	// A folder that is there is one, as git takes it, whatever its name looks like.
	if at := filepath.Join(f.cfg.WorkDir, remote); remote != "" && !filepath.IsAbs(remote) {
		if st, err := os.Stat(at); err == nil && st.IsDir() {
			remote = at
		}
	}
	x, err := m.Exchange(ctx, vault.Exchange{Remote: remote, Removals: in.Removals})
	if err != nil {
		return nil, err
	}
	out, err := f.sync(ctx, vault.SyncOptions{})
	if err != nil {
		return nil, fault.New(fault.KindOf(err), "the notes are exchanged, but what came cannot be found yet").Because(err).Try("memory rebuild")
	}
	out.Exchange = &ExchangeReport{Remote: x.Remote, Branch: x.Branch, Sent: x.Sent, Received: x.Received, Removed: x.Removed, RemovedAway: x.RemovedAway, Conflicts: append([]vault.Conflict{}, x.Conflicts...), Skipped: x.Skipped}
	return out, nil
}

func (r *ExchangeReport) write(b *render.Answer) {
	fmt.Fprintf(b, "%s: %d notes received, %d sent, %d removed here, %d removed there\n", text.Line(r.Remote), r.Received, r.Sent, r.Removed, r.RemovedAway)
	for _, c := range r.Conflicts {
		fmt.Fprintf(b, "# %s was edited on two machines: what was here is in %s\n", text.Line(c.Path), text.Line(c.Copy))
	}
	leftOut(b, r.Skipped)
}
