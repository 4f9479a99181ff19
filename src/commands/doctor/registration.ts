/** Which hooks are registered with Claude Code: ours, once; and interlink's own. */
import path from 'node:path';
import { type Examine, type Finding, note, ok, type Patient, wrong } from './finding.ts';

const PLUGIN = 'nudgechart';
const INTERLINK = 'interlink';
const INSTALL =
  'install the plugin (/plugin install nudgechart@nudgechart), or merge examples/claude-code/settings.json';

/** One way in which a hook gets run. `events` is empty for a plugin, which brings all of them. */
interface Way {
  readonly kind: 'plugin' | 'settings';
  /** The plugin's id, or the settings file. */
  readonly name: string;
  readonly events: readonly string[];
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
  return [only.kind === 'plugin' ? pluginFinding(only, patient) : settingsFinding(only)];
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
      ? `or remove progress-nudge from ${removable.join(', ')}`
      : 'its plugin can’t be had without its hook';
  return [
    note(
      'interlink',
      `both hooks installed, nudgechart’s and interlink’s own (${theirs}): they share last-nudge, so one reminds in an interval`,
      `nothing has to be done; to keep one, set NUDGECHART=0 for interlink’s; ${ours}`,
    ),
  ];
};

function waysOf(patient: Patient, plugin: string, isMeant: (command: string) => boolean): Way[] {
  const ids = pluginsOf(patient, plugin);
  const settings = patient.claude.present.map(({ path: name, hooks }) => ({
    kind: 'settings' as const,
    name,
    events: hooks.filter(({ command }) => isMeant(command)).map(({ event }) => event),
  }));
  return [
    ...ids.map((name) => ({ kind: 'plugin' as const, name, events: [] })),
    ...settings.filter(({ events }) => events.length > 0),
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
