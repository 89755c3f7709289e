package main

// languages is the table of what -lang takes.
func languages() map[string]language {
	return map[string]language{
		"bash":    bash(),
		"c":       c(),
		"cpp":     cpp(),
		"csharp":  csharp(),
		"elixir":  elixir(),
		"haskell": haskell(),
		"kotlin":  kotlin(),
		"lua":     lua(),
		"php":     php(),
		"ruby":    ruby(),
		"rust":    rust(),
		"scala":   scala(),
		"swift":   swift(),
		"zig":     zig(),
	}
}
