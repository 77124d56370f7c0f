@rem The scripts of package.json begin with exec, so that npm's signals reach the script instead of a shell. Windows has no exec.
@%*
