/** A strict reader of XML, as far as our pictures use it: it takes nothing that a browser’s XML parser would refuse. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  /** Of its own, without that of what stands in it. */
  text: string;
}

const TAG = /<(\/?)([A-Za-z][\w-]*)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(\/?)>/y;
const TEXT = /[^<>]+/y;
const REFERENCE = /&(?:amp|lt|gt|quot|#\d+);/g;
const NAMED: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** @throws where it is not well-formed */
export function parseXml(xml: string): Element {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.test(xml))
    throw new Error('a forbidden character');
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  let at = 0;
  while (at < xml.length) {
    TAG.lastIndex = at;
    TEXT.lastIndex = at;
    const parent = open.at(-1) ?? document;
    const tag = TAG.exec(xml);
    const text = tag === null ? TEXT.exec(xml) : null;
    if (tag !== null) take(tag, open, parent);
    else if (text !== null) parent.text += resolved(text[0]);
    else throw new Error(`not well-formed at ${xml.slice(at, at + 60)}`);
    at = tag === null ? TEXT.lastIndex : TAG.lastIndex;
  }
  const [root] = document.children;
  if (open.length !== 1 || root === undefined || document.children.length !== 1) throw new Error('not one element');
  return root;
}

function take([, end, name = '', attributes = '', empty]: RegExpExecArray, open: Element[], parent: Element): void {
  if (end === '/') {
    if (open.length < 2 || parent.name !== name) throw new Error(`</${name}> ends nothing`);
    open.pop();
    return;
  }
  const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
    key,
    resolved(value),
  ]);
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`an attribute twice in <${name}>`);
  const element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
  parent.children.push(element);
  if (empty !== '/') open.push(element);
}

function resolved(raw: string): string {
  if (raw.replace(REFERENCE, '').includes('&')) throw new Error(`a bare & in ${raw}`);
  return raw.replace(REFERENCE, (one) => NAMED[one] ?? String.fromCodePoint(Number(one.slice(2, -1))));
}

/** It and everything in it. */
export function allIn(element: Element): Element[] {
  return [element, ...element.children.flatMap(allIn)];
}

export function classesOf({ attributes }: Element): string[] {
  return (attributes['class'] ?? '').split(' ');
}
