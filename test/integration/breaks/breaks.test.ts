// Goal: a break is one object over all runs, with a readable history.
import { expect, test } from '@jest/globals';
import { type BreakStore, createBreaks, type NewBreak, openBreakStore, type ReconBreak } from '../../../src/breaks';
import { businessDate, millimes } from '../../../src/kernel';
import { describeOnEachDatabase } from '../../support/db';
import { contents } from '../ledger/row-counts';

const NO_ROWS = { itemIds: [], lineIds: [], facts: {} };

function aBreak(fingerprint: string, more: Partial<NewBreak> = {}): NewBreak {
  return {
    fingerprint,
    breakClass: 'missing_in_bank',
    since: businessDate('2026-03-02'),
    amount: millimes(1_000),
    direction: 'books_have_more',
    subject: NO_ROWS,
    ...more,
  };
}

describeOnEachDatabase('the breaks', (harness) => {
  const inStore = <T>(work: (store: BreakStore) => Promise<T>): Promise<T> =>
    harness.database.transact((session) => work(openBreakStore(session)));

  async function open(...breaks: readonly NewBreak[]): Promise<ReconBreak[]> {
    await inStore((store) => store.open(breaks, 10, 'run:1'));
    const found = await inStore((store) => store.byFingerprint(breaks.map(({ fingerprint }) => fingerprint)));
    return breaks.flatMap(({ fingerprint }) => found.get(fingerprint) ?? []);
  }

  async function openOne(given: NewBreak): Promise<ReconBreak> {
    const [opened] = await open(given);
    if (opened === undefined) throw new Error('the break was opened');
    return opened;
  }

  test('are opened with all their facts and a first event', async () => {
    const given = aBreak('f1', {
      subject: { itemIds: ['service:é'], lineIds: ['L1', 'L2'], facts: { reason: 'unknown_agent', times: 2 } },
    });
    const opened = await openOne(given);
    expect(opened).toEqual({
      ...given,
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      status: 'open',
      openedAt: 10,
      resolvedAt: undefined,
      resolution: undefined,
    });
    expect(await inStore((store) => store.find(opened.id))).toEqual(opened);
    expect(await inStore((store) => store.history(opened.id))).toEqual([
      {
        position: 1,
        kind: 'opened',
        actor: 'run:1',
        at: 10,
        detail: { amountMillimes: 1_000, items: 1, lines: 2, direction: 'books_have_more' },
      },
    ]);
  });

  test('may have no amount, or a negative one', async () => {
    const [without, negative] = await open(
      aBreak('f1', { amount: undefined }),
      aBreak('f2', { amount: millimes(-Number.MAX_SAFE_INTEGER) }),
    );
    expect(without?.amount).toBeUndefined();
    expect(negative?.amount).toBe(-Number.MAX_SAFE_INTEGER);
  });

  test('store every step in order', async () => {
    const { id } = await openOne(aBreak('f1'));
    const changed = aBreak('f1', { amount: millimes(2_000), since: businessDate('2026-03-03') });
    await inStore((store) => store.change(id, changed, 20, 'run:2'));
    expect(await inStore((store) => store.find(id))).toMatchObject({
      amount: 2_000,
      since: '2026-03-03',
      status: 'open',
    });
    await inStore((store) => store.link(id, { transactionId: 'T1' }, 30, 'gateway'));
    await inStore((store) => store.resolve(id, 'disappeared', 40, 'run:3', { reference: 'service:T1' }));
    expect(await inStore((store) => store.find(id))).toMatchObject({
      status: 'resolved',
      resolution: 'disappeared',
      resolvedAt: 40,
      openedAt: 10,
    });
    await inStore((store) => store.reopen(id, aBreak('f1', { amount: undefined }), 50, 'run:4'));
    expect(await inStore((store) => store.find(id))).toMatchObject({
      status: 'open',
      resolution: undefined,
      resolvedAt: undefined,
      amount: undefined,
      since: '2026-03-02',
    });
    const rows = { items: 0, lines: 0, direction: 'books_have_more' };
    expect(await inStore((store) => store.history(id))).toEqual([
      { position: 1, kind: 'opened', actor: 'run:1', at: 10, detail: { amountMillimes: 1_000, ...rows } },
      { position: 2, kind: 'changed', actor: 'run:2', at: 20, detail: { amountMillimes: 2_000, ...rows } },
      { position: 3, kind: 'linked', actor: 'gateway', at: 30, detail: { transactionId: 'T1' } },
      {
        position: 4,
        kind: 'resolved',
        actor: 'run:3',
        at: 40,
        detail: { resolution: 'disappeared', reference: 'service:T1' },
      },
      { position: 5, kind: 'reopened', actor: 'run:4', at: 50, detail: rows },
    ]);
  });

  test('have histories of their own', async () => {
    const [first, second] = await open(aBreak('f1'), aBreak('f2'));
    await inStore((store) => store.link(first?.id ?? '', { note: 1 }, 20, 'x'));
    expect(await inStore((store) => store.history(second?.id ?? ''))).toHaveLength(1);
    expect(await inStore((store) => store.history(first?.id ?? ''))).toHaveLength(2);
  });

  test('have unique fingerprints, byte by byte; a second one is refused and leaves no history', async () => {
    await open(aBreak('f1'), aBreak('F1'), aBreak('é1'));
    const before = await contents(harness.database);
    await expect(open(aBreak('f2'), aBreak('f1'))).rejects.toMatchObject({ code: 'duplicate_key' });
    expect(await contents(harness.database)).toEqual(before);
  });

  test('are opened once when two runs find them concurrently', async () => {
    const attempts = await Promise.allSettled([open(aBreak('f1')), open(aBreak('f1'))]);
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await inStore((store) => store.list({}))).toHaveLength(1);
  });

  test('are opened if their fingerprint is new, and stay unchanged if it is known, even if resolved', async () => {
    const openNew = (...breaks: readonly NewBreak[]): Promise<void> =>
      inStore((store) => store.openNew(breaks, 60, 'look'));
    await openNew(aBreak('f1'), aBreak('f2'));
    const [first] = await inStore((store) => store.list({}));
    await inStore((store) => store.resolve(first?.id ?? '', 'explained', 70, 'run:1'));
    const before = await contents(harness.database);
    await openNew(aBreak('f1', { amount: millimes(9) }), aBreak('f2'));
    await openNew();
    expect(await contents(harness.database)).toEqual(before);
    await openNew(aBreak('f2'), aBreak('F2'));
    expect((await inStore((store) => store.list({}))).map(({ fingerprint }) => fingerprint)).toEqual(['F2', 'f2']);
    const [newest] = await inStore((store) => store.list({ limit: 1 }));
    expect(await inStore((store) => store.history(newest?.id ?? ''))).toMatchObject([
      { position: 1, kind: 'opened', actor: 'look', at: 60 },
    ]);
  });

  test('are opened once when two concurrent transactions open them and repeat', async () => {
    const attempt = (): Promise<void> =>
      harness.database.transact((session) => openBreakStore(session).openNew([aBreak('f1')], 60, 'look'), {
        retryDuplicate: true,
      });
    await Promise.all([attempt(), attempt(), attempt()]);
    expect(await inStore((store) => store.list({}))).toHaveLength(1);
  });

  test('give each of two concurrent steps its own position in the history, or refuse one', async () => {
    const { id } = await openOne(aBreak('f1'));
    const attempts = await Promise.allSettled(
      [1, 2, 3, 4].map((note) => inStore((store) => store.link(id, { note }, 20, 'x'))),
    );
    const done = attempts.filter(({ status }) => status === 'fulfilled').length;
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'duplicate_key' });
    }
    const positions = (await inStore((store) => store.history(id))).map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: done + 1 }, (_, index) => index + 1));
    expect(done).toBeGreaterThanOrEqual(1);
  });

  test('have a history that cannot be changed or removed', async () => {
    await openOne(aBreak('f1'));
    const before = await contents(harness.database);
    const change = harness.database.transact((session) => session('recon_break_events').update('actor', 'unknown'));
    await expect(change).rejects.toThrow();
    await expect(harness.database.transact((session) => session('recon_break_events').delete())).rejects.toThrow();
    expect(await contents(harness.database)).toEqual(before);
  });

  test('are listed by day, class and fingerprint: open ones, or those of the filter', async () => {
    const late = businessDate('2026-03-05');
    const [, , resolved] = await open(
      aBreak('b', { since: late }),
      aBreak('z', { breakClass: 'paid_but_rejected' }),
      aBreak('gone'),
      aBreak('a', { since: late, breakClass: 'missing_in_book' }),
      aBreak('c', { since: late }),
    );
    await inStore((store) => store.resolve(resolved?.id ?? '', 'disappeared', 20, 'run:2'));
    const listed = async (filter: Parameters<BreakStore['list']>[0]): Promise<string[]> =>
      (await createBreaks({ database: harness.database }).list(filter)).map(({ fingerprint }) => fingerprint);
    expect(await listed({})).toEqual(['z', 'b', 'c', 'a']);
    expect(await listed({ includeResolved: true })).toEqual(['gone', 'z', 'b', 'c', 'a']);
    expect(await listed({ classes: ['missing_in_bank'] })).toEqual(['b', 'c']);
    expect(await listed({ classes: ['missing_in_book', 'paid_but_rejected'] })).toEqual(['z', 'a']);
    expect(await listed({ classes: ['pos_unknown'] })).toEqual([]);
    expect(await listed({ classes: [] })).toEqual([]);
    expect(await listed({ limit: 2 })).toEqual(['z', 'b']);
  });

  test('are opened by the hundred', async () => {
    await open(...Array.from({ length: 901 }, (_, index) => aBreak(`f${index}`)));
    expect(await inStore((store) => store.list({}))).toHaveLength(901);
  });
});
