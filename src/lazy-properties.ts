/**
 * Returns an object that creates each property at its first read and stores it. Copying the object, `{ ...object }`,
 * creates all of them.
 */
export function lazyProperties<T extends object>(makers: { readonly [Name in keyof T]: () => T[Name] }): T {
  const created = {} as T;
  for (const name of Object.keys(makers) as (keyof T)[]) {
    Object.defineProperty(created, name, {
      enumerable: true,
      configurable: true,
      get() {
        const value = makers[name]();
        Object.defineProperty(created, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return created;
}
