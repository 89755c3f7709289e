package claims

import "bytes"

// A name with what it is of is judged as a whole: that some other type has a method of that name says
// nothing of the one that a document speaks of.

// belongs reports whether a type may have a member. It may where one file of the code, tests included, has
// both, or where the type takes members from elsewhere; what the program declares no type of is not known.
func (k *known) belongs(of, member string) bool {
	// A type of one word is called as those of others are.
	if of == "" || of[0] < 'A' || of[0] > 'Z' || !humped(of) || derived.MatchString(member) {
		return true
	}
	k.parse()
	if open, ok := k.typed[of]; open || !ok {
		return true
	}
	return k.together(of, member)
}

// An ownership is a type and a member that it may have.
type ownership struct{ of, member string }

// together reports whether a file has a type and a member, or none has the member. Documents ask it
// for each of thousands of places, of names that thousands of files may have: each pair is looked for once.
func (k *known) together(of, member string) bool {
	asked := ownership{of, member}
	got, ok := k.owned[asked]
	if !ok {
		got = k.search(of, member)
		k.owned[asked] = got
	}
	return got
}

func (k *known) search(of, member string) bool {
	files, ok := k.holding[of]
	if !ok {
		files = map[int32]bool{}
		for _, p := range k.a.ev.posts.Of(exact(of)) {
			files[k.a.ev.spots[p.Place()].file] = true
		}
		k.holding[of] = files
	}
	said := false
	for _, p := range k.a.ev.posts.Of(exact(member)) {
		if said = true; files[k.a.ev.spots[p.Place()].file] {
			return true
		}
	}
	return !said // it is written otherwise, or put together
}

// takesMembers reports whether a type that is declared somewhere in a text may have members of others.
func takesMembers(language string, text []byte, at int) bool {
	switch language {
	case "java", "kotlin", "csharp", "typescript", "python":
	default:
		return true // mixins, macros, prototypes, embedding, extensions and traits are not followed
	}
	line := bytes.LastIndexByte(text[:at], '\n') + 1
	head := text[line:min(len(text), at+longestHead)]
	ends := "{;"
	if language == "python" {
		ends = "\n"
	}
	if end := bytes.IndexAny(head, ends); end >= 0 {
		head = head[:end]
	}
	// An annotation, before it or on its line, may write code for it; of a partial class there is more.
	above := text[max(0, line-longestHead):line]
	above = above[bytes.LastIndexAny(bytes.TrimRight(above, " \t\n"), "\n")+1:]
	above = bytes.TrimSpace(above)
	return inherits.Match(head) || bytes.ContainsAny(head, "@[") || bytes.Contains(head, []byte("partial ")) || len(above) > 0 && (above[0] == '@' || above[0] == '[')
}

// longestHead is how many bytes before its line and after its name the declaration of a type is read.
const longestHead = 300
