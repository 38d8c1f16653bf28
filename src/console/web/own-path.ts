/** The path of the console below the root. */
export const CONSOLE = '/console';

/** Returns a path of the console that a request names, or the console's first page: no request leads to another site. */
export function ownPath(text: string | undefined): string {
  const base = 'http://console.invalid';
  const url = URL.parse(text ?? '', base);
  const isOwn = url?.origin === base && (url.pathname === CONSOLE || url.pathname.startsWith(`${CONSOLE}/`));
  return isOwn ? `${url.pathname}${url.search}` : CONSOLE;
}

/** Returns a path of the console with its parts encoded: `to('/breaks', id)`. */
export function to(path: `/${string}`, ...parts: readonly string[]): string {
  return [`${CONSOLE}${path === '/' ? '' : path}`, ...parts.map(encodeURIComponent)].join('/');
}

/** Returns a path with a query; values that are undefined or empty are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((each): each is [string, string] => (each[1] ?? '') !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
