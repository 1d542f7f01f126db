# Restores the session in a shell that knows nothing but POSIX, such as dash,
# and saves it when the shell ends.
__rb_PWD=$PWD
__rb_TERM=$TERM
__rb_RUNBOOK_STEP_ID=$RUNBOOK_STEP_ID
if [ -s @STATE@ ]; then . @STATE@ 2>/dev/null; fi
@FUNCTIONS@
@ASSIGN@
PWD=$__rb_PWD
export TERM="$__rb_TERM" RUNBOOK_STEP_ID="$__rb_RUNBOOK_STEP_ID"
unset __rb_PWD __rb_TERM __rb_RUNBOOK_STEP_ID
__rb_save() {
	__rb_f=$-
	set +eux
	{
		set
		export -p
		readonly -p
		alias | while IFS= read -r __rb_n; do printf 'alias %s\n' "$__rb_n"; done
		echo "umask $(umask)"
		set +o | while IFS= read -r __rb_n; do
			case $__rb_n in
			*errexit | *nounset | *xtrace | *verbose | *noexec | *stdin | *interactive) ;;
			*) printf '%s\n' "$__rb_n" ;;
			esac
		done
		printf '__rb_f=%s\n# whole\n' "$__rb_f"
	} >|@NEXT@
	for __rb_n in @FUNCNAMES@; do
		case $(command -V "$__rb_n") in *function*) echo "$__rb_n" ;; esac
	done >|@NAMES@
	/usr/bin/env -0 >|@ENV@
	{ @SILENT@
	} >|@HIDDEN@
	printf '%s' "$PWD" >|@CWD@
	umask >|@MASK@
}
__rb_end() {
	__rb_n=$?
	echo >|@END@
	return "$__rb_n"
}
@TRAP@
__rb_n=
case ${__rb_f-} in *e*) __rb_n=e ;; esac
case ${__rb_f-} in *u*) __rb_n=${__rb_n}u ;; esac
case ${__rb_f-} in *v*) __rb_n=${__rb_n}v ;; esac
case ${__rb_f-} in *x*) __rb_n=${__rb_n}x ;; esac
eval "unset __rb_n __rb_f${__rb_n:+; set -$__rb_n}"
