// Command audit measures how well ghosts and shadows are told from what is real.
//
// It takes real projects, plants what is known, and looks whether it is found: it
// removes implementations and leaves their documents, adds features that never
// were, and removes what documents say of exported declarations. What the plants
// did not touch counts as real, though projects have ghosts of their own: so the
// precision is a lower bound. The same seed plants the same. With -cite it plants
// citations instead, of which some are not as they stand in the code.
//
//	go run ./eval/audit [-seed N] [-mode scan,words,model] [-drift | -time | -cite] [-v] FOLDER...
package main
