# Restores the session in bash 3.2 and later, and saves it when the shell ends.
builtin unset -v BASH_ENV
builtin shopt -s expand_aliases
if [ -s @STATE@ ]; then builtin . @STATE@ 2>/dev/null; fi
@ASSIGN@
__rb_vars() {
	builtin compgen -v >|@NAMES@
	while IFS= builtin read -r __rb_n; do
		case $__rb_n in
		BASH | BASHOPTS | BASHPID | BASH_ALIASES | BASH_ARG* | BASH_CMDS | BASH_COMMAND | BASH_ENV | BASH_EXECUTION_STRING) ;;
		BASH_LINENO | BASH_LOADABLES_PATH | BASH_MONOSECONDS | BASH_REMATCH | BASH_SOURCE | BASH_SUBSHELL | BASH_TRAPSIG) ;;
		BASH_VERSINFO | BASH_VERSION | BASH_XTRACEFD | COLUMNS | COMP_* | DIRSTACK | EPOCH* | EUID | FUNCNAME | GROUPS) ;;
		HISTCMD | LINENO | LINES | PIPESTATUS | PPID | PWD | RANDOM | RUNBOOK_STEP_ID | SECONDS | SHELLOPTS | SHLVL) ;;
		SRANDOM | TERM | UID | _ | __rb_*) ;;
		*) builtin declare -p "$__rb_n" ;;
		esac
	done <@NAMES@
}
__rb_funcs() {
	builtin compgen -A function >|@NAMES@
	while IFS= builtin read -r __rb_n; do
		case $__rb_n in
		__rb_* | @SHIM@) ;;
		*) builtin declare -f "$__rb_n" ;;
		esac
	done <@NAMES@
	builtin declare -F >|@NAMES@
	while IFS= builtin read -r __rb_n; do
		case $__rb_n in
		'declare -f '* | *' __rb_'*) ;;
		*) builtin printf '%s\n' "$__rb_n" ;;
		esac
	done <@NAMES@
}
__rb_dirs() {
	builtin dirs -l -p >|@NAMES@
	__rb_d=
	{
		IFS= builtin read -r __rb_n
		while IFS= builtin read -r __rb_n; do
			__rb_d="builtin pushd -n -- $(builtin printf %q "$__rb_n") >/dev/null
$__rb_d"
		done
	} <@NAMES@
	builtin printf '%s' "$__rb_d"
}
__rb_save() {
	__rb_f=$-
	builtin set +eux
	builtin trap - ERR DEBUG
	{
		__rb_dirs
		for __rb_n in HUP INT QUIT TERM USR1 USR2 ALRM PIPE CHLD CONT TSTP WINCH; do
			builtin trap -p $__rb_n
		done
		builtin shopt -p
		builtin echo 'builtin shopt -u extdebug' # it would start a debugger
		__rb_vars
		__rb_funcs
		builtin alias -p
		builtin umask -p
		builtin set +o | while IFS= builtin read -r __rb_n; do
			case $__rb_n in
			*errexit | *nounset | *xtrace | *verbose | *noexec | *history | *onecmd) ;;
			*) builtin printf '%s\n' "$__rb_n" ;;
			esac
		done
		case ${__rb_cmd-} in ?*) builtin declare -p __rb_cmd ;; esac
		builtin printf '__rb_err=%q\n' "$__rb_err"
		builtin printf '__rb_f=%s\n# whole\n' "$__rb_f"
	} >|@NEXT@
	/usr/bin/env -0 >|@ENV@
	{ @SILENT@
	} >|@HIDDEN@
	builtin printf '%s' "$PWD" >|@CWD@
	builtin umask >|@MASK@
	builtin eval "$__rb_err"
	case $__rb_f in *e*) builtin set -e ;; esac
	case $__rb_f in *u*) builtin set -u ;; esac
	case $__rb_f in *x*) builtin set -x ;; esac
}
__rb_end() {
	__rb_n=$?
	builtin echo >|@END@
	__rb_disarm
	builtin return "$__rb_n"
}
@TRAP@
builtin eval "${__rb_err-}"
__rb_n=
case ${__rb_f-} in *e*) __rb_n=e ;; esac
case ${__rb_f-} in *u*) __rb_n=${__rb_n}u ;; esac
case ${__rb_f-} in *v*) __rb_n=${__rb_n}v ;; esac
case ${__rb_f-} in *x*) __rb_n=${__rb_n}x ;; esac
builtin eval "builtin unset -v __rb_n __rb_f${__rb_n:+; builtin set -$__rb_n}"
@STATUS@
