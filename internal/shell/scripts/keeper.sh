# Leads the terminal session of one step, so that what the step leaves in the
# background keeps its terminal. Descriptor 3 takes the pid of the guard, then
# the exit status. A line on descriptor 4 says to go; its end without one says
# that the program is gone, whose work must not go on unseen: then the guard
# ends it. The first argument is what ends the output, the second the name of the
# run, which what the step starts carries, and the keeper and its guard do not.
trap : HUP INT QUIT TERM
end=$1
run=$2
shift 2
{
	trap '' HUP INT QUIT TERM
	exec 3>&- </dev/null >/dev/null 2>&1
	read -r _ <&4 && exit
	kill -TERM 0
	sleep 2
	kill -KILL 0
} &
guard=$!
echo "$guard" >&3
if [ -n "$run" ]; then export RUNBOOK_RUN="$run"; fi
"$@" 3>&- 4<&-
code=$?
trap '' INT QUIT TERM
trap - HUP
echo "$code" >&3
exec 3>&-
if [ -n "$end" ]; then printf '\033_%s\033\\' "$end"; fi
while kill -0 "$guard" 2>/dev/null; do wait "$guard"; done
