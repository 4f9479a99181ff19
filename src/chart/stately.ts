/** A chart as the code that Stately Studio imports: one `createMachine({…})` with nothing in it but data. */
import type { AnyStateMachine } from 'xstate';
import { type Plain, type PlainObject, plainConfig } from './plain-config.ts';

/** Characters of a line. */
const WIDTH = 100;

/**
 * A module's text. Guards and actions stand in it by name, without parameters; descriptions are kept. The same machine gives
 * the same text.
 */
export function statelyText(machine: AnyStateMachine): string {
  const config = block(plainConfig(machine), '');
  return `import { createMachine } from 'xstate';\n\nexport const machine = createMachine(${config});\n`;
}

function literal(value: Plain, indent: string, before: number): string {
  const line = inLine(value);
  return indent.length + before + line.length < WIDTH || isSmall(value) ? line : block(value, indent);
}

function isSmall(value: Plain): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** On several lines. */
function block(value: Plain, indent: string): string {
  const deeper = `${indent}  `;
  if (isList(value)) {
    return `[\n${value.map((one) => `${deeper}${literal(one, deeper, 1)},\n`).join('')}${indent}]`;
  }
  if (!isRecord(value)) return inLine(value);
  const members = Object.entries(value).map(([key, inner]) => {
    const name = `${keyOf(key)}: `;
    return `${deeper}${name}${literal(inner, deeper, name.length + 1)},\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

function inLine(value: Plain): string {
  if (typeof value === 'string') return text(value);
  if (isList(value)) return `[${value.map(inLine).join(', ')}]`;
  if (!isRecord(value)) return String(value);
  const members = Object.entries(value).map(([key, inner]) => `${keyOf(key)}: ${inLine(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** In brackets where the bare word would set the prototype instead of a property. */
function keyOf(key: string): string {
  if (key === '__proto__') return `[${text(key)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : text(key);
}

/** What can't be seen, or changes how the rest is seen, is written as an escape. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

function text(raw: string): string {
  const escaped = JSON.stringify(raw).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replace(HIDDEN, unitsOf)}'`;
}

function unitsOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, place) => character.charCodeAt(place));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}

function isRecord(value: Plain): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
