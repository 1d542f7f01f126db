# Restores the session in zsh, and saves it when the shell ends.
builtin unset ZDOTDIR
if [[ -s @STATE@ ]]; then builtin source @STATE@ 2>/dev/null; fi
@ASSIGN@
__rb_save() {
	builtin typeset -g __rb_f=$-
	builtin setopt localoptions noerrexit nounset noxtrace noksharrays noshwordsplit noglobsubst clobber
	builtin local __rb_n
	{
		for __rb_n in ${(k)options}; do
			case $__rb_n in
			errexit|errreturn|exec|interactive|localoptions|login|monitor|privileged|rcs|globalrcs|restricted|shinstdin) ;;
			singlecommand|unset|verbose|xtrace|zle|clobber|ksharrays|shwordsplit|globsubst) ;;
			*) if [[ $options[$__rb_n] = on ]]; then builtin print -r -- "setopt $__rb_n"; else builtin print -r -- "unsetopt $__rb_n"; fi ;;
			esac
		done
		for __rb_n in ${(k)parameters}; do
			case $__rb_n in
			__rb_*|PWD|OLDPWD|SHLVL|TERM|COLUMNS|LINES|RUNBOOK_STEP_ID|_|ZSH_*|zshexit_functions) ;;
			PATH|FPATH|CDPATH|MANPATH|HOME|LANG) builtin print -r -- "$__rb_n=${(q)${(P)__rb_n}}" ;;
			*) case $parameters[$__rb_n] in *special*|*local*|*hide*) ;; *) builtin typeset -p -- $__rb_n ;; esac ;;
			esac
		done
		for __rb_n in ${(k)functions}; do
			[[ $__rb_n = __rb_* ]] || builtin functions -- $__rb_n
		done
		builtin alias -L
		builtin print -r -- "OLDPWD=${(q)OLDPWD}"
		builtin print -rn -- "umask "
		builtin umask
		builtin print -r -- "__rb_f=$__rb_f"
		builtin print -r -- "# whole"
	} >| @NEXT@
	/usr/bin/env -0 >| @ENV@
	{ @SILENT@
	} >| @HIDDEN@
	builtin print -rn -- "$PWD" >| @CWD@
	builtin umask >| @MASK@
}
__rb_end() {
	builtin typeset -g __rb_n=$?
	builtin echo >|@END@
	builtin return $__rb_n
}
@TRAP@
__rb_n=
[[ ${__rb_f-} = *e* ]] && __rb_n=e
[[ ${__rb_f-} = *u* ]] && __rb_n=${__rb_n}u
[[ ${__rb_f-} = *v* ]] && __rb_n=${__rb_n}v
[[ ${__rb_f-} = *x* ]] && __rb_n=${__rb_n}x
builtin eval "builtin unset __rb_n; builtin unset __rb_f${__rb_n:+; builtin set -$__rb_n}"
@STATUS@
