package brief_test

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/brief"
)

const movedTree = `
-- src/com/example/Cache.java --
package com.example;

class Cache {
    static class Disk {
        String find(String key) { return read(key); }
    }

    static class Memory {
        String find(String key) { return lookup(key); }
    }

    String open(String key) {
        return new Memory().find(key);
    }

    String open(String key, int size) {
        int left = size;
        while (left > 0) {
            left--;
        }
        return close(key);
    }
}
-- src/com/example/store/Disk.java --
package com.example.store;

class Vault {
    void flush() { write(); }
}
-- queue/queue.go --
package queue

type Queue struct{}

type Stack struct{}

func (s *Stack) Pop() error { return nil }

func run() error { return drainEverything() }
-- queue/worker/drain.go --
package worker

func drainEverything() error {
	return nil
}

func main() {}
-- web/cart.js --
function addItem(cart) {
  setTotal(cart)
  cart.sync()
}
const table = { "sumUp": 1 }
-- web/total.js --
export function setTotal(cart) {
  return cart
}
-- lib/new/place.py --
import os


def settle(x):
    return x


os.umask(0)
-- tests/web/cart.js --
function addItem() {}
-- Rakefile --
def content_for(x)
  x.strip
end
-- lib/job.rb --
class Job
  def perform
    each do |x|
      x.run
    end
  end
end
`

// What a trace names is found by its type, by what calls the next frame, in the file that it
// went to; and what is nowhere is said to be gone, not shown as what is on its line now.
func TestMovedFrames(t *testing.T) {
	f, _ := project(t, movedTree, false)
	const java, script = "java.lang.IllegalStateException: x\n\tat ", "TypeError: x\n    at "
	for trace, want := range map[string]string{
		java + "com.example.Cache$Memory.find(Cache.java:5)":                                                       "src/com/example/Cache.java:9 Cache.Memory.find declaration",
		java + "com.example.Cache.close(Cache.java:40)\n\tat com.example.Cache.open(Cache.java:13)":                "src/com/example/Cache.java gone, src/com/example/Cache.java:21 Cache.open call",
		java + "com.example.Cache$Disk.remove(Cache.java:5)":                                                       "src/com/example/Cache.java gone",
		java + "com.example.Cache$Disk.open(Cache.java:5)":                                                         "src/com/example/Cache.java gone", // Cache has it
		java + "com.example.Vault.flush(Vault.java:88)":                                                            "src/com/example/store/Disk.java:4 Vault.flush moved",
		java + "java.util.concurrent.Vault.flush(Vault.java:88)":                                                   "outside",
		"panic: x\n\ngoroutine 1 [running]:\nx/queue.(*Queue).Pop(0x1)\n\t/b/queue/queue.go:7 +0x1":                "queue/queue.go gone",
		"panic: x\n\ngoroutine 1 [running]:\nx/queue.drainEverything()\n\t/b/queue/queue.go:7 +0x1":                "queue/worker/drain.go:3 drainEverything moved",
		"panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/b/cmd/other/start.go:7 +0x1":                          "outside",
		script + "setTotal (/b/web/cart.js:2:1)":                                                                   "web/total.js:1 setTotal moved",
		script + "addItem (/b/web/cart.js:9:1)":                                                                    "web/cart.js:1 addItem declaration", // not that of tests
		script + "forget (/b/web/cart.js:2:1)":                                                                     "web/cart.js gone",
		script + "sumUp (/b/web/cart.js:5:1)":                                                                      "web/cart.js:5 table line", // it may be one
		script + "setTotal (/b/node_modules/x/cart.js:2:1)":                                                        "outside",
		"Traceback (most recent call last):\n  File \"/b/place.py\", line 4, in <module>\n    os.umask(0)\nE: x":   "lib/new/place.py:8 quoted line",
		"Traceback (most recent call last):\n  File \"/b/old/place.py\", line 9, in <module>\n    nothing()\nE: x": "lib/new/place.py:9 moved",
		"/b/Rakefile:9:in 'content_for': x (RuntimeError)":                                                         "Rakefile:1 content_for declaration",
		"lib/job.rb:9:in 'block (2 levels) in Job#perform': x (RuntimeError)":                                      "lib/job.rb:2 Job.perform declaration",
	} {
		b, text := ask(t, f, brief.Input{Task: trace})
		var got []string
		for _, fr := range b.Frames {
			at := place(fr)
			if fr.Line == 0 {
				at = fr.File
			}
			got = append(got, strings.Join(strings.Fields(at+" "+fr.Name+" "+fr.How), " "))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s\nis at %q, want %q\n%s", trace, got, want, text)
		}
		if strings.Contains(want, "gone") && !strings.Contains(text, "(gone since: ") {
			t.Errorf("%s\nit is not said that it is gone:\n%s", trace, text)
		}
	}
}
