// Goal: each action that takes two people is refused to one person and to a shell without a key, from every entrance,
// whether an installation has users, keys, both or neither.
// Method: the list of these actions itself. Requests of browsers, of the API and of the command line, on both databases.
import { expect, test } from '@jest/globals';
import { type Actor, SCOPES, type TwoPeopleAction } from '../../src/identity';
import { TWO_PEOPLE_ACTIONS } from '../../src/identity/testing';
import { WorkingDays } from '../../src/kernel';
import { type Api, rows } from '../api/support/api';
import { type ApiClient, apiClient, clientOf, type OperationCall } from '../api/v1/support/api-client';
import {
  ITEMS,
  MONDAY,
  openBreak,
  withClosedDay,
  withCredits,
  withItems,
} from '../api/v1/support/scenarios/credit-world';
import { describeConsole, person, type Seen, type Visitor } from '../console/support/visitor';
import { receive } from '../integration/ledger/gateway-money';
import { decideByTwo, openWorkflow } from '../integration/reconciliation/two-people';
import { TESTER } from '../support/factories';
import { type CliResult, runCli } from '../support/server-process';

const REASON = 'both agree';
const LINE_BREAK = { amount: undefined, direction: 'unknown' } as const;
const NADIA: Actor = { ...TESTER, name: 'nadia' } as Actor;

interface Step {
  readonly operationId: string;
  readonly call: OperationCall;
  readonly command: readonly string[];
}

/** How an action is proposed and approved from each entrance. */
interface Subject {
  readonly proposing: Step & { readonly onPage: (visitor: Visitor) => Promise<Seen> };
  readonly approving: () => Promise<Step & { readonly page: string }>;
  readonly done: string;
}

/** What has to be there before the action can be proposed. */
const SUBJECTS: Readonly<Record<TwoPeopleAction, (api: Api) => Promise<Subject>>> = {
  async write_off(api) {
    await withItems(api);
    return ofBreak(api, (await openBreak(api, 'f')).id, 'write_off');
  },
  async accept(api) {
    await withItems(api);
    return ofBreak(api, (await openBreak(api, 'f')).id, 'accept');
  },
  async reopen(api) {
    await withItems(api);
    const { id } = await openBreak(api, 'f');
    await decide(api, id, 'write_off');
    return ofBreak(api, id, 'reopen');
  },
  async force_match(api) {
    const [lineId = ''] = await withCredits(api, [12_400]);
    const { id } = await openBreak(api, 'f', { ...LINE_BREAK, subject: { itemIds: [], lineIds: [lineId], facts: {} } });
    return ofBreak(api, id, 'force_match', { lineId, itemIds: ITEMS });
  },
  async unmatch(api) {
    const [lineId = ''] = await withCredits(api, [12_400]);
    const { id } = await openBreak(api, 'f', { ...LINE_BREAK, subject: { itemIds: [], lineIds: [lineId], facts: {} } });
    await decide(api, id, 'force_match', { itemIds: ITEMS });
    return ofBreak(api, id, 'unmatch');
  },
  async reopen_day(api) {
    await withClosedDay(api);
    const page = `/console/days/${MONDAY}`;
    const day = { params: { date: MONDAY } };
    const command = ['close-day', MONDAY, '--reopen'];
    return {
      proposing: {
        ...{ operationId: 'proposeReopening', call: { ...day, body: { reason: REASON } } },
        command: [...command, '--reason', REASON],
        onPage: async (visitor) => visitor.send(await visitor.get(page), 'propose', { reason: REASON }),
      },
      approving: () =>
        Promise.resolve({ operationId: 'approveReopening', call: day, command: [...command, '--approve'], page }),
      done: 'day.reopened',
    };
  },
};

async function decide(api: Api, breakId: string, kind: string, payload: Record<string, unknown> = {}): Promise<void> {
  const { breakWorkflow } = api.millime;
  await breakWorkflow.propose({ about: { breakId }, action: { kind, payload }, reason: REASON, actor: TESTER });
  await breakWorkflow.approve({ id: breakId, actor: NADIA });
}

