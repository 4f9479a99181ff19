/**
 * The page between the relay and the Inspector: it holds Stately's page in a frame and hands it what the relay says, as the
 * library's own bridge does. Nothing is asked of the relay before the Inspector says that it is there, and nothing is handed
 * to any other site.
 */
import { INSPECTOR_ORIGIN } from './gate.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  html, body { height: 100%; margin: 0; }
  body { display: flex; flex-direction: column; }
  p { margin: 0; padding: 0.25rem 1rem; }
  iframe { flex: 1; border: 0; }`;

/** After so long without the Inspector the page says what else there is. */
const PATIENCE_MS = 10_000;

const SCRIPT = `
  const frame = document.querySelector('iframe');
  const status = document.querySelector('p');
  let socket = null;
  const connect = () => {
    socket?.close();
    const mine = new WebSocket(location.href.replace(/^http/, 'ws'));
    mine.onopen = () => { status.textContent = 'The Inspector is told of every decision from now on.'; };
    mine.onmessage = ({ data }) => {
      if (mine === socket) frame.contentWindow.postMessage(JSON.parse(data), '${INSPECTOR_ORIGIN}');
    };
    mine.onclose = () => {
      if (mine === socket) status.textContent = 'nudgechart inspect has ended. Start it again, and open the address that it prints then.';
    };
    socket = mine;
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (source === frame.contentWindow && origin === '${INSPECTOR_ORIGIN}' && data?.type === '@statelyai.connected') connect();
  });
  setTimeout(() => {
    if (socket === null) status.textContent += ' ${new URL(INSPECTOR_ORIGIN).host} can’t be reached? nudgechart view shows the same without it.';
  }, ${PATIENCE_MS});
  frame.src = '${INSPECTOR_ORIGIN}/inspect';`;

export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** @param nonce of this answer alone: nothing else on the page is run */
export function bridgePage(port: number, nonce: string): Page {
  const sockets = `ws://127.0.0.1:${port} ws://localhost:${port}`;
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        `default-src 'none'; frame-src ${INSPECTOR_ORIGIN}; connect-src ${sockets}; script-src 'nonce-${nonce}'; ` +
        `style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      // The token stands in the address, and stately.ai must not get it.
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
    text: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>nudgechart inspect</title>
<style nonce="${nonce}">${STYLE}
</style>
<p role="status">Waiting for the Inspector, a page of ${new URL(INSPECTOR_ORIGIN).host}…</p>
<iframe title="Stately Inspector" referrerpolicy="no-referrer"></iframe>
<script nonce="${nonce}">${SCRIPT}
</script>
</html>
`,
  };
}
