/** Which session is looked at, kept in the address so that it outlives a reload. */
import { useCallback, useEffect, useState } from 'preact/hooks';

export function useChosenSession(): [string | null, (key: string) => void] {
  const [chosen, setChosen] = useState(sessionInAddress);
  useEffect(() => {
    const follow = () => setChosen(sessionInAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const choose = useCallback((key: string) => {
    history.replaceState(null, '', `#${encodeURIComponent(key)}`);
    setChosen(key);
  }, []);
  return [chosen, choose];
}

/** The key in the address, if the server takes it without looking whether it is there; else null. */
export function plainKeyInAddress(): string | null {
  const key = sessionInAddress();
  return key !== null && /^(_[0-9a-f]{32}|[a-z0-9][a-z0-9-]{7,63})$/.test(key) ? key : null;
}

function sessionInAddress(): string | null {
  try {
    const key = decodeURIComponent(location.hash.slice(1));
    return key === '' ? null : key;
  } catch {
    return null;
  }
}
