/** Which hooks are registered with Claude Code: ours, once; and interlink's own. */
import path from 'node:path';
import { quote } from '../../core/quote.ts';
import { INTERVAL_VARIABLE } from '../settings.ts';
import type { HookEntry } from './claude-settings.ts';
import { type Examine, type Finding, note, ok, type Patient, wrong } from './finding.ts';
import { hindrances } from './runnable.ts';

const PLUGIN = 'nudgechart';
const INTERLINK = 'interlink';
const INSTALL =
  'install the plugin (claude plugin marketplace add <nudgechart’s repository>, then claude plugin install nudgechart@nudgechart), or see examples/claude-code in the package';

/** One way in which a hook gets run. `events` is empty for a plugin, which brings all of them. */
interface Way {
  readonly kind: 'plugin' | 'settings';
  /** The plugin's id, or the settings file. */
  readonly name: string;
  readonly events: readonly string[];
  readonly entries: readonly HookEntry[];
}

export const examineRegistration: Examine = (patient) => [
  ...unreadable(patient),
  ...disabled(patient),
  ...registered(patient),
];

function registered(patient: Patient): Finding[] {
  const ways = waysOf(patient, PLUGIN, isOurs);
  const [only, ...others] = ways;
  if (only === undefined) {
    const places = patient.claude.looked.join(', ');
    return [
      note('registration', `no hook of nudgechart in ${places}: no reminders, unless it is loaded otherwise`, INSTALL),
    ];
  }
  if (others.length > 0) {
    const spare = others.map(({ kind, name }) =>
      kind === 'plugin' ? `run: claude plugin disable ${name}` : `remove nudgechart’s hooks from ${name}`,
    );
    return [
      wrong('registration', `registered ${ways.length} times: ${ways.map(described).join('; ')}`, spare.join('; ')),
    ];
  }
  if (only.kind === 'plugin') return [pluginFinding(only, patient)];
  const hindered = hindrances(only.entries, patient.env, patient.files);
  if (hindered.length === 0) return [settingsFinding(only)];
  return hindered.map(({ why, next }) => wrong('registration', `${described(only)}, but ${why}: no reminders`, next));
}

function pluginFinding(way: Way, { claude: { installed } }: Patient): Finding {
  if (installed === null || Object.hasOwn(installed, way.name)) return ok('registration', described(way));
  return wrong(
    'registration',
    `${described(way)} is enabled but not installed`,
    `run: claude plugin install ${way.name}`,
  );
}

function settingsFinding(way: Way): Finding {
  const twice = way.events.find((event, index) => way.events.indexOf(event) !== index);
  if (twice !== undefined) {
    return wrong('registration', `registered more than once for ${twice} in ${way.name}`, 'keep one of the entries');
  }
  if (way.events.includes('PostToolUse')) return ok('registration', described(way));
  return wrong(
    'registration',
    `${described(way)}, but not for PostToolUse: no reminders`,
    `add it as in examples/claude-code/settings.json`,
  );
}

function unreadable({ claude }: Patient): Finding[] {
  return claude.present
    .filter(({ problem }) => problem !== null)
    .map(({ path: file, problem }) =>
      note('registration', `${file} ${problem}: its hooks are not seen here`, 'repair it'),
    );
}

function disabled({ claude }: Patient): Finding[] {
  const file = claude.present.findLast(({ disablesHooks }) => disablesHooks !== null);
  if (file?.disablesHooks !== true) return [];
  return [wrong('registration', `disableAllHooks is true in ${file.path}: no hook runs`, 'remove it there')];
}

export const examineInterlink: Examine = (patient) => {
  const ways = waysOf(patient, INTERLINK, (command) => command.includes('progress-nudge'));
  if (ways.length === 0) return [ok('interlink', 'interlink’s own hook is not registered')];
  const theirs = ways.map(described).join('; ');
  if (waysOf(patient, PLUGIN, isOurs).length === 0)
    return [ok('interlink', `interlink’s own hook is registered: ${theirs}`)];
  const removable = ways.filter(({ kind }) => kind === 'settings').map(({ name }) => name);
  const ours =
    removable.length === ways.length
      ? `remove progress-nudge from ${removable.join(', ')}`
      : 'disable interlink’s plugin, which brings the hook';
  return [
    ...theirInterval(patient),
    note(
      'interlink',
      `both hooks installed, nudgechart’s and interlink’s own (${theirs}): they share last-nudge, so one reminds in an interval`,
      `both may stay; to have only interlink’s, set NUDGECHART=0; to have only ours, ${ours}`,
    ),
  ];
};

/** interlink's hook reads digits as seconds and stops at the first other character. */
function theirInterval({ env }: Patient): Finding[] {
  const said = env[INTERVAL_VARIABLE]?.trim() ?? '';
  if (said === '' || /^\d+$/.test(said)) return [];
  const detail = `interlink’s hook understands ${quote(said).text} otherwise: plain digits, and as seconds`;
  return [note('interlink', detail, `write ${INTERVAL_VARIABLE} as a whole number of seconds`)];
}

function waysOf(patient: Patient, plugin: string, isMeant: (command: string) => boolean): Way[] {
  const ids = pluginsOf(patient, plugin);
  const settings = patient.claude.present.map(({ path: name, hooks }) => ({
    kind: 'settings' as const,
    name,
    entries: hooks.filter(({ command }) => isMeant(command)),
  }));
  return [
    ...ids.map((name) => ({ kind: 'plugin' as const, name, events: [], entries: [] })),
    ...settings
      .filter(({ entries }) => entries.length > 0)
      .map((way) => ({ ...way, events: way.entries.map(({ event }) => event) })),
  ];
}

function pluginsOf({ claude }: Patient, plugin: string): string[] {
  const enabled: Record<string, boolean> = Object.assign({}, ...claude.present.map(({ plugins }) => plugins));
  return Object.keys(enabled).filter((id) => enabled[id] === true && id.split('@')[0] === plugin);
}

/** Ids under which our plugin is enabled: one for each marketplace. */
export function ourPlugins(patient: Patient): string[] {
  return pluginsOf(patient, PLUGIN);
}

/** Our command in any of its spellings: from the PATH, by the file, behind a guard. */
function isOurs(command: string): boolean {
  return command.includes('nudgechart') && /\bhook\b/.test(command);
}

function described({ kind, name, events }: Way): string {
  return kind === 'plugin' ? `plugin ${name}` : `${path.normalize(name)} (${[...new Set(events)].join(', ')})`;
}
