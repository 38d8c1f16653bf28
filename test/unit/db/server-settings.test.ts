import { describe, expect, test } from '@jest/globals';
import { findingsOf, type ServerSettings } from '../../../src/db/server-settings';

const TUNED = 'evs.inactive_timeout = PT3S; evs.suspect_timeout = PT1S; gmcast.segment = 0; ';

function aServer(
  host: string,
  variables: Readonly<Record<string, string>> = {},
  clock: Partial<ServerSettings> = {},
): ServerSettings {
  const member = {
    innodb_flush_log_at_trx_commit: '1',
    wsrep_on: 'ON',
    wsrep_sync_wait: '1',
    wsrep_provider_options: TUNED,
  };
  const known = new Map(Object.entries({ ...member, ...variables }));
  return { host, variables: known, clockAheadMs: 0, uncertaintyMs: 1, ...clock };
}

describe('the settings of servers', () => {
  test('are quiet about a plain server and about a cluster as the documents tell', () => {
    expect(findingsOf([aServer('a:1', { wsrep_on: 'OFF', wsrep_sync_wait: '0' })])).toEqual({
      warnings: [],
      notes: [],
    });
    expect(findingsOf([aServer('a:1'), aServer('b:1', { wsrep_sync_wait: '7' })])).toEqual({ warnings: [], notes: [] });
    expect(findingsOf([])).toEqual({ warnings: [], notes: [] });
  });

  test.each(['0', '2'])('warn of innodb_flush_log_at_trx_commit = %s on the server that has it', (value) => {
    const { warnings } = findingsOf([aServer('a:1'), aServer('b:1', { innodb_flush_log_at_trx_commit: value })]);
    expect(warnings).toEqual([
      `DATABASE_URL: b:1 has innodb_flush_log_at_trx_commit = ${value}, so a power cut, or the death of all members, ` +
        'loses confirms that were answered; set it to 1',
    ]);
  });

  test.each([
    ['evs.suspect_timeout = PT5S', 'evs.suspect_timeout = PT5S', 'PT1S'],
    ['evs.suspect_timeout = PT3.1S', 'evs.suspect_timeout = PT3.1S', 'PT1S'],
    ['evs.inactive_timeout=PT1M', 'evs.inactive_timeout = PT1M', 'PT3S'],
    ['gmcast.segment = 0; evs.inactive_timeout = PT1H2M3S', 'evs.inactive_timeout = PT1H2M3S', 'PT3S'],
  ])('warn of %s', (options, named, better) => {
    expect(findingsOf([aServer('a:1', { wsrep_provider_options: options })]).warnings).toEqual([
      `DATABASE_URL: a:1 has ${named}: when a member fails, calls get 503 until the others go on without it; ` +
        `in one network set ${better}`,
    ]);
  });

  test.each(['evs.suspect_timeout = PT3S', 'xevs.suspect_timeout = PT9S', 'evs.inactive_timeout = PT5S', ''])(
    'do not warn of "%s"',
    (options) => {
      expect(findingsOf([aServer('a:1', { wsrep_provider_options: options })]).warnings).toEqual([]);
    },
  );

  test('note that other programs may read old rows', () => {
    expect(findingsOf([aServer('a:1', { wsrep_sync_wait: '0' })])).toEqual({
      warnings: [],
      notes: [expect.stringMatching(/^DATABASE_URL: a:1 has wsrep_sync_wait = 0: sessions of Millime set it to 1/)],
    });
  });

  test.each<[string, readonly ServerSettings[], string]>([
    [
      'two servers',
      [aServer('a:1', {}, { clockAheadMs: -400 }), aServer('b:1', {}, { clockAheadMs: 300 })],
      'the clock of b:1 is 700 ms ahead of the one of a:1',
    ],
    [
      'a server and this machine',
      [aServer('a:1', {}, { clockAheadMs: 60_000 })],
      'the clock of a:1 is 60000 ms ahead of the one of this machine',
    ],
    [
      'this machine and a server',
      [aServer('a:1', {}, { clockAheadMs: -2_000 })],
      'the clock of this machine is 2000 ms ahead of the one of a:1',
    ],
  ])('warn of the clocks of %s', (_name, servers, said) => {
    expect(findingsOf(servers).warnings).toEqual([
      `DATABASE_URL: ${said}, so leases and days end early or late; let NTP set both`,
    ]);
  });

  test('do not warn of a difference that may be the time of the answer', () => {
    const slow = { clockAheadMs: 900, uncertaintyMs: 500 };
    expect(findingsOf([aServer('a:1', {}, slow)]).warnings).toEqual([]);
  });
});
