import { beforeEach, expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/db';
import { type Actor, createIdentity, type FreshKey, type Identity, OPERATOR } from '../../../src/identity';
import { newId } from '../../../src/kernel';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { fixedClock, type RecordingLogger, recordingLogger } from '../../support/fakes';
import { contents } from '../ledger/row-counts';

// Goal: a key grants exactly its scopes, as long as it is active and no longer, and its text is stored nowhere.
// Method: the room on both databases, with a clock that stands still.

const START = '2026-03-02T09:00:00+01:00';
const DAY_SECONDS = 86_400;
const NOT_GOOD = 'MILLIME_API_KEY: expected an active API key; create one with "millime keys create"';

describeOnEachDatabase('API keys', (harness) => {
  const clock = fixedClock(START);
  let logger: RecordingLogger;
  let identity: Identity;

  beforeEach(() => {
    clock.set(START);
    logger = recordingLogger();
    identity = createIdentity({ database: harness.database, clock, logger });
  });

  async function make(name: string, scopes: readonly string[], more: { ttlSeconds?: number; actor?: Actor } = {}) {
    const fresh = await identity.createKey({ name, scopes, actor: OPERATOR, dryRun: false, ...more });
    return { ...fresh, text: textOf(fresh) };
  }

  const textOf = ({ text }: FreshKey): string => {
    if (text === undefined) throw new Error('a key that was made has a text');
    return text;
  };

  const actorOf = async (text: string): Promise<Actor> => {
    const actor = await identity.authenticate(text);
    if (actor === undefined) throw new Error('the key is not good');
    return actor;
  };

  const revoke = (keyId: string, options: { dryRun?: boolean; actor?: Actor } = {}) =>
    identity.revokeKey({ keyId, reason: 'lost in a train', actor: OPERATOR, dryRun: false, ...options });

  test('a new key identifies its owner with exactly its scopes', async () => {
    const { text, key } = await make('salma', ['dues:write', 'agents:write']);
    expect(await identity.authenticate(text)).toEqual({
      kind: 'api_key',
      name: 'salma',
      keyId: key.id,
      scopes: new Set(['agents:write', 'dues:write']),
    });
    expect((await identity.listKeys({ limit: 100 })).rows).toEqual([
      {
        id: key.id,
        name: 'salma',
        scopes: new Set(['agents:write', 'dues:write']),
        createdAt: clock.now(),
        expiresAt: undefined,
        recordedBy: 'cli',
        revokedAt: undefined,
        state: 'active',
      },
    ]);
  });

  test('the secret is nowhere in the database and in no log, as text, as bytes or in hex', async () => {
    const { text, key } = await make('salma', ['keys:manage']);
    await identity.authenticate(text);
    await identity.authenticate(`${text.slice(0, -1)}_`);
    await identity.commandActor(`${text} `, { decides: true }).catch(() => undefined);
    await revoke(key.id);
    await identity.commandActor(text, { decides: true }).catch(() => undefined);
    const encoded = text.slice(-43);
    const secret = Buffer.from(encoded, 'base64url');
    const kept = JSON.stringify([await contents(harness.database), logger.entries]);
    expect(kept).toContain(key.id);
    for (const form of [encoded, secret.toString('hex'), secret.toString('base64'), secret.toString('latin1')]) {
      expect(kept.toLowerCase()).not.toContain(form.toLowerCase());
    }
  });

  test('every invalid key gets the same answer and stores nothing', async () => {
    const good = await make('salma', ['agents:write']);
    const other = await make('omar', ['agents:write']);
    const revoked = await make('salma', ['agents:write']);
    const expired = await make('salma', ['agents:write'], { ttlSeconds: 60 });
    await revoke(revoked.key.id);
    clock.advance(60_000);
    const before = await contents(harness.database);
    const secretOf = (text: string): string => text.slice(-43);
    for (const text of [
      '',
      'nonsense',
      `mlm_${newId()}_${secretOf(good.text)}`, // of no key
      `mlm_${good.key.id}_${secretOf(other.text)}`, // of another key
      revoked.text,
      expired.text,
    ]) {
      expect(await identity.authenticate(text)).toBeUndefined();
      for (const decides of [true, false]) {
        await expect(identity.commandActor(text, { decides })).rejects.toMatchObject({
          code: 'forbidden',
          message: NOT_GOOD,
          details: [],
        });
      }
    }
    expect(await contents(harness.database)).toEqual(before);
    expect(await actorOf(good.text)).toMatchObject({ name: 'salma' });
    const refusals = logger.events('identity.refused');
    expect(new Set(refusals.map(({ level }) => level))).toEqual(new Set(['debug']));
    expect(new Set(refusals.map(({ fields }) => fields['reason']))).toEqual(
      new Set(['malformed', 'unknown', 'wrong_secret', 'revoked', 'expired']),
    );
  });

  test('a revoked key is refused at its next use, even where it was just accepted', async () => {
    const { text, key } = await make('salma', ['agents:write']);
    const database = openDatabase(parsedUrl(harness.url), logger);
    const elsewhere = createIdentity({ database, clock, logger });
    try {
      await expect(elsewhere.authenticate(text)).resolves.toBeDefined();
      expect(await revoke(key.id)).toBe('revoked');
      await expect(identity.authenticate(text)).resolves.toBeUndefined();
      await expect(elsewhere.authenticate(text)).resolves.toBeUndefined();
    } finally {
      await database.close();
    }
    expect((await identity.listKeys({ limit: 100 })).rows).toMatchObject([
      { id: key.id, state: 'revoked', revokedAt: clock.now() },
    ]);
  });

  test('revoking twice changes nothing, one of two concurrent revocations is recorded, and an unknown key is not found', async () => {
    const { key } = await make('salma', ['agents:write']);
    const outcomes = await Promise.all([revoke(key.id), revoke(key.id), revoke(key.id)]);
    expect(outcomes.sort()).toEqual(['already_revoked', 'already_revoked', 'revoked']);
    const before = await contents(harness.database);
    expect(await revoke(key.id)).toBe('already_revoked');
    await expect(revoke(newId())).rejects.toMatchObject({ code: 'not_found' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('an error never repeats a whole key that was given as an id', async () => {
    const { text } = await make('salma', ['agents:write']);
    const error: unknown = await revoke(text).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'bad_input' });
    expect(String(error)).not.toContain(text.slice(-43));
  });

  test('a key is valid until its last millisecond by the business clock', async () => {
    const { text, key } = await make('salma', ['agents:write'], { ttlSeconds: DAY_SECONDS });
    expect(key.expiresAt).toBe(clock.now() + DAY_SECONDS * 1_000);
    clock.advance(DAY_SECONDS * 1_000 - 1);
    await expect(identity.authenticate(text)).resolves.toBeDefined();
    clock.advance(1);
    await expect(identity.authenticate(text)).resolves.toBeUndefined();
    expect((await identity.listKeys({ limit: 100 })).rows).toMatchObject([{ state: 'expired' }]);
  });

  test.each<[string, object]>([
    ['a name of ours', { name: 'cli' }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['agents:write', 'agents:read'] }],
    ['a life of no time', { ttlSeconds: 0 }],
    ['a life of half a second', { ttlSeconds: 0.5 }],
    ['a life of more than ten years', { ttlSeconds: 3_651 * DAY_SECONDS }],
  ])('a key with %s is not created', async (_what, given) => {
    const before = await contents(harness.database);
    const command = { name: 'salma', scopes: ['agents:write'], actor: OPERATOR, dryRun: false, ...given };
    await expect(identity.createKey(command)).rejects.toMatchObject({ code: 'bad_input' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('a dry run creates, prints and revokes no key', async () => {
    const { key, text } = await make('salma', ['agents:write']);
    const before = await contents(harness.database);
    const command = { name: 'omar', scopes: ['agents:write'], actor: OPERATOR, dryRun: true };
    expect(await identity.createKey(command)).toMatchObject({ text: undefined, first: false });
    const recovery = { name: 'omar', reason: 'a test', dryRun: true };
    expect(await identity.recoverKey(recovery)).toMatchObject({ text: undefined });
    expect(await revoke(key.id, { dryRun: true })).toBe('revoked');
    expect(await contents(harness.database)).toEqual(before);
    await expect(identity.authenticate(text)).resolves.toBeDefined();
  });

  test('a key cannot grant a scope that it lacks, and the operator can', async () => {
    const manager = await actorOf((await make('salma', ['keys:manage', 'agents:write'])).text);
    const before = await contents(harness.database);
    for (const scopes of [['tokens:manage'], ['agents:write', 'dues:write']]) {
      await expect(make('omar', scopes, { actor: manager })).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(await contents(harness.database)).toEqual(before);
    const { key } = await make('omar', ['agents:write', 'keys:manage'], { actor: manager });
    expect(key.recordedBy).toBe('salma');
  });

  test('a key without keys:manage creates and revokes none', async () => {
    const { text, key } = await make('salma', ['agents:write', 'tokens:manage']);
    const actor = await actorOf(text);
    const before = await contents(harness.database);
    await expect(make('omar', ['agents:write'], { actor })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(revoke(key.id, { actor })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('without a key the operator acts, who decides only while no key is active', async () => {
    const act = (decides: boolean): Promise<Actor> => identity.commandActor(undefined, { decides });
    await expect(act(true)).resolves.toBe(OPERATOR);
    const { key, text, first } = await make('salma', ['agents:write'], { ttlSeconds: DAY_SECONDS });
    expect(first).toBe(true);
    await expect(act(true)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('MILLIME_API_KEY'),
    });
    await expect(act(false)).resolves.toBe(OPERATOR);
    for (const decides of [true, false]) {
      await expect(identity.commandActor(text, { decides })).resolves.toMatchObject({ name: 'salma' });
    }
    expect((await make('omar', ['agents:write'])).first).toBe(false);

    clock.advance(DAY_SECONDS * 1_000); // salma's has expired, omar's has not
    await expect(act(true)).rejects.toMatchObject({ code: 'forbidden' });
    for (const { id, state } of (await identity.listKeys({ limit: 100 })).rows) {
      if (state === 'active') await revoke(id);
      else expect(id).toBe(key.id);
    }
    await expect(act(true)).resolves.toBe(OPERATOR);
  });

  test('a recovery key can create the others, and the audit trail keeps the reason', async () => {
    await make('salma', ['keys:manage']);
    const fresh = await identity.recoverKey({ name: 'omar', reason: 'the safe burned', dryRun: false });
    expect(await actorOf(textOf(fresh))).toMatchObject({ name: 'omar', scopes: new Set(['keys:manage']) });
    const [record] = (await identity.auditRecords({ limit: 1 })).rows;
    expect(record).toMatchObject({
      actorKind: 'operator',
      actorName: 'cli',
      keyId: undefined,
      action: 'key.recovered',
      subject: `key:${fresh.key.id}`,
      detail: { name: 'omar', scopes: 'keys:manage', reason: 'the safe burned', expiresAt: null },
    });
    await expect(identity.recoverKey({ name: 'omar', reason: ' ', dryRun: false })).rejects.toMatchObject({
      code: 'bad_input',
    });
  });

  test('rows of keys, revocations and the audit trail cannot be changed or deleted', async () => {
    const { key } = await make('salma', ['agents:write']);
    await revoke(key.id);
    for (const table of ['api_keys', 'api_key_revocations', 'audit_records']) {
      const before = await contents(harness.database);
      await expect(harness.database.transact((session) => session(table).delete())).rejects.toBeDefined();
      const column = table === 'api_key_revocations' ? 'reason' : table === 'api_keys' ? 'scopes' : 'action';
      await expect(
        harness.database.transact((session) => session(table).update({ [column]: 'x' })),
      ).rejects.toBeDefined();
      expect(await contents(harness.database)).toEqual(before);
    }
  });
});