async function ofBreak(
  api: Api,
  breakId: string,
  kind: TwoPeopleAction,
  payload: Readonly<Record<string, unknown>> = {},
): Promise<Subject> {
  const { breakWorkflow } = api.millime;
  const { version } = (await breakWorkflow.show(breakId)).breakView;
  const body = { action: { kind, payload }, reason: REASON };
  return {
    proposing: {
      ...{ operationId: 'proposeForBreak', call: { params: { breakId }, ifMatch: `"${version}"`, body } },
      command: [
        ...['breaks', 'propose', breakId, '--action', kind, '--reason', REASON],
        ...(Object.keys(payload).length === 0 ? [] : ['--payload', JSON.stringify(payload)]),
      ],
      async onPage(visitor) {
        if (kind === 'force_match') {
          const path = `/console/credits/${String(payload['lineId'])}`;
          const chosen = await visitor.send(await visitor.get(path), 'choose', { item: ITEMS });
          return visitor.send(chosen, 'propose', { reason: REASON });
        }
        const page = await visitor.get(`/console/breaks/${breakId}`);
        return visitor.send(await visitor.send(page, 'tryPropose', { kind, reason: REASON }), 'propose');
      },
    },
    async approving() {
      const proposalId = (await breakWorkflow.show(breakId)).breakView.proposalId ?? '';
      return {
        ...{ operationId: 'approveProposal', call: { params: { proposalId }, body: {} } },
        ...{ command: ['breaks', 'approve', breakId], page: `/console/proposals/${proposalId}` },
      };
    },
    done: 'proposal.approved',
  };
}

