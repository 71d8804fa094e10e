#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Stopping, resuming, scoring and broken input of the wide & deep programs: wide_and_deep_test.sh TRAIN SCORE DATA
set -u
train=$1 score=$2 data=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
say() { printf '%s\n' "$*"; }
ok() { say "ok: $1"; }
bad() { say "FAILED: $1"; [ -e log ] && tail -n 5 log; failures=$((failures + 1)); }
check() { local name=$1; shift; if "$@"; then ok "$name"; else bad "$name"; fi; }
# exits <status> <name> <command...>: output goes to log.
exits() { local wanted=$1 name=$2 status; shift 2; "$@" >log 2>&1; status=$?; check "$name (exit status $status, expected $wanted)" [ $status = "$wanted" ]; }
# refused <name> <part of the message> <command...>: status 1, the message, and nothing in out/ touched.
refused() {
    local name=$1 message=$2 before
    shift 2
    before=$(cat out/* | cksum; ls out)
    exits 1 "$name" "$@"
    check "$name: says \"$message\"" grep -q -F -e "$message" log
    check "$name: one line" [ "$(wc -l <log)" = 1 ]
    check "$name: nothing overwritten" [ "$(cat out/* | cksum; ls out)" = "$before" ]
}

# An uninterrupted run, and the same one stopped inside and between epochs.
exits 0 "two epochs" "$train" --epochs 2 --output whole
exits 130 "stopped inside the first epoch" "$train" --epochs 2 --output out --stop-after 400
check "no model from half a run" [ ! -e out/model.safetensors ]
exits 130 "stopped between two epochs" "$train" --output out --resume out/checkpoint.safetensors --stop-after 415
exits 0 "resumed to the end" "$train" --output out --resume out/checkpoint.safetensors
check "resumed: the same bits" cmp whole/model.safetensors out/model.safetensors
check "no temporary files" [ -z "$(find . -name '*.tmp*' -o -name '*.part')" ]

# trains <epochs>: a long run in the background, until it has done this number of epochs. The log of the run before is removed first:
# otherwise the first look would find its epochs, and a signal to a program that has not begun can be lost.
trains() {
    rm -rf signal signal.log
    "$train" --epochs 1000 --output signal >signal.log 2>&1 &
    pid=$!
    for _ in $(seq 600); do grep -q " $1/1000 " signal.log 2>/dev/null && break; sleep 0.1; done
}
# Ctrl-C itself, and what a system sends that shuts down.
for signal in INT:130 TERM:143 HUP:129; do
    trains 1
    kill -"${signal%:*}" $pid
    wait $pid
    status=$?
    check "SIG$signal (exit status $status)" [ $status = "${signal#*:}" ]
    check "SIG$signal leaves a checkpoint" [ -s signal/checkpoint.safetensors ]
done
# Who read the output is gone; the machine is gone.
rm -rf signal
"$train" --epochs 1000 --output signal 2>signal.log | head -n 5 >/dev/null
status=${PIPESTATUS[0]}
check "SIGPIPE (exit status $status)" [ "$status" != 0 ]
check "SIGPIPE leaves a checkpoint" [ -s signal/checkpoint.safetensors ]
trains 3
kill -9 $pid
wait $pid 2>/dev/null
done_before=$(grep -c '/1000 ' signal.log)
exits 130 "kill -9 loses an epoch at most" "$train" --output signal --resume signal/checkpoint.safetensors --stop-after 1
resumed=$(sed -n 's/.*: \([0-9]*\) epochs and .* done/\1/p' log)
check "kill -9: $done_before epochs before, $resumed in the checkpoint" [ "$resumed" -ge $((done_before - 1)) ]
check "lines of epochs fit 80 columns" [ "$(grep -c -E '/1000 |accuracy' signal.log)" -gt 3 -a -z "$(grep -E '/1000 |accuracy' signal.log | grep -E '.{80}')" ]
exits 0 "no checkpoint between epochs" "$train" --epochs 2 --output none_between --save-every 0
check "no checkpoint between epochs: none" [ ! -e none_between/checkpoint.safetensors ]
exits 130 "its checkpoint continues" "$train" --output signal --resume signal/checkpoint.safetensors --stop-after 1

# Scoring with the model file alone.
exits 0 "score" "$score" out/model.safetensors "$data/test.csv" --output scores.csv
check "score: metrics" grep -q '16281 rows: accuracy 0.8' log
check "score: one line a row" [ "$(wc -l <scores.csv)" = 16282 ]
cut -d, -f1-14 "$data/test.csv" >unlabelled.csv
"$score" out/model.safetensors unlabelled.csv >unlabelled_scores.csv 2>log
check "score without labels" [ "$(cut -d, -f1-3 scores.csv | cksum)" = "$(cksum <unlabelled_scores.csv)" ]

# Broken input: a message with file and line, nothing overwritten.
broken() { rm -rf broken; mkdir broken; cp "$data/train.csv" "$data/test.csv" broken/; }
try=("$train" --epochs 1 --output out --data broken)
refused "no data" "none/train.csv: cannot open" "$train" --output out --data none
broken; sed -i '100s/^[0-9]*,/x,/' broken/train.csv
refused "bad number" 'broken/train.csv:100: age is "x"' "${try[@]}"
broken; sed -i '7s/,[^,]*$//' broken/test.csv
refused "missing field" "broken/test.csv:7: has 14 fields, expected 15" "${try[@]}"
broken; sed -i '9s/,Male,/,male,/; 9s/,Female,/,female,/' broken/test.csv
refused "unknown category" 'broken/test.csv:9: sex is "' "${try[@]}"
broken; sed -i '2,$s/Holand-Netherlands/Italy/' broken/train.csv
refused "other vocabulary" "compiled for" "${try[@]}"
broken; sed -i '2s/,77516,.*Bachelors,13,/,77516,Masters,14,/' broken/train.csv
refused "checkpoint of other data" "made from other training rows" "${try[@]}" --resume out/checkpoint.safetensors
broken; sed -i '8s/,Male,/,Ma\x00le,/; 8s/,Female,/,Fe\x00male,/' broken/train.csv
refused "a byte of zero" "broken/train.csv:8: a byte of zero" "${try[@]}"
broken; sed -i "9s/^[0-9]*/$(printf 'x%.0s' {1..5000})/" broken/train.csv
refused "a long value" '...", which is not a whole number' "${try[@]}"
check "a long value: is cut" [ "$(wc -c <log)" -lt 400 ]
broken; : >broken/train.csv
refused "empty file" "broken/train.csv: is empty" "${try[@]}"
try=("$train" --epochs 3 --output out)
refused "no checkpoint" "none.safetensors: " "${try[@]}" --resume none.safetensors
head -c 100000 out/checkpoint.safetensors >cut.safetensors
refused "truncated checkpoint" "cut.safetensors: " "${try[@]}" --resume cut.safetensors
head -c 500 /dev/urandom >noise.safetensors
refused "no checkpoint at all" "noise.safetensors: " "${try[@]}" --resume noise.safetensors
refused "other seed" "was trained with seed 1" "${try[@]}" --resume out/model.safetensors --seed 2
refused "trained to its end" "is trained to its end" "$train" --output out --resume out/model.safetensors
refused "fewer epochs" "more epochs behind it" "$train" --output out --resume out/model.safetensors --epochs 1
refused "score: truncated model" "cut.safetensors: " "$score" cut.safetensors unlabelled.csv --output out/scores.csv
refused "score: no rows" "none.csv: cannot open" "$score" out/model.safetensors none.csv --output out/scores.csv
sed '5s/,White,/,Green,/; 5s/,Black,/,Green,/' unlabelled.csv >green.csv
refused "score: unknown category" 'green.csv:5: race is "Green"' "$score" out/model.safetensors green.csv --output out/scores.csv
mkfifo pipe
refused "score: output is no file" "pipe: is not a regular file" "$score" out/model.safetensors unlabelled.csv --output pipe
refused "output is a file" "" "$train" --epochs 1 --output unlabelled.csv
"$train" --no-such-option >log 2>&1
check "unknown option" [ $? -ne 0 ]

say "$failures failures"
[ $failures = 0 ]
