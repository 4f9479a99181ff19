/** The options that a policy runs with, in a few words: `interval 60 s, tools changing`. */
import { quote } from '../core/quote.ts';
import { words } from './explain/subject.ts';

const LONGEST = 24;
const MOST = 4;

export function optionsText(options: unknown): string {
  const given = typeof options === 'object' && options !== null ? Object.entries(options) : [];
  const told = given.filter(([, value]) => value !== undefined).map(([name, value]) => one(name, value));
  const more = told.length > MOST ? [`${told.length - MOST} more`] : [];
  return [...told.slice(0, MOST), ...more].join(', ');
}

function one(name: string, value: unknown): string {
  if (!name.endsWith('Ms')) return `${words(name)} ${inWords(value)}`;
  return `${words(name.slice(0, -2))} ${typeof value === 'number' ? seconds(value) : 'off'}`;
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(' ');
  if (typeof value === 'string') return /^[\w.:-]{1,24}$/.test(value) ? value : quote(value, LONGEST).text;
  if (value === null) return 'off';
  return typeof value === 'object' ? quote(JSON.stringify(value), LONGEST).text : String(value);
}

/** `60 s`. @param ms milliseconds */
export function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`;
}
