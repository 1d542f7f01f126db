# The step sets an EXIT trap of its own: it runs, and the state is saved too.
# Where a step is walked by statements, it runs once, when the last shell ends.
__rb_ret() { return "$1"; }
__rb_arm() {
	builtin trap '{ __rb_code=$?; __rb_err=$(builtin trap -p ERR); __rb_save; } 2>/dev/null
case $__rb_code in 0) builtin eval "$__rb_cmd" ;; *) __rb_ret "$__rb_code" || builtin eval "$__rb_cmd" ;; esac
{ __rb_cmd=; __rb_save; } 2>/dev/null' EXIT
}
__rb_disarm() { builtin trap '{ __rb_err=$(builtin trap -p ERR); __rb_save; } 2>/dev/null' EXIT; }
trap() {
	case " $* " in
	*' EXIT '* | *' 0 '* | *' SIGEXIT '* | *' exit '*) ;;
	*) builtin trap "$@"; return ;;
	esac
	if [ "$BASH_SUBSHELL" -gt 0 ] || [ "$1" = -p ]; then
		builtin trap "$@"
		return
	fi
	builtin trap "$@" || return
	__rb_cmd=$(builtin trap -p EXIT)
	builtin eval "__rb_words=(${__rb_cmd#trap })"
	__rb_cmd=${__rb_words[1]-}
	__rb_arm
}
@PENDING@
case ${__rb_cmd-} in '') __rb_disarm ;; *) __rb_arm ;; esac
