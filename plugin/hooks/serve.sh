#!/bin/sh
# Keeps a server running for one host: `serve.sh`, JSON-RPC on stdin and stdout.
#
# A terminal session doesn't start a dead server again, and shows an error at every tool call instead. Whoever talks to the
# next one needs no second handshake. It ends with 0 when the host has gone; then, and after too many deaths, so do we.

command -v node >/dev/null 2>&1 || exec cat >/dev/null 2>&1

NUDGECHART_HOST=${NUDGECHART_HOST:-$PPID}
export NUDGECHART_HOST

for _ in 1 2 3 4 5 6 7 8 9 10; do
  node --max-semi-space-size=1 "${0%/*}/../dist/nudgechart.cjs" mcp --hooks && exit 0
  kill -0 "$NUDGECHART_HOST" 2>/dev/null || exit 0
  sleep 0.1
done