describeConsole('an action of two people', (current) => {
  const shell = (command: readonly string[], key?: string): Promise<CliResult> =>
    runCli(command, { ...current.api.environment, ...(key === undefined ? {} : { MILLIME_API_KEY: key }) });

  const refused = async (work: Promise<CliResult>, why: string): Promise<void> =>
    expect(await work).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  const NO_PERSON = 'this decision takes two people, and cli names no person';
  const NO_KEY = 'MILLIME_API_KEY: expected an API key';
  const OWN = 'salma made this proposal; another person must approve it';

  /** Sends a form that the page does not offer. */
  const byHand = async (visitor: Visitor, page: Seen, action: string): Promise<number> => {
    const [, csrf = ''] = page.forms.flatMap(({ fields }) => fields).find(([name]) => name === 'csrf') ?? [];
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: `http://127.0.0.1:${current.api.port}`,
    };
    const body = new URLSearchParams({ csrf, action, once: 'by-hand', reason: REASON }).toString();
    return (await visitor.raw('POST', page.path, { headers, body })).status;
  };

  const approvers = async ({ done }: Subject): Promise<unknown[]> =>
    (await rows(current.api.millime, 'audit_records', ['id', 'action', 'actor_name', 'actor_kind']))
      .filter((row) => row['action'] === done && row['actor_name'] !== NADIA.name)
      .map((row) => [row['actor_kind'], row['actor_name']]);

  const expectOwnRefused = async ({ approving }: Subject, own: ApiClient): Promise<void> => {
    const { operationId, call, command } = await approving();
    expect(await own.problem(operationId, call)).toMatchObject({ status: 403, code: 'same_person' });
    await refused(shell(command, own.keyText), OWN);
  };

  const actions = Object.keys(TWO_PEOPLE_ACTIONS) as TwoPeopleAction[];

  test.each(actions)('%s takes two users, also beside keys', async (action) => {
    const { api } = current;
    const subject = await SUBJECTS[action](api);
    const { proposing, approving } = subject;
    await refused(shell(proposing.command), NO_PERSON);
    const salma = await person(api, { name: 'salma', roles: ['approver'] });
    const omar = await person(api, { name: 'omar', roles: ['approver'] });
    await refused(shell(proposing.command), NO_PERSON);

    await proposing.onPage(salma);
    const { page, command } = await approving();
    await refused(shell(command), NO_PERSON);
    const own = await salma.get(page);
    expect(own.forms.flatMap(({ fields }) => fields)).not.toContainEqual(['action', 'approve']);
    expect(await byHand(salma, own, 'approve')).toBe(403);

    const { identity } = api.millime;
    const { userId } = await identity.users.find('salma');
    const scopes = new Set(SCOPES);
    const { key, text = '' } = await identity.createKey({
      ...{ name: 'salma', scopes: ['breaks:work', 'breaks:decide', 'days:reopen'], dryRun: false },
      actor: { kind: 'user', name: 'salma', userId, scopes },
    });
    await refused(shell(command), NO_KEY);
    await expectOwnRefused(subject, clientOf(api, key.id, text));
    expect(await approvers(subject)).toEqual([]);

    expect((await omar.send(await omar.get(page), 'approve', { reason: REASON })).status).toBe(200);
    expect(await approvers(subject)).toEqual([['user', 'omar']]);
  });

  /** A match of an agent's payment and a larger one by card. Returns the break of its remainder. */
  const withRemainder = async (api: Api): Promise<string> => {
    const [lineId = ''] = await withCredits(api, [12_400]);
    await receive(api.millime.database, { id: 'P1', channel: 'card', amount: 10_000 }, api.millime.clock.now());
    const subject = { itemIds: [], lineIds: [lineId], facts: {} };
    const credit = await openBreak(api, 'f', { ...LINE_BREAK, subject });
    await decide(api, credit.id, 'force_match', { itemIds: ['service:TX-2', 'payment:P1'] });
    return (await api.millime.breaks.list({ classes: ['amount_differs'] }))[0]?.id ?? '';
  };

  test('what version 0.1.0 wrote off in another channel moves back with the commands of OPERATIONS.md', async () => {
    const { api } = current;
    const id = await withRemainder(api);
    const before = openWorkflow(api.millime.database, { ...api.millime, workingDays: new WorkingDays([]) }, '0.1.0');
    await decideByTwo(before, id, 'write_off', { account: 'gateway_clearing:agent' });
    const { code, stdout } = await shell(['ledger', 'verify', '--json']);
    expect([code, stdout]).toEqual([3, expect.stringContaining(`"reference": "write-off:${id}"`)]);
    const [salma, omar] = [await apiClient(api, { name: 'salma' }), await apiClient(api, { name: 'omar' })];
    for (const action of ['reopen', 'write_off']) {
      const propose = ['breaks', 'propose', id, '--action', action, '--reason', REASON];
      expect(await shell(propose, salma.keyText)).toMatchObject({ code: 0 });
      expect(await shell(['breaks', 'approve', id], omar.keyText)).toMatchObject({ code: 0 });
    }
    expect(await shell(['ledger', 'verify'])).toMatchObject({ code: 0 });
    const { breakView } = await api.millime.breakWorkflow.show(id);
    expect(breakView).toMatchObject({ resolution: 'written_off', writtenOff: 100 });
  });

  test('the remainder of a match is written off in its own channel, whichever account is named', async () => {
    const { api } = current;
    const id = await withRemainder(api);
    const salma = await person(api, { name: 'salma' });
    const page = await salma.get(`/console/breaks/${id}`);
    const form = page.forms.find(({ fields }) => fields.some(([, value]) => value === 'tryPropose'));
    expect(form?.fields.map(([name]) => name)).not.toContain('account');
    expect(page.text).toContain('card: loss, at most 0,100 DT');
    const account = 'gateway_clearing:agent';
    const named = { kind: 'write_off', reason: REASON, account };
    const wrong = await salma.send(page, 'tryPropose', named);
    expect([wrong.status, wrong.byRole('alert').join()]).toEqual([
      400,
      expect.stringContaining('gateway_clearing:card'),
    ]);

    const key = await apiClient(api, { name: 'omar' });
    const body = { action: { kind: 'write_off', payload: { account } }, reason: REASON };
    const { version } = (await api.millime.breakWorkflow.show(id)).breakView;
    const call = { params: { breakId: id }, ifMatch: `"${version}"` };
    expect(await key.problem('proposeForBreak', { ...call, body })).toMatchObject({
      ...{
        status: 400,
        code: 'bad_input',
        params: { field: 'account', expected: 'gateway_clearing:card', got: account },
      },
    });
    const command = ['breaks', 'propose', id, '--action', 'write_off', '--reason', REASON];
    await refused(
      shell([...command, '--account', account], key.keyText),
      `--account: expected gateway_clearing:card, got "${account}"`,
    );
    const shown = await salma.send(page, 'tryPropose', { kind: 'write_off', reason: REASON });
    expect(shown.rows.flat().join(' ')).toContain('0,100 DT debit 0,000 DT');
    expect(await shell([...command, '--account', 'gateway_clearing:card'], key.keyText)).toMatchObject({ code: 0 });
  });

  test.each(actions)('%s takes two owners of keys', async (action) => {
    const { api } = current;
    const subject = await SUBJECTS[action](api);
    const { proposing, approving } = subject;
    const salma = await apiClient(api, { name: 'salma' });
    const other = await apiClient(api, { name: 'salma' });
    await refused(shell(proposing.command), NO_KEY);

    const isTrial = { query: { dryRun: true } };
    await salma.done(proposing.operationId, { ...proposing.call, ...isTrial });
    expect(await shell(proposing.command, salma.keyText)).toMatchObject({ code: 0 });
    const { operationId, call, command } = await approving();
    await refused(shell(command), NO_KEY);
    await expectOwnRefused(subject, salma);
    await expectOwnRefused(subject, other);
    // Without an active key the shell may decide again; it is still no person.
    for (const { keyId } of [salma, other]) {
      await api.millime.identity.revokeKey({ keyId, reason: 'lost', actor: TESTER, dryRun: false });
    }
    await refused(shell(command), NO_PERSON);
    const omar = await apiClient(api, { name: 'omar' });
    await omar.done(operationId, { ...call, ...isTrial });
    expect(await approvers(subject)).toEqual([]);
    expect(await shell(command, omar.keyText)).toMatchObject({ code: 0 });
    expect(await approvers(subject)).toEqual([['api_key', 'omar']]);
  });
});
