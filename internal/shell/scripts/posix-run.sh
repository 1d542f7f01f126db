# Runs a step in whatever shell sh is here.
if [ -n "${BASH_VERSION-}" ]; then . @BASHRC@; else . @POSIXRC@; fi
@STATUS@
. @CODE@
