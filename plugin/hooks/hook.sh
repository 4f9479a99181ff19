#!/bin/sh
# Runs nudgechart's hook, if it can matter: `hook.sh [always]`, the host's payload on stdin.
#
# A tool call in a session that has no task costs a shell instead of a Node start. The host gets no error from here:
# where Node is missing the payload is read and forgotten.

skip() { exec cat >/dev/null 2>&1; }

command -v node >/dev/null 2>&1 || skip

# Whether a session matters can be told from here if its id is plain, for then it is also the name of its folder, and if
# it is clear where that folder would be. In all other cases Node looks.
is_idle() {
  case $CLAUDE_CODE_SESSION_ID in -* | *[!a-z0-9-]*) return 1 ;; ????????*) ;; *) return 1 ;; esac
  [ ${#CLAUDE_CODE_SESSION_ID} -le 64 ] || return 1
  case $XDG_STATE_HOME in /*) state=$XDG_STATE_HOME ;; *) state=${HOME:-$USERPROFILE}/.local/state ;; esac
  case $state in /.local/state | [!/]*) return 1 ;; esac
  own=${NUDGECHART_STATE_DIR:-$state/nudgechart}
  set -- "$own/mail/$CLAUDE_CODE_SESSION_ID/new"/*
  [ ! -e "$1" ] && [ ! -e "$own/sessions/$CLAUDE_CODE_SESSION_ID" ] &&
    [ ! -e "$state/interlink/task/$CLAUDE_CODE_SESSION_ID" ]
}

if [ "$1" != always ] && is_idle; then skip; fi

exec node "${0%/*}/../dist/nudgechart.cjs" hook claude-code
