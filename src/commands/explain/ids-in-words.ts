/** Session ids in sentences, as the names that people know them by. */

const ID = /(^|[\s(])("?)([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\2(?=$|[\s,;:.)])/g;

/** @param names by session id; an id that nobody answers to is cut to as much as `status` shows of it */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(ID, (_, before: string, mark: string, head: string, rest: string) => {
    const name = names.get(head + rest);
    if (name === undefined) return `${before}${mark}${head}…${mark}`;
    return `${before}${name.startsWith('"') ? name : `${mark}${name}${mark}`}`;
  });
}
