import { describe, expect, test } from '@jest/globals';
import { registerDoctorCommand } from '../../../src/cli/doctor';
import { DAY_MS } from '../../../src/kernel';
import { fixedClock } from '../../support/fakes';
import { runCommand } from './support/run-command';

const clock = fixedClock('2026-03-02T17:04:59+01:00');
const rooms: Parameters<typeof runCommand>[1] = {
  clock,
  config: {
    database: { kind: 'sqlite', file: __filename },
    businessTimeZone: 'Africa/Tunis',
    gatewayLacks: [],
    gateway: undefined,
    webhooks: undefined,
  },
  database: { dialect: 'sqlite' },
  identity: { listKeys: () => Promise.resolve([]) },
  pendingMigrations: () => Promise.resolve([]),
  jobWatermarks: () => Promise.resolve(new Map([['reconcile', clock.now() - DAY_MS]])),
  serviceTokens: {
    diagnose: ({ instantText }) => {
      const expiresAt = clock.now() + DAY_MS;
      return Promise.resolve({ problems: [], warnings: [`expires at ${instantText(expiresAt)}`], expiresAt });
    },
  },
};

describe('millime doctor', () => {
  test('prints each instant in the business time zone', async () => {
    const { lines, exitCode } = await runCommand(registerDoctorCommand, rooms, ['doctor']);
    expect(lines).toEqual(
      expect.arrayContaining([
        'businessNow         2026-03-02 17:04:59',
        'jobs                {"reconcile":"2026-03-01 17:04:59"}',
        'tokenExpiresAt      2026-03-03 17:04:59',
        'warning: expires at 2026-03-03 17:04:59',
      ]),
    );
    expect(exitCode).toBe(0);
  });

  test('prints each instant of the JSON in UTC', async () => {
    const { json, lines } = await runCommand(registerDoctorCommand, rooms, ['doctor', '--json']);
    expect(json).toMatchObject({
      ok: true,
      businessNow: '2026-03-02T16:04:59.000Z',
      jobs: { reconcile: '2026-03-01T16:04:59.000Z' },
      tokenExpiresAt: '2026-03-03T16:04:59.000Z',
      warnings: ['expires at 2026-03-03T16:04:59.000Z'],
    });
    expect(lines).toEqual([]);
  });
});
