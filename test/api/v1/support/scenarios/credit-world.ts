import { type NewBreak, openBreakStore } from '../../../../../src/breaks';
import { businessDate, millimes, parseInstant } from '../../../../../src/kernel';
import { bankFileOfBytes } from '../../../../../src/statements';
import { statementBytes } from '../../../../fixtures/statements/statement-bytes';
import { aBreak } from '../../../../integration/breaks/workflow-bench';
import { anAgent, BY_TEST, register, TESTER } from '../../../../support/factories';
import { type Api, NOW, rows } from '../../../support/api';

export const ACCOUNT = '11222333333333333344';
export const PAYOUT_TEXT = 'VIR RECU SERVICE DE PAIEMENT SA';
export const OTHER_TEXT = 'VIR RECU PASSERELLE SARL';
export const ITEMS = ['service:TX-1', 'service:TX-2'];
/** The sum of these items. */
export const ITEMS_SUM = 12_500;

/** Three payments of agents on Monday and Tuesday. The clock then shows Friday evening. */
export async function withItems(api: Api): Promise<void> {
  api.setClock(NOW);
  await register(api.millime, anAgent());
  await api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 10_000 });
  await api.confirmCode({ transactionId: 'TX-2', agentId: '004711', amount: 2_500 });
  api.setClock('2026-03-03T09:00:00.000Z');
  await api.confirmCode({ transactionId: 'TX-3', agentId: '004711', amount: 7_001 });
  api.setClock('2026-03-06T17:00:00.000Z');
}

/** Items, and a statement with these credits on Thursday. Returns the ids of their lines in the order of the file. */
export async function withCredits(api: Api, amounts: readonly number[], text = PAYOUT_TEXT): Promise<string[]> {
  await withItems(api);
  const lines = amounts.map((amount) => ['05/03/2026', text, amount] as const);
  const bytes = statementBytes({ account: ACCOUNT, opening: 1_000_000, lines });
  await api.millime.statements.import({ file: bankFileOfBytes('bank.csv', bytes), actor: TESTER });
  return (await rows(api.millime, 'bank_statement_lines', ['position', 'id'])).map(({ id }) => String(id));
}

/** A credit that its items explain to the millime, matched by another person. */
export async function withMatch(api: Api): Promise<string> {
  const [lineId = ''] = await withCredits(api, [ITEMS_SUM]);
  await api.millime.reconciliation.match({ lineId, items: ITEMS, reason: 'counted', ...BY_TEST });
  return lineId;
}

/** Runs a reconciliation through Thursday and returns the id of the run. */
export async function withRun(api: Api): Promise<string> {
  await withCredits(api, [ITEMS_SUM]);
  await api.millime.reconciliation.run({ through: businessDate('2026-03-05'), ...BY_TEST });
  return String((await rows(api.millime, 'recon_runs', ['id'])).at(-1)?.['id']);
}

/** Opens a break; by default one about an item of the ledger. Returns its id and version. */
export async function openBreak(
  { millime }: Api,
  fingerprint: string,
  more: Partial<NewBreak> = {},
): Promise<{ readonly id: string; readonly version: number }> {
  const subject = { itemIds: ['service:TX-1'], lineIds: [], facts: {} };
  const given = aBreak(fingerprint, { amount: millimes(5_000), subject, ...more });
  await millime.database.transact((session) =>
    openBreakStore(session).openNew([given], parseInstant('2026-03-05T08:00:00.000Z') ?? 0, 'job:test'),
  );
  const found = await millime.breaks.list({ includeResolved: true });
  const id = found.find((each) => each.fingerprint === fingerprint)?.id ?? '';
  return { id, version: (await millime.breakWorkflow.show(id)).breakView.version };
}

/** The proposal of another person to write off a part of a break. */
export async function withProposal(api: Api, fingerprint = 'proposed'): Promise<string> {
  const { id: breakId } = await openBreak(api, fingerprint);
  const action = { kind: 'write_off', payload: { amountMillimes: 2_000 } };
  const command = { about: { breakId }, action, reason: 'it will not be paid', actor: TESTER };
  return (await api.millime.breakWorkflow.propose(command)).proposalId;
}

/** The first day, proven and closed by another person. */
export async function withClosedDay(api: Api): Promise<void> {
  await withRun(api);
  await api.millime.dayClosing.close({ date: businessDate(MONDAY), reason: 'no statement yet', ...BY_TEST });
}

export const MONDAY = '2026-03-02';
