/** The page of the live view. */
import { render } from 'preact';
import { App } from './app.tsx';
import { plainKeyInAddress } from './chosen-session.ts';
import { openLiveConnection } from './live-connection.ts';

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  render(<App connection={openLiveConnection(plainKeyInAddress())} />, root);
}
