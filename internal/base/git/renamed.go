package git

import (
	"context"
	"strings"
)

// Renamed returns the paths that files below root have since a commit renamed them, by the paths that they had. A file that was renamed
// twice, was deleted or was never there is not in the answer. exists reports whether a file is at a path.
func Renamed(ctx context.Context, root string, paths []string, exists func(path string) bool) (map[string]string, error) {
	head := headCommit(ctx, root)
	if head == "" || len(paths) == 0 {
		return nil, nil
	}
	repo, err := newShadowRepo(ctx, root, head, false)
	if err != nil {
		return nil, err
	}
	defer repo.close()
	out := map[string]string{}
	for _, path := range paths {
		now, err := repo.renamedOnce(ctx, root, head, path)
		if err != nil {
			return out, err
		}
		if now != "" && exists(now) {
			out[path] = now
		}
	}
	return out, nil
}

// renamedOnce returns the path that the last commit that removed a path gave its file, or "".
func (a *shadowRepo) renamedOnce(ctx context.Context, root, head, path string) (string, error) {
	out, status, err := a.output(ctx, root, "log", "-n", "1", "--no-renames", "--diff-filter=D", "--format=%H", head, "--", ":(literal)"+path)
	commit := strings.TrimSpace(string(out))
	if err != nil || status != 0 || !isHash(commit) {
		return "", err
	}
	out, status, err = a.output(ctx, root, "diff-tree", "-r", "-M", "-z", "--no-commit-id", "--name-status", "--no-ext-diff", "--no-textconv", "--relative", commit)
	if err != nil || status != 0 {
		return "", err
	}
	changes, err := parseStatuses(out)
	for _, c := range changes {
		if c.Was == path {
			return c.Path, nil
		}
	}
	return "", err
}
