//go:build !linux && !darwin

package safe

import "errors"

// Exchange returns errors.ErrUnsupported: this system cannot exchange two names in one step.
func (r *Root) Exchange(string, string) error { return errors.ErrUnsupported }
