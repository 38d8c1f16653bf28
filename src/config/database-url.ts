const MARIADB_PORT = 3306;

/** Where the data is stored: a SQLite file or a MariaDB server. */
export type DatabaseUrl =
  | { readonly kind: 'sqlite'; readonly file: string }
  | {
      readonly kind: 'mariadb';
      /** In order of preference: Millime connects to the first host that accepts writes. */
      readonly hosts: readonly { readonly host: string; readonly port: number }[];
      readonly user: string;
      readonly password: string;
      readonly database: string;
      /** How connections are encrypted; undefined for connections in plain text. */
      readonly tls: DatabaseTls | undefined;
    };

/** TLS with a verified certificate. No other kind exists: an unverified one stops no attacker on the way. */
export interface DatabaseTls {
  /** The certificates that may sign the server's; undefined for those that Node trusts. */
  readonly caFile: string | undefined;
}

/**
 * Reads `sqlite:<file>` or `mysql://user:password@host:port[,host:port…]/database[?tls=required[&ca=<file>]]`
 * (`mariadb://` is the same).
 */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  // A question mark begins options, and a file has none; it would become a part of the name.
  if (file !== undefined) return file.includes('?') ? undefined : { kind: 'sqlite', file };
  const server = /^(?:mysql|mariadb):\/\/([^:@/]+)(?::([^@/]*))?@([^/@?]+)\/([A-Za-z0-9_$-]+)(?:\?(.*))?$/.exec(text);
  if (server === null) return undefined;
  const [, user = '', password = '', hostList = '', database = '', options] = server;
  const hosts = hostList.split(',').map(parseHost);
  if (hosts.some((host) => host === undefined)) return undefined;
  try {
    const tls = parseTls(options);
    if (tls === 'unknown') return undefined;
    return {
      kind: 'mariadb',
      hosts: hosts.filter((host) => host !== undefined),
      user: decodeURIComponent(user),
      password: decodeURIComponent(password),
      database,
      tls,
    };
  } catch {
    return undefined; // a percent sign that encodes nothing
  }
}

function parseHost(text: string): { host: string; port: number } | undefined {
  const match = /^([A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(text);
  if (match === null) return undefined;
  const port = match[2] === undefined ? MARIADB_PORT : Number(match[2]);
  return port > 0 && port <= 65_535 ? { host: match[1] as string, port } : undefined;
}

/** Refuses an unknown option: it may be one of another program that asks for TLS. */
function parseTls(options: string | undefined): DatabaseTls | 'unknown' | undefined {
  if (options === undefined) return undefined;
  const given = options.split('&').map(parseOption);
  const { tls, ca, ...others } = Object.fromEntries(given);
  const isRepeated = new Set(given.map(([name]) => name)).size < given.length;
  if (tls !== 'required' || ca === '' || isRepeated || Object.keys(others).length > 0) return 'unknown';
  return { caFile: ca };
}

function parseOption(text: string): [string, string] {
  const [name = '', ...value] = text.split('=');
  return [name, decodeURIComponent(value.join('='))];
}
