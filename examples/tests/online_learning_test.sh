#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The stream learner: stopped and resumed, interrupted while it waits, fed nonsense: online_learning_test.sh PROGRAM TRAIN.CSV
set -u
program=$1 data=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
check() { local name=$1; shift; if "$@"; then printf 'ok: %s\n' "$name"; else printf 'FAILED: %s\n' "$name"; tail -n 5 log; failures=$((failures + 1)); fi; }
# exits <status> <name> <command...>: standard input is that of the script, output goes to log.
exits() { local wanted=$1 name=$2 status; shift 2; timeout 120 "$@" >log 2>&1; status=$?; check "$name (exit status $status, expected $wanted)" [ $status = "$wanted" ]; }
rows() { { head -n 1 "$data"; sed -n "$1,$2p" "$data"; }; }

exits 0 "a whole stream" "$program" --model whole.safetensors < <(rows 2 6001)
check "it learns: the last thousand rows" grep -q 'of the last 1000 0.3' log
check "all rows are counted" grep -q '6000 rows learned' log
exits 0 "its first half" "$program" --model parts.safetensors < <(rows 2 2501)
exits 0 "the rest, from the model" "$program" --model parts.safetensors < <(rows 2502 6001)
check "the model goes on with its numbers" grep -q '6000 rows learned' log
check "the same bits as in one run" cmp whole.safetensors parts.safetensors

# Interrupted while it waits for more rows: what it has seen is learned and saved.
mkfifo stream
"$program" --model signal.safetensors --report 1000 <stream >log 2>&1 &
pid=$!
exec 3>stream
rows 2 2501 >&3
for _ in $(seq 600); do grep -q ' 2000 rows' log && break; sleep 0.1; done
sleep 0.5
printf '39,State-gov,half of a ro' >&3
sleep 0.5
kill -INT $pid
wait $pid
status=$?
exec 3>&-
check "interrupted (exit status $status)" [ $status = 130 ]
check "it says how many rows it has learned" grep -q '2500 rows learned' log
exits 0 "it goes on" "$program" --model signal.safetensors < <(rows 2502 6001)
check "as if nothing had been" cmp whole.safetensors signal.safetensors

# Invalid lines are omitted, with a sentence each, and nothing else is lost.
{ rows 2 1001; printf 'a,b,c\n"quoted"x,1\n\n'; sed -n '1002,6001p' "$data"; } >broken.csv
exits 0 "broken rows" "$program" --model broken.safetensors <broken.csv
check "too few fields" grep -q 'standard input:1002: 3 fields, and there are 15 columns; this row is left out' log
check "a quotation mark" grep -q 'standard input:1003: a quotation mark where none may stand; this row is left out' log
check "an empty line" grep -q 'standard input:1004: this line is empty; this row is left out' log
check "they are counted" grep -q '3 rows left out' log
check "the model is that of the others" cmp whole.safetensors broken.safetensors

before=$(cksum <whole.safetensors)
exits 1 "another label" "$program" --model whole.safetensors --label age <"$data"
check "it says so" grep -q 'this model has another label' log
check "the model stays" [ "$(cksum <whole.safetensors)" = "$before" ]
exits 1 "no such column" "$program" --label wages <"$data"
check "it names the option" grep -q 'no column is called "wages"; name the label.s column: --label NAME' log
exits 1 "nothing at all" "$program" </dev/null
exits 1 "a model that is none" "$program" --model "$data" <"$data"
exits 1 "a place where nothing can be written" "$program" --model nowhere/model.safetensors < <(rows 2 11)
[ $failures = 0 ] && echo "all checks passed" || { echo "$failures checks failed"; exit 1; }
