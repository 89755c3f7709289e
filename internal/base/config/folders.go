package config

import "path/filepath"

// DataHome returns the folder for a user's data: XDG_DATA_HOME if that is absolute, otherwise the folder of the system (XDG
// Base Directory Specification, 0.8).
func DataHome(env func(string) (string, bool), goos string) string {
	return userFolder(env, goos, "XDG_DATA_HOME", map[string]string{"windows": "", "darwin": "Library/Application Support", "": ".local/share"})
}

// CacheHome returns the folder for data that can be rebuilt: XDG_CACHE_HOME if that is absolute, otherwise the folder of the
// system.
func CacheHome(env func(string) (string, bool), goos string) string {
	return userFolder(env, goos, "XDG_CACHE_HOME", map[string]string{"windows": "cache", "darwin": "Library/Caches", "": ".cache"})
}

// userFolder must not read any file, because a desktop's list of folders may be a pipe.
func userFolder(env func(string) (string, bool), goos, variable string, usual map[string]string) string {
	get := func(name string) string { v, _ := env(name); return v }
	if dir := get(variable); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	if goos == "windows" {
		local := get("LOCALAPPDATA")
		if local == "" {
			local = filepath.Join(get("USERPROFILE"), "AppData", "Local")
		}
		return filepath.Join(local, usual[goos])
	}
	below, ok := usual[goos]
	if !ok {
		below = usual[""]
	}
	return filepath.Join(get("HOME"), filepath.FromSlash(below))
}
