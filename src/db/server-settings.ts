import { SECOND_MS, systemClock } from '../kernel';
import type { Database } from './database';
import type { MariaDbClient } from './mariadb-client';
import { type ServerQuery, valuesOf } from './server-health';

/** What one server says of itself, as far as confirms depend on it. */
export interface ServerSettings {
  /** `host:port`, as in `DATABASE_URL`. */
  readonly host: string;
  /** Values of its global variables, by name. */
  readonly variables: ReadonlyMap<string, string>;
  /** Its clock minus the clock of this machine, and how much of that may be the way there and back. */
  readonly clockAheadMs: number;
  readonly uncertaintyMs: number;
}

export interface ServerFindings {
  /** What may cost money or answers, one line each. */
  readonly warnings: readonly string[];
  /** What does not touch Millime, and may touch other programs on the same database. */
  readonly notes: readonly string[];
}

const VARIABLES = ['innodb_flush_log_at_trx_commit', 'wsrep_on', 'wsrep_sync_wait', 'wsrep_provider_options'];
/** A clock may differ by this much before leases end noticeably early or late. */
const CLOCK_TOLERANCE_MS = SECOND_MS / 2;
/** A call is answered within 5 s, and the others need about a second more to go on without a member. */
const SUSPECT_MAX_SECONDS = 3;
const INACTIVE_MAX_SECONDS = 5;

/**
 * Asks every server of the database, and judges what it says and which ones are missing. Of an embedded database there is
 * nothing to ask. Never rejects.
 */
export async function judgeServers({ dialect, pool }: Database): Promise<ServerFindings> {
  if (dialect === 'sqlite') return { warnings: [], notes: [] };
  const asked = await (pool.client as MariaDbClient).askEachHost(readServerSettings);
  const servers = asked.map(({ answer }) => answer).filter((answer) => answer !== undefined);
  const { warnings, notes } = findingsOf(servers);
  // If none answers, the database cannot be used, which is reported as such.
  const missing = servers.length === 0 ? [] : asked.filter(({ answer }) => answer === undefined);
  return { warnings: [...missing.flatMap(({ host }) => outside(host)), ...warnings], notes };
}

function outside(host: string): string[] {
  return [
    `DATABASE_URL: ${host} does not answer, or is not a member of its cluster, so the others survive fewer failures; ` +
      'see "Recover a cluster" in docs/OPERATIONS.md',
  ];
}

async function readServerSettings(query: ServerQuery, host: string): Promise<ServerSettings> {
  const variables = await valuesOf(query, 'variables', VARIABLES);
  const sentAt = systemClock.now();
  const [row] = await query('select unix_timestamp(now(3)) * 1000 as now_ms', []);
  const uncertaintyMs = (systemClock.now() - sentAt) / 2;
  return { host, variables, clockAheadMs: Number(row?.['now_ms']) - sentAt - uncertaintyMs, uncertaintyMs };
}

/** Judges the settings of the servers of one database, in the order of `DATABASE_URL`. Pure. */
export function findingsOf(servers: readonly ServerSettings[]): ServerFindings {
  const clocks = [{ host: 'this machine', clockAheadMs: 0, uncertaintyMs: 0 }, ...servers];
  return {
    warnings: [...servers.flatMap((server) => [...durability(server), ...timeouts(server)]), ...clockSkew(clocks)],
    notes: servers.flatMap(staleReads),
  };
}

function durability({ host, variables }: ServerSettings): string[] {
  const value = variables.get('innodb_flush_log_at_trx_commit');
  if (value === undefined || value === '1') return [];
  return [
    `DATABASE_URL: ${host} has innodb_flush_log_at_trx_commit = ${value}, so a power cut, or the death of all members, ` +
      'loses confirms that were answered; set it to 1',
  ];
}

function timeouts({ host, variables }: ServerSettings): string[] {
  if (variables.get('wsrep_on') !== 'ON') return [];
  const options = variables.get('wsrep_provider_options') ?? '';
  return [
    ...timeout(host, options, { name: 'evs.suspect_timeout', maxSeconds: SUSPECT_MAX_SECONDS, better: 'PT1S' }),
    ...timeout(host, options, { name: 'evs.inactive_timeout', maxSeconds: INACTIVE_MAX_SECONDS, better: 'PT3S' }),
  ];
}

function timeout(
  host: string,
  options: string,
  { name, maxSeconds, better }: { readonly name: string; readonly maxSeconds: number; readonly better: string },
): string[] {
  const value = new RegExp(`(?:^|;)\\s*${name.replace('.', '\\.')}\\s*=\\s*(PT[0-9.HMS]+)`).exec(options)?.[1];
  if (value === undefined || secondsOf(value) <= maxSeconds) return [];
  return [
    `DATABASE_URL: ${host} has ${name} = ${value}: when a member fails, calls get 503 until the others go on without it; ` +
      `in one network set ${better}`,
  ];
}

/** Reads a duration as Galera writes it, such as `PT1M5.5S`. */
function secondsOf(duration: string): number {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^PT(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?$/.exec(duration) ?? [];
  return 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
}

/** Names the two clocks that differ most, because one clock that is wrong differs from all the others. */
function clockSkew(clocks: readonly Pick<ServerSettings, 'host' | 'clockAheadMs' | 'uncertaintyMs'>[]): string[] {
  const [slowest, fastest] = [...clocks]
    .sort((a, b) => a.clockAheadMs - b.clockAheadMs)
    .filter((_, index, { length }) => index === 0 || index === length - 1);
  if (slowest === undefined || fastest === undefined) return [];
  const differenceMs = fastest.clockAheadMs - slowest.clockAheadMs;
  if (differenceMs - fastest.uncertaintyMs - slowest.uncertaintyMs <= CLOCK_TOLERANCE_MS) return [];
  return [
    `DATABASE_URL: the clock of ${fastest.host} is ${Math.round(differenceMs)} ms ahead of the one of ${slowest.host}, ` +
      'so leases and days end early or late; let NTP set both',
  ];
}

function staleReads({ host, variables }: ServerSettings): string[] {
  const value = Number(variables.get('wsrep_sync_wait'));
  if (variables.get('wsrep_on') !== 'ON' || value % 2 === 1) return [];
  return [
    `DATABASE_URL: ${host} has wsrep_sync_wait = ${value}: sessions of Millime set it to 1, but other programs may not ` +
      'see there what was just written on another member; set it to 1 for them',
  ];
}
