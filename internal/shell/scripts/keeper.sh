# Leads the terminal session of one step, so that what the step leaves in the
# background keeps its terminal. Descriptor 3 takes the exit status, end of
# file on descriptor 4 says to go. The first argument is what ends the output.
trap : HUP INT QUIT TERM
end=$1
shift
"$@" 3>&- 4<&-
code=$?
trap '' INT QUIT TERM
trap - HUP
echo "$code" >&3
exec 3>&-
if [ -n "$end" ]; then printf '\033_%s\033\\' "$end"; fi
while read -r _ <&4; do :; done
