#!/bin/sh
# Runs "assay audit ci" in a workflow: annotations go to the log, the table to the job's
# summary, SARIF to a file where one is named. The exit status is that of the audit: 0
# passed, 1 findings fail the run, 2 usage, 3 a file or revision that is not there.
set -eu

assay="${ASSAY:-assay}"
if ! command -v "$assay" >/dev/null 2>&1; then
	echo "::error title=assay::no program '$assay': install it in a step before this one" >&2
	exit 127
fi

set -- audit ci "--fail-on=${INPUT_FAIL_ON:-ghost:medium,drift:medium}"
if [ -n "${INPUT_ROOT:-}" ]; then set -- "$@" "--root=$INPUT_ROOT"; fi
if [ -n "${INPUT_BASELINE:-}" ]; then set -- "$@" "--baseline=$INPUT_BASELINE"; fi
if [ -n "${INPUT_SINCE:-}" ]; then set -- "$@" "--since=$INPUT_SINCE"; fi

status=0
"$assay" "$@" --format=github || status=$?
# 1 is a verdict, and the other outputs say which; anything else is an error.
if [ "$status" -gt 1 ]; then exit "$status"; fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
	"$assay" "$@" --fail-on=none --format=markdown >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${INPUT_SARIF:-}" ]; then
	"$assay" "$@" --fail-on=none --format=sarif >"$INPUT_SARIF"
fi
exit "$status"
