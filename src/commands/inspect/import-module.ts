/** The one `import()` that stays what it is: this file is a bundle of its own, since in all others it becomes `require()`. */

/** @param url of an ES module outside this program */
export async function importModule(url: string): Promise<unknown> {
  return await import(url);
}
