package config_test

import (
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/base/config"
)

func TestFolders(t *testing.T) {
	for _, c := range []struct {
		goos        string
		env         map[string]string
		data, cache string
	}{
		{"linux", map[string]string{"HOME": "/h"}, "/h/.local/share", "/h/.cache"},
		{"freebsd", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "/d/", "XDG_CACHE_HOME": "c"}, "/d", "/h/.cache"},
		{"darwin", map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "/c"}, "/h/Library/Application Support", "/c"},
		{"windows", map[string]string{"LOCALAPPDATA": "/l"}, "/l", "/l/cache"},
		{"windows", map[string]string{"USERPROFILE": "/u"}, "/u/AppData/Local", "/u/AppData/Local/cache"},
	} {
		env := func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }
		data, cache := config.DataHome(env, c.goos), config.CacheHome(env, c.goos)
		if filepath.ToSlash(data) != c.data || filepath.ToSlash(cache) != c.cache {
			t.Errorf("%s %v: %s and %s, not %s and %s", c.goos, c.env, data, cache, c.data, c.cache)
		}
	}
}
