/** Options of a policy as somebody gives them on the command line, held against its own schema. */
import { NudgechartError } from '../core/errors.ts';
import type { AnyPolicy } from '../core/policy.ts';
import { quote } from '../core/quote.ts';
import { issueText } from '../verify/schema-issue.ts';

/** @param text a JSON object @throws NudgechartError `ARGUMENT_INVALID` */
export function optionsIn(text: string): unknown {
  try {
    const options: unknown = JSON.parse(text);
    if (typeof options === 'object' && options !== null && !Array.isArray(options)) return options;
  } catch {
    // Said below.
  }
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `${quote(text).text} is no JSON object`,
    `write for example --options '{"intervalMs": 600000}'`,
  );
}

/** What its schema makes of the options. @throws NudgechartError `ARGUMENT_INVALID` */
export function accepted(policy: AnyPolicy, given: unknown): unknown {
  const options = policy.options().safeParse(given);
  const unknown = options.success ? Object.keys(given as object).filter((key) => !isIn(key, options.data)) : [];
  if (unknown.length > 0) {
    throw new NudgechartError(
      'ARGUMENT_INVALID',
      `${policy.machine.id} has no option ${quote(unknown.join(', ')).text}`,
      `it has ${Object.keys((options.data ?? {}) as object).join(', ') || 'none'}`,
    );
  }
  if (options.success) return options.data;
  const why = issueText(options.error, 'options', given) ?? options.error.message;
  throw new NudgechartError(
    'ARGUMENT_INVALID',
    `${policy.machine.id} does not accept the options ${JSON.stringify(given)} (${why})`,
    'give others with --options, or give each option of its schema a default',
    options.error,
  );
}

/** Schemas leave out what they don't know. */
function isIn(key: string, options: unknown): boolean {
  return typeof options !== 'object' || options === null || Object.hasOwn(options, key);
}
