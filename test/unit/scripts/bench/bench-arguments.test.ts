import { expect, test } from '@jest/globals';
import { readBenchArguments } from '../../../../scripts/bench/bench-arguments';

test('without arguments the statements are measured, with 100 MB in EUR and a server of their own', () => {
  expect(readBenchArguments([])).toEqual({
    command: 'statements',
    megabytes: 100,
    currency: 'EUR',
    url: undefined,
    seed: 1,
    output: undefined,
    items: 1_000_000,
    credits: 1_000,
    agents: 100_000,
    payments: 1_000_000,
  });
});

test('everything can be said', () => {
  expect(readBenchArguments(['statements', '--megabytes', '5', '--currency', 'TND', '--url', 'mysql://x@y/z'])).toEqual(
    {
      command: 'statements',
      megabytes: 5,
      currency: 'TND',
      url: 'mysql://x@y/z',
      seed: 1,
      output: undefined,
      items: 1_000_000,
      credits: 1_000,
      agents: 100_000,
      payments: 1_000_000,
    },
  );
});

test.each([
  [['payments'], 'there is no benchmark "payments"'],
  [['statements', 'twice'], 'there is no benchmark "statements twice"'],
  [['--megabytes', '0'], '--megabytes must be a whole number from 1 to 1000'],
  [['--megabytes', '1.5'], '--megabytes must be a whole number from 1 to 1000'],
  [['--currency', 'USD'], '--currency must be EUR or TND'],
  [['match', '--items', '0'], '--items must be a whole number from 1 to 3000000'],
  [['match', '--credits', '1001'], '--credits must be a whole number from 1 to 1000'],
  [['service', '--database', 'oracle'], '--database must be mariadb, sqlite or both'],
  [['service', '--seconds', '0'], '--seconds must be a whole number from 1 to 600'],
  [['service', '--postings', '0,ten'], '--postings must be whole numbers from 0 to 99999999, separated by commas'],
  [
    ['service', '--only', 'calls,speed'],
    '--only must be some of calls, processes, logging, books, statements, profile, separated by commas',
  ],
  [['camt053'], 'camt053 needs --output <file>'],
])('%j is refused in one line', (args, problem) => {
  expect(readBenchArguments(args)).toBe(problem);
});

test('a reconciliation is of a month of days when nothing is said', () => {
  expect(readBenchArguments(['reconcile'])).toMatchObject({ command: 'reconcile', items: 100_000, credits: 30 });
  expect(readBenchArguments(['reconcile', '--items', '60000'])).toMatchObject({ items: 60_000, credits: 30 });
});

test('an option that does not exist is named', () => {
  expect(readBenchArguments(['--speed'])).toContain("Unknown option '--speed'");
});

test('the service is measured on both databases, and profiled only when that is asked for', () => {
  expect(readBenchArguments(['service'])).toMatchObject({
    service: {
      databases: ['mariadb', 'sqlite'],
      agents: 100_000,
      seconds: 5,
      rounds: 3,
      postings: [1_000_000, 10_000_000],
      parts: ['calls', 'processes', 'logging', 'books', 'statements'],
    },
  });
  expect(readBenchArguments(['service', '--profile', '--database', 'sqlite'])).toMatchObject({
    service: { databases: ['sqlite'], parts: ['profile'] },
  });
});
