//go:build !linux || !amd64

package main

import "errors"

var errElsewhere = errors.New("faults needs Linux on amd64")

func under([]string) error { return errElsewhere }

func trace(plan, string, string, []string, ...string) (result, error) { return result{}, errElsewhere }
