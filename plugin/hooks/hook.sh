#!/bin/sh
# Runs nudgechart's hook, if it can matter: `hook.sh [always]`, the host's payload on stdin.
#
# A tool call in a session that has no task costs a shell instead of a Node start. The host gets no error from here:
# where Node or our program is missing the payload is read and forgotten.

command -v node >/dev/null 2>&1 || exec cat >/dev/null 2>&1

program=${0%/*}/../dist/nudgechart.cjs
[ -r "$program" ] || exec cat >/dev/null 2>&1

# Whether a session matters can be told from here if its id is plain, for then it is also the name of its folder, and if
# it is clear where that folder would be. In all other cases Node looks, and wherever somebody has added a policy.
is_idle() {
  case $CLAUDE_CODE_SESSION_ID in -* | *[!a-z0-9-]*) return 1 ;; ????????*) ;; *) return 1 ;; esac
  [ ${#CLAUDE_CODE_SESSION_ID} -le 64 ] || return 1
  case $XDG_STATE_HOME in /*) state=$XDG_STATE_HOME ;; *) state=${HOME:-$USERPROFILE}/.local/state ;; esac
  case $state in /.local/state | [!/]*) return 1 ;; esac
  own=${NUDGECHART_STATE_DIR:-$state/nudgechart}
  set -- "$own/mail/$CLAUDE_CODE_SESSION_ID/new"/*
  [ ! -e "$1" ] && [ ! -e "$own/policies.json" ] && [ ! -e "$own/sessions/$CLAUDE_CODE_SESSION_ID" ] &&
    [ ! -e "$state/interlink/task/$CLAUDE_CODE_SESSION_ID" ]
}

# What can begin something in a session that nothing is known of: a shell command with the word mu in it, after which JSON
# writes a line's end as \n, and the stop of a worker of mu's. Node looks closer.
begins() {
  case $1 in
  *'"Bash"'*)
    case $1 in *[!A-Za-z0-9_]mu[!A-Za-z0-9_]* | *\\[nrt]mu[!A-Za-z0-9_]*) return 0 ;; esac
    ;;
  esac
  [ -n "$MU_AGENT_NAME" ] && [ -n "$MU_WORKSTREAM" ] || return 1
  case $1 in *'"Stop"'*) ;; *) return 1 ;; esac
}

if [ "$1" = always ] || ! is_idle; then exec node "$program" hook claude-code; fi

payload=$(cat 2>/dev/null)
if begins "$payload"; then printf '%s' "$payload" 2>/dev/null | node "$program" hook claude-code; fi
exit 0
