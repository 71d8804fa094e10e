#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a network's example left behind and what its saved model predicts: network_test.sh WANTED FILES PROGRAM ARGUMENTS...
# It runs in the folder of the test that trained. WANTED is a regular expression for the output of the program.
set -u
wanted=$1 files=$2
shift 2
ls ./*.safetensors >/dev/null 2>&1 || { echo "skipped: there is no model, because its data are missing"; exit 77; }
for file in $files; do
    case $file in
    *.svg) command -v gnuplot >/dev/null || continue; grep -q '</svg>' "$file" || { echo "FAILED: $file is no complete plot"; exit 1; } ;;
    *) [ -s "$file" ] || { echo "FAILED: $file is missing or empty"; exit 1; } ;;
    esac
done
output=$("$@") || { echo "FAILED: exit status $? of $*"; exit 1; }
printf '%s\n' "$output"
[[ $output =~ $wanted ]] || { echo "FAILED: the output does not match $wanted"; exit 1; }
