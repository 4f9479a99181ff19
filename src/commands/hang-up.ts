/** The terminal has gone. */

/**
 * Ends this process as that would have ended it, once all is put away. One that exits by itself then, Node aborts, with a
 * core file: it can't put the terminal back.
 */
export function hangUp(): void {
  // Whoever listens has heard it already.
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}
