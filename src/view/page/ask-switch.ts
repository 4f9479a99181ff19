/** Asks the server to switch something off or on. */
import type { Overview, Refusal, SwitchRequest } from '../live.ts';
import { refusalIn } from './refusal.ts';

const NO_ANSWER: Refusal = {
  message: 'no answer came, so nothing is known to have changed',
  next: 'see whether nudgechart view still runs, then try again',
};

export async function askSwitch(request: SwitchRequest): Promise<Overview | Refusal> {
  try {
    const response = await fetch('switch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    });
    const body = await response.text();
    return response.ok ? (JSON.parse(body) as Overview) : refusalIn(body);
  } catch {
    return NO_ANSWER;
  }
}
