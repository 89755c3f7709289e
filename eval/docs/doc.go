// Command docs measures how well and how fast the documentation of libraries is
// found.
//
// It makes questions from the documentation that packages of Debian and npm ship:
// of each link the words that it is on, or its sentence, ask for what it leads to,
// with the section that the link stands in taken away; and headings ask for their
// sections. It asks them of package docs and of plain FTS5, and prints recall,
// reciprocal rank and NDCG by page and by section, and what an answer costs.
// README.md says how to get the data and what the figures mean.
package main
