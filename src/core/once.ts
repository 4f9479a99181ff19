/**
 * Makes a thing when it is first asked for. For schemas: a hook is a new process for every tool call, and making a schema
 * costs it more than using one.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly thing: T } | undefined;
  return () => {
    made ??= { thing: make() };
    return made.thing;
  };
}
