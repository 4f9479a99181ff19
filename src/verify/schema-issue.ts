/** What a schema has against a value, in words. The library's own take a language pack, which every hook would load. */

/** As much of an issue as there is to tell, whoever's library found it. */
interface Issue {
  readonly code?: string;
  readonly path?: readonly PropertyKey[];
  readonly message?: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean;
  readonly divisor?: number;
  readonly format?: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
}

const LONGEST = 60;
/** What the library says without a language pack. */
const WORDLESS = 'Invalid input';

/**
 * `options.interval: expected a number, got "5"`, of the first issue.
 * @param error what a schema threw, or its `safeParse` returned
 * @param name what stands for the value as a whole
 * @param value what was held against the schema; not given: not known
 * @returns null: it is no such error
 */
export function issueText(error: unknown, name: string, ...value: [] | [unknown]): string | null {
  const issues = (error as { issues?: unknown } | null | undefined)?.issues;
  if (!Array.isArray(issues) || issues.length === 0) return null;
  const issue = issues[0] as Issue;
  const path = issue.path ?? [];
  const where = [name, ...path.map(String)].join('.');
  const said = issue.message ?? WORDLESS;
  if (said !== WORDLESS) return `${where}: ${said}`;
  const got = value.length === 0 ? '' : `, got ${shown(at(value[0], path))}`;
  return `${where}: expected ${wanted(issue)}${got}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function wanted(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected ?? ''] ?? issue.expected ?? 'something else';
    case 'invalid_value':
      return `${issue.values?.length === 1 ? '' : 'one of '}${(issue.values ?? []).map(shown).join(', ')}`;
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue)}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue)}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return `a text of the form ${issue.format}`;
    case 'unrecognized_keys':
      return `no ${(issue.keys ?? []).map(shown).join(', ')}`;
    case 'invalid_union':
      return [...new Set((issue.errors ?? []).flatMap(([first]) => (first ? [wanted(first)] : [])))].join(' or ');
    default:
      return 'something else';
  }
}

function unitOf({ origin }: Issue): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' entries' : '';
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? `${value}` : (JSON.stringify(value) ?? 'nothing');
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text;
}
