package audit

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
)

// Tracking asks for tickets.
type Tracking struct {
	Track bool `json:"track,omitempty" flag:"track" help:"open a ticket for each ghost and each module with orphans, and close tickets of fixed ones; needs br or bd"`
	Most  int  `json:"max_tickets,omitempty" flag:"max-tickets" min:"1" max:"1000" default:"20" help:"open at most this many tickets per run"`
	Dry   bool `json:"dry_run,omitempty" flag:"dry-run" help:"show the tickets that --track would open and close, without running a tracker"`
}

// Tracked is what became of the tickets of a run.
type Tracked struct {
	Tickets map[string]string `json:"tickets,omitempty"`         // by feature and by module
	Planned []string          `json:"planned_tickets,omitempty"` // of a dry run: their titles
	Closing []string          `json:"planned_closings,omitempty"`
	Omitted int               `json:"tickets_over_limit,omitempty"`
}

// A tracker makes the tickets of a run, one for each ghost and each module.
type tracker struct {
	in  Tracking
	t   *claims.Tracker // nil in a dry run
	out *Tracked
	n   int
	err error
}

// tracker returns what makes tickets, or nil where none is wanted or none can be made.
func (f *Feature) tracker(ctx context.Context, root string, in Tracking, out *Tracked) *tracker {
	in.Most = cmp.Or(in.Most, 20)
	k := &tracker{in: in, out: out}
	if in.Dry {
		return k
	}
	if !in.Track {
		return nil
	}
	var ok bool
	if k.t, ok = f.cfg.Tracker(root); !ok {
		work.FromContext(ctx).Note("no ticket was made: neither br nor bd is installed")
		return nil
	}
	out.Tickets = map[string]string{}
	return k
}

// make returns the ticket of a key, which it makes where there is none; known are those
// of earlier runs. After an error it makes no more.
func (k *tracker) make(key, title string, create func() (string, error)) (id string) {
	if id, ok := k.out.Tickets[key]; ok {
		return id
	}
	switch {
	case k.err != nil:
		return ""
	case k.n >= k.in.Most:
		k.out.Omitted++
	case k.in.Dry:
		k.n++
		k.out.Planned = append(k.out.Planned, title)
	default:
		k.n++
		if id, k.err = create(); k.err != nil {
			return ""
		}
	}
	k.remember(key, id)
	return id
}

// remember notes the ticket of a key, so that no second one is made for it.
func (k *tracker) remember(key, id string) {
	if k.out.Tickets == nil {
		k.out.Tickets = map[string]string{}
	}
	k.out.Tickets[key] = id
}

func (k *tracker) ghost(ctx context.Context, feature string) string {
	return k.make(feature, claims.GhostTitle(feature), func() (string, error) { return k.t.Ghost(ctx, feature) })
}

func (k *tracker) shadow(ctx context.Context, module string, shade claims.Shade) string {
	return k.make(module, claims.ShadowTitle(module, shade), func() (string, error) { return k.t.Shadow(ctx, module, shade) })
}

// close closes a ticket.
func (k *tracker) close(ctx context.Context, id, reason string) {
	switch {
	case k.in.Dry:
		k.out.Closing = append(k.out.Closing, id)
	case k.err == nil:
		k.err = k.t.Close(ctx, id, reason)
	}
}

// done ends a run: what has no ticket has no entry. A ticket that could not be made is no
// reason to have no report.
func (k *tracker) done(ctx context.Context) {
	for key, id := range k.out.Tickets {
		if id == "" {
			delete(k.out.Tickets, key)
		}
	}
	if k.err != nil {
		work.FromContext(ctx).Note("tickets are not up to date: %v", k.err)
	}
}

// write ends a text with what became of the tickets.
func (k *Tracked) write(w io.Writer) {
	for _, title := range k.Planned {
		fmt.Fprintf(w, "would open: %s\n", text.Line(title))
	}
	for _, id := range k.Closing {
		fmt.Fprintf(w, "would close: %s\n", text.Line(id))
	}
	if k.Omitted > 0 {
		fmt.Fprintf(w, "%d more tickets are over the limit of this run: --max-tickets raises it\n", k.Omitted)
	}
}
