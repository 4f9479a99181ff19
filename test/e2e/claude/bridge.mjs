// node bridge.mjs SOCKET COMMAND [ARGS...]
// Runs inside a network namespace and starts COMMAND there. The scripted model lives outside, in the test's process;
// what joins the two is its Unix socket, since those don't belong to a network. COMMAND sees it as a loopback port.

import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

const [socket, command, ...args] = process.argv.slice(2);

const server = createServer((near) => {
  const far = connect(socket);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
});

server.listen(0, '127.0.0.1', () => {
  const env = { ...process.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}` };
  const child = spawn(command, args, { env, stdio: 'inherit' });
  child.on('error', (error) => {
    console.error(String(error));
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
