/** Names of states: charts tell them with dots, older traces as JSON. */

/** The states that a name stands for, the outermost first: `work.busy` gives `work` and `work.busy`. */
export function statesIn(name: string): string[] {
  const paths = name.startsWith('{') ? pathsIn(name) : [name];
  return [...new Set(paths.flatMap(withAncestors))];
}

/** `{"work":"busy"}` as `work.busy`; parallel regions side by side. */
export function stateText(name: string): string {
  return name.startsWith('{') ? pathsIn(name).join(', ') : name;
}

function withAncestors(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, count) => parts.slice(0, count + 1).join('.'));
}

function pathsIn(json: string): string[] {
  try {
    return leaves(JSON.parse(json));
  } catch {
    return [json];
  }
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([state, inner]) => {
    const below = leaves(inner);
    return below.length === 0 ? [state] : below.map((path) => `${state}.${path}`);
  });
}
