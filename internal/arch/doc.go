// Package arch checks the code against ARCHITECTURE.md: every package has a
// layer and imports only lower ones, dangerous imports and calls stay with
// their owners, every package has a comment, and no file grows past one sitting.
package arch
