//go:build !linux

package main

import "errors"

func tenMinutes(string) error {
	return errors.New("-newcomer needs Linux: it makes a root and a network of its own")
}
