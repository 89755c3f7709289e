package graph_test

import (
	"testing"
)

// TestTestDoubles holds that code outside tests does not use what tests put in place of something of the same name, and that what only
// callers are seen to pass is never sure.
func TestTestDoubles(t *testing.T) {
	_, f := project(t, `
-- m/__init__.py --
-- m/tests/__init__.py --
-- m/request.py --
class Request:
    def merge(self, others): pass
    def split(self): pass
-- m/build.py --
class Build:
    def __init__(self, requests, one):
        self.sources = requests[0].merge(requests[1:])
        one.merge([])
        requests[0].lonely()
        self.read = one.merge
        requests[0].split()
-- m/production.py --
from m.build import Build
class Part:
    def split(self): pass
def go():
    Build([Part()], 1)
-- m/tests/test_build.py --
from m.build import Build
class FakeRequest:
    def merge(self, others): pass
    def lonely(self): pass
    def split(self): pass
def test_build():
    requests = [FakeRequest()]
    Build(requests, FakeRequest())
    FakeRequest().merge([])
-- request.ts --
export class Ticket { merge(o) {} }
-- build.ts --
export function build(tickets, one) {
  tickets[0].merge(1);
  one.merge(2);
}
-- build.test.ts --
import { build } from "./build";
class FakeTicket { merge(o) {} }
build([new FakeTicket()], new FakeTicket());
`)
	askEach(t, f, []question{
		{"uses of the class", "refs", "Request.merge", "m/build.py\n     3: self.sources = requests[0].merge(requests[1:])  [in Build.__init__]\n     4: one.merge([])  [in Build.__init__]\n     6: self.read = one.merge", "FakeRequest.merge: 3"},
		{"uses of the double", "refs", "FakeRequest.merge", "     9: FakeRequest().merge([])  [call, exact, in test_build]\n# 1 use", "one.merge([])  [call"},
		{"callers of the double", "callers", "FakeRequest.merge", "     9: FakeRequest().merge([])  [in test_build, exact]", "one.merge([])  [in Build.__init__, "},
		{"a name that only tests have", "callers", "FakeRequest.lonely", "     5: requests[0].lonely()  [in Build.__init__, likely]", "exact"},
		{"one that code passes", "callers", "Part.split", "     7: requests[0].split()  [in Build.__init__, likely]", "exact"},
		{"TypeScript", "refs", "Ticket.merge", "\nbuild.ts\n     2: tickets[0].merge(1);  [in build]\n     3: one.merge(2);  [in build]", "exact"},
	})
}
