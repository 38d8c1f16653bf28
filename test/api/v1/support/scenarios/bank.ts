import { bankFileOfBytes } from '../../../../../src/statements';
import { statementBytes } from '../../../../fixtures/statements/statement-bytes';
import { camt052 } from '../../../../support/bank-messages';
import { BY_TEST } from '../../../../support/factories';
import { type Api, count } from '../../../support/api';
import { importStatement } from '../a-statement';
import { audited, type Scenarios } from './scenario';

const OTHER_ID = '01KJQ0Z8XG3T5V7W9Y1B2C4D6F';

const ofStatement = async (api: Api, given?: Parameters<typeof importStatement>[1]) => ({
  statementId: (await importStatement(api, given)).statement.id,
});

/** Its closing balance contradicts its lines. */
const WAITING = { closing: 1 };

async function upload({ millime }: Api): Promise<{ readonly uploadId: string }> {
  const { pieces, sizeBytes } = bankFileOfBytes('bank.csv', statementBytes());
  const received = await millime.statements.uploads.receive({
    name: 'bank.csv',
    bytesMax: sizeBytes,
    pieces: (async function* () {
      yield* pieces();
    })(),
    actor: BY_TEST.actor,
  });
  return { uploadId: received.id };
}

export const BANK_SCENARIOS: Scenarios = {
  async listStatements(api) {
    await importStatement(api);
    await importStatement(api, { account: 'CPT-2', closing: 1 });
    return { call: {} };
  },
  showStatement: async (api) => ({ call: { params: await ofStatement(api) } }),
  listStatementLines: async (api) => ({ call: { params: await ofStatement(api) } }),
  downloadStatementFile: async (api) => ({ call: { params: await ofStatement(api) } }),
  async acceptStatement(api) {
    const params = await ofStatement(api, WAITING);
    return {
      call: { params, body: { reason: 'compared with the bank' } },
      other: { params, body: { reason: 'another reason' } },
      effect: () => audited(api, 'statement.accepted'),
    };
  },
  async excludeStatement(api) {
    const params = await ofStatement(api, WAITING);
    return {
      call: { params, body: { reason: 'a wrong export' } },
      other: { params, body: { reason: 'another reason' } },
      effect: () => count(api.millime, 'statement_exclusions'),
    };
  },
  verifyStatement: async (api) => ({ call: { params: await ofStatement(api) } }),
  async listAnnouncedEntries(api) {
    const day = '2026-04-02';
    const entries = [
      { day, amount: 1_000, text: 'A', status: 'PDNG' },
      { day, amount: 2_000, text: 'B', status: 'PDNG' },
    ];
    const bytes = camt052([{ account: '08003000000000000139', balances: [], entries } as never]);
    await api.millime.statements.import({ file: bankFileOfBytes('interim.xml', bytes), actor: BY_TEST.actor });
    return { call: {} };
  },
  async listBankAccounts(api) {
    await importStatement(api);
    return { call: {} };
  },
  async acceptBankAccount(api) {
    const body = { name: '08003000000000000138', reason: 'the bank confirmed it' };
    return {
      call: { body },
      other: { body: { ...body, reason: 'another reason' } },
      effect: () => audited(api, 'account.accepted'),
    };
  },
  async joinBankAccounts(api) {
    const { statement } = await importStatement(api);
    const body = { name: 'CPT-1', into: statement.account, reason: 'one account' };
    return {
      call: { body },
      other: { body: { ...body, name: 'CPT-2' } },
      effect: () => audited(api, 'account.joined'),
    };
  },
  listStatementProfiles: async () => ({ call: {} }),
  async uploadBankFile(api) {
    const body = statementBytes();
    return {
      call: { query: { fileName: 'bank.csv' }, body },
      other: { query: { fileName: 'other.csv' }, body },
      effect: () => count(api.millime, 'statement_uploads'),
    };
  },
  checkBankUpload: async (api) => ({ call: { params: await upload(api) } }),
  checkBankReading: async (api) => ({ call: { params: await upload(api), body: {} } }),
  sampleBankUpload: async (api) => ({ call: { params: await upload(api) } }),
  async importBankUpload(api) {
    const params = await upload(api);
    return {
      call: { params, body: {} },
      other: { params: { uploadId: OTHER_ID }, body: {} },
      effect: () => count(api.millime, 'statement_files'),
    };
  },
  removeBankUpload: async (api) => ({ call: { params: await upload(api) } }),
};
