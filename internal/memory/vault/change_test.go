package vault

import "testing"

func TestEndsStatement(t *testing.T) {
	for _, tt := range []struct {
		name, old, later string
		want             bool
	}{
		{"no longer", "Invoices are rendered with wkhtmltopdf.", "Invoices are no longer rendered with wkhtmltopdf; Chromium prints them.", true},
		{"no longer, of another thing", "Mobile builds are signed by Oskar.", "Desktop builds are no longer signed by Oskar.", false},
		{"no longer, of a part", "Builds are signed by Oskar.", "Desktop builds are no longer signed by Oskar.", false},
		{"no longer, of another value", "Builds are signed by Oskar.", "Builds are no longer signed by Paula.", false},
		{"no longer, in a clause", "Invoices are rendered with wkhtmltopdf.", "Since March, invoices are no longer rendered with wkhtmltopdf.", true},
		{"no longer, only where", "Invoices are rendered with wkhtmltopdf.", "Invoices are no longer rendered with wkhtmltopdf in Berlin.", false},
		{"nicht mehr", "Die Rechnungen werden mit Word gedruckt.", "Die Rechnungen werden nicht mehr mit Word gedruckt.", true},
		{"nicht mehr, of another thing", "Die Angebote werden mit Word gedruckt.", "Die Rechnungen werden nicht mehr mit Word gedruckt.", false},
		{"replaced by", "The data warehouse is Redshift in eu-west-1.", "The data warehouse Redshift was replaced by BigQuery.", true},
		{"replaced by, of another thing", "The event store is Redshift in eu-west-1.", "The data warehouse Redshift was replaced by BigQuery.", false},
		{"instead of", "The billing worker uses RabbitMQ as its queue.", "The billing worker uses Amazon SQS instead of RabbitMQ as its queue.", true},
		{"instead of, with a word twice", "The API listens on port 80, as the proxy expects.", "The API listens on port 90 instead of port 80.", true},
		{"instead of, of another thing", "The mail worker uses RabbitMQ as its queue.", "The billing worker uses Amazon SQS instead of RabbitMQ as its queue.", false},
		{"instead of, of a part", "The billing worker uses RabbitMQ as its queue.", "The billing worker uses Amazon SQS instead of RabbitMQ for refunds.", false},
		{"instead of another", "The billing worker uses NATS as its queue.", "The billing worker uses Amazon SQS instead of RabbitMQ as its queue.", false},
		{"moved from", "The sentry password is in the vault under ops/sentry.", "The sentry password moved from ops/sentry to apps/sentry.", true},
		{"moved from, of another thing", "The grafana password is in the vault under ops/sentry.", "The sentry password moved from ops/sentry to apps/sentry.", false},
		{"moved from elsewhere", "The sentry password is in the vault under ops/sentry.", "The sentry password moved from root/sentry to apps/sentry.", false},
		{"no word of change", "The API listens on port 80.", "The API listens on port 90.", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			old, got := sentencesOf(tt.old), false
			for _, s := range sentencesOf(tt.later) {
				got = got || s.endsStatement(old[0].words)
			}
			if got != tt.want {
				t.Errorf("%q ends %q: %v, want %v", tt.later, tt.old, got, tt.want)
			}
			if tt.want && !speaksOfChange(tt.later) {
				t.Errorf("%q has no word of change", tt.later)
			}
		})
	}
}
