package brief

import "github.com/assay-dev/assay/internal/base/fault"

// gaps says what the brief does not know, and what tells it.
func (s *session) gaps() {
	if lack := s.out.Lack(); lack != "" {
		s.out.Notes = append(s.out.Notes, lack)
	}
	if s.p == nil {
		return
	}
	if len(s.files) == 0 {
		s.gap("no file has a word of the task", "map")
		return
	}
	outside := 0
	for _, f := range s.out.Frames {
		if f.How == "outside" {
			outside++
		}
	}
	if outside > 0 {
		s.gap(itoa(outside)+" frames are of files outside of this project", "")
	}
	if best := s.files[0]; best.score < s.unsure() {
		s.gap("where it is to be changed is a guess: no file stands out", "search", fault.Arg{Name: "query", Value: echo(s.task)})
	}
	if s.v.Unreadable > 0 {
		s.gap(itoa(s.v.Unreadable)+" files and folders cannot be read", "status")
	}
}
