#!/bin/sh
# Writes the manual page and the completions into a folder, from the program itself.
set -eu
out=$1
mkdir -p "$out/completions"
go build -trimpath -o "$out/assay.here" ./cmd/assay
"$out/assay.here" completion man >"$out/assay.1"
gzip -9nc "$out/assay.1" >"$out/assay.1.gz"
for shell in bash zsh fish; do
    "$out/assay.here" completion "$shell" >"$out/completions/assay.$shell"
done
rm "$out/assay.here"
