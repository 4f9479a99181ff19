#!/bin/sh
# Waits for mail when a turn has ended, and wakes the session by exit code 2. Only where somebody sits at the terminal:
# a print run would be held for as long as we wait.

[ "$CLAUDE_CODE_SESSION_ATTENDED" = 1 ] && [ "$NUDGECHART_WAIT" != 0 ] && command -v node >/dev/null 2>&1 &&
  [ -r "${0%/*}/../dist/nudgechart.cjs" ] ||
  exec cat >/dev/null 2>&1

exec node "${0%/*}/../dist/nudgechart.cjs" wait
