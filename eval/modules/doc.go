// Command modules measures how well and how fast assay finds modules.
//
// It asks the questions of testdata/queries.txt of the modules that come with the
// program, with both engines, and prints how often the right one comes first and
// among the first three. Then it writes thousands of modules into a folder and
// prints what a question about them costs: in this process, step by step, and with
// -assay as a program that starts, reads, answers and ends.
//
// testdata/said.txt and held.txt, 52 and 63 questions about 38 modules, ask in words that are not
// a product's ("who is being woken up", "which machines are not being scraped"). They were written
// together before the modules had synonyms and divided by a hash; the synonyms were written against
// said.txt, and held.txt was asked before and once after, -sets held: recall@1 .667, then .952 (FTS5
// .937), recall@3 .905, then 1.00. One hand wrote all of it, questions and synonyms: of what a
// stranger asks the figure says less than of other modules' questions it would.
//
// testdata/blind.txt, 40 questions by one who had seen only the names of modules, was asked once
// (-sets blind -ranks); nothing was changed because of its answers.
//
// testdata/foreign.txt has questions that no module answers: with -judged they are for
// eval/fit, which says what the score midpoint does to them.
//
// Some vendors describe their API in a document that machines read. For their modules
//
//	go test ./eval/modules -run TestVendorDocuments -documents DIR
//
// compares method, path, parameters and members of every request of the modules' tests with DIR/NAME.json (OpenAPI, Swagger, a
// discovery document of Google, a model of botocore; several are NAME-PART.json). The documents are in packages and not here.
// 2026-11-30, without a fault: bigquery, gcal, gcp and gmail (google-api-python-client 2.202), eks (botocore 1.44), github
// (@octokit/openapi 23.0), notion (@notionhq/notion-mcp-server 2.5).
//
// The answers are held by testdata/ranks.txt (go test ./eval/modules -update). No
// network.
package main
