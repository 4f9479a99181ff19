/** Arrow keys in a list of buttons: one stop for Tab, and the keys go on from there. */
import type { TargetedKeyboardEvent } from 'preact';

type Steps = Readonly<Record<string, (place: number, last: number) => number>>;

const STEPS: Steps = {
  ArrowDown: (place, last) => Math.min(last, place + 1),
  ArrowUp: (place) => Math.max(0, place - 1),
  Home: () => 0,
  End: (_, last) => last,
};

export function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const buttons: Element[] = [...event.currentTarget.querySelectorAll('button')];
  const place = document.activeElement === null ? -1 : buttons.indexOf(document.activeElement);
  event.preventDefault();
  const next = buttons[step(place, buttons.length - 1)];
  if (next instanceof HTMLElement) next.focus();
}
