# Sees a program end, and does what the program could not. Standard input is the
# program's standard error: it ends with the program, however that ends.
# Descriptor 3 is the terminal, 4 is closed once everything is known that must
# be put back, 5 is this text. Lines that start with the first argument are
# orders: "taken", "left", "run COMMAND", "private RUN FOLDER", "broke", "bye". The second is the
# folder for details, the third says what program this is.
order=$1
folder=$2
program=$3
umask 077
trap '' HUP INT QUIT TERM
{ saved=$(stty -g <&3); } 2>/dev/null
exec 4>&-

tab=$(printf '\t')
cr=$(printf '\r')
# Mouse, focus and paste reports, keyboard protocols, synchronized output,
# progress, colours, cursor and the second screen: all that may be on is off.
modes='\033[?2026l\033[?1000l\033[?1002l\033[?1003l\033[?1004l\033[?1006l\033[?2004l\033[?2027l\033[?1l\033>\033[=0;1u\033[<u\033[>4m\033]9;4;0\007\033[0 q\033[m\033[?1049l\033[?25h\r'

give_back() {
	[ -n "$taken" ] || return 0
	taken=
	# Not where somebody else has the terminal by now: then this fails.
	{ stty "$saved" <&3; } 2>/dev/null
	printf "$modes" >&3
}

# keep writes a line of details. They hold names and places in the program only:
# what a panic was given, and what functions were given, may be secret.
keep() {
	if [ -z "$file" ]; then
		mkdir -p "$folder" 2>/dev/null
		file=$folder/broke-$(date -u +%Y%m%dT%H%M%SZ)-$$.txt
		{ printf '%s\n%s\n' "$program" "$why" >"$file"; } 2>/dev/null || file=/dev/null
	fi
	printf '%s\n' "$1" >>"$file"
}

# begin notes why a trace begins.
begin() {
	broke=1
	[ -n "$why" ] || why=$1
	give_back
}

take() {
	case $1 in
	'panic: runtime error: '*) begin "${1#panic: }" ;;
	'runtime error: '*) [ -z "$caught" ] || why=$1 ;;
	'panic: '*) begin 'a panic' ;;
	'fatal error: '*) begin "${1#fatal error: }" ;;
	'Caught panic:') why='a panic' caught=1 ;;
	'SIG'*': '*) begin "${1%%:*}" ;;
	'goroutine '*' ['*']:')
		[ -z "$broke$caught" ] || { traced=1; keep "$1"; }
		;;
	*)
		[ -n "$traced" ] || { [ -n "$taken$broke$caught" ] || printf '%s\n' "$1" >&2; return 0; }
		case $1 in
		"$tab"*.go:[0-9]* | 'created by '*) keep "$1" ;;
		*'('*')')
			keep "${1%(*}"
			case $1 in
			runbook/* | main.*) [ -n "$where" ] || where=${1%(*} ;;
			esac
			;;
		esac
		;;
	esac
}

# still_used tells whether a process of the run is left, which may need what is
# in the private folder. Where that can't be seen, it may be.
still_used() {
	[ -r /proc/self/environ ] || return 0
	for environ in /proc/[0-9]*/environ; do
		tr '\0' '\n' <"$environ" && echo
	done 2>/dev/null | grep -qxF "RUNBOOK_RUN=$of"
}

# clear_away removes the private folder of a program that could not: there are
# credentials in it. It takes what it was told for such a folder only if it looks
# like one, and waits for what the program was running, which is being ended; what
# goes on keeps the folder, until the next run looks after it.
clear_away() {
	case $private in
	/*/runbook-*) ;;
	*) return 0 ;;
	esac
	tries=0
	while [ -d "$private" ] && still_used; do
		tries=$((tries + 1))
		[ "$tries" -lt 8 ] || return 0
		sleep 1
	done
	[ -d "$private" ] && [ ! -L "$private" ] || return 0
	[ -n "$(find "$private" -prune -type d -perm 700 -user "$(id -u)" 2>/dev/null)" ] || return 0
	rm -rf -- "$private" 2>/dev/null
}

while IFS= read -r line || [ -n "$line" ]; do
	line=${line%"$cr"}
	case $line in
	'') ;;
	"$order taken") taken=1 ;;
	"$order left") taken= ;;
	"$order run "*) run=${line#"$order run "} ;;
	"$order private "*)
		private=${line#"$order private "}
		of=${private%% *}
		private=${private#* }
		;;
	"$order broke") broke=1 && break ;;
	"$order bye") exit ;; # whoever else may still hold the other end
	*) take "$line" ;;
	esac
done

give_back
said="runbook: it was killed"
if [ -n "$broke" ]; then
	said="runbook: it broke: ${why:-a panic}${where:+ in $where}"
	case $file in *.txt) said="$said; details, for you only: $file" ;; esac
fi
printf '%s%s\n' "$said" "${run:+; to go on: $run}" >&2
clear_away
