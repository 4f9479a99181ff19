#!/bin/sh
# Runs nudgechart's hook, if it can matter: `hook.sh [always]`, the host's payload on stdin.
#
# A tool call in a session that has no task costs a shell instead of a Node start. The host gets no error from here:
# where Node is missing the payload is read and forgotten.

skip() { exec cat >/dev/null 2>&1; }

command -v node >/dev/null 2>&1 || skip

if [ "$1" != always ]; then
  case ${XDG_STATE_HOME:-} in
    /*) state=$XDG_STATE_HOME ;;
    *) state=${HOME:-/nonexistent}/.local/state ;;
  esac
  case ${CLAUDE_CODE_SESSION_ID:-} in
    # Only a plain id is also the name of a folder; for others Node looks.
    -* | *[!a-z0-9-]*) ;;
    ????????*)
      [ -e "${NUDGECHART_STATE_DIR:-$state/nudgechart}/sessions/$CLAUDE_CODE_SESSION_ID" ] ||
        [ -e "$state/interlink/task/$CLAUDE_CODE_SESSION_ID" ] ||
        skip
      ;;
  esac
fi

exec node "${0%/*}/../dist/nudgechart.cjs" hook claude-code
