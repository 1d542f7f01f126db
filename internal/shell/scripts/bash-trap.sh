builtin trap '{ __rb_err=$(builtin trap -p ERR); __rb_save; } 2>/dev/null' EXIT
