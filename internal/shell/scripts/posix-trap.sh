trap '{ __rb_save; } 2>/dev/null' EXIT
