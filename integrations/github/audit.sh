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

set -- audit ci "--fail-on=${INPUT_FAIL_ON:-ghost:high,drift:high}"
if [ -n "${INPUT_ROOT:-}" ]; then set -- "$@" "--root=$INPUT_ROOT"; fi
if [ -n "${INPUT_BASELINE:-}" ]; then set -- "$@" "--baseline=$INPUT_BASELINE"; fi
# A pull request is judged by what it changes, if the checkout has its base.
if [ -z "${INPUT_SINCE:-}" ] && [ -n "${INPUT_BASE:-}" ]; then
	if git cat-file -e "$INPUT_BASE^{commit}" 2>/dev/null; then
		INPUT_SINCE=$INPUT_BASE
	else
		echo "::notice title=assay::the checkout does not have $INPUT_BASE: everything is judged (actions/checkout with fetch-depth: 0 has it)"
	fi
fi
if [ -n "${INPUT_SINCE:-}" ]; then set -- "$@" "--since=$INPUT_SINCE"; fi

# 0 and 1 are verdicts, and every output says the same one; anything else is an error.
run() {
	status=0
	"$assay" "$@" || status=$?
	if [ "$status" -gt 1 ]; then exit "$status"; fi
}

run "$@" --format=github
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then run "$@" --format=markdown >>"$GITHUB_STEP_SUMMARY"; fi
if [ -n "${INPUT_SARIF:-}" ]; then run "$@" --format=sarif >"$INPUT_SARIF"; fi
exit "$status"
