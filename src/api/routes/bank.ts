import { z } from 'zod';
import { accountDecidedJson, accountDecidedValue, bankAccountJson, bankAccountValue } from '../../shapes/bank-accounts';
import { rereadJson, rereadValue } from '../../shapes/bank-file-imports';
import {
  announcedEntryJson,
  announcedEntryValue,
  statementLineJson,
  statementLineValue,
} from '../../shapes/statement-lines';
import { profileJson, profileValue } from '../../shapes/statement-profiles';
import { acceptedJson, acceptedValue, excludedValue, statementJson, statementValue } from '../../shapes/statements';
import { flagParameter, idValue, outsideIdField, reasonField } from '../../shapes/values';
import { listRoute } from '../operation/list-route';
import { ok, route } from '../operation/route';

const tag = 'Bank';
const ofStatement = { statementId: idValue };
const decision = z.strictObject({ reason: reasonField });
const ofAccount = { account: outsideIdField.optional().meta({ description: 'The account, in any form.' }) };

const STATEMENT_ROUTES = [
  listRoute({
    path: '/statements',
    operationId: 'listStatements',
    summary: 'List imported statements, newest first',
    tag,
    scope: 'statements:read',
    filter: {
      ...ofAccount,
      waiting: flagParameter.optional().meta({ description: 'Only statements to accept or to exclude.' }),
    },
    row: statementValue,
    key: z.tuple([z.string()]).readonly(),
    page: ({ statements }, { filter, after, limit }) => statements.list({ ...filter, after, limit }),
    toJson: statementJson,
  }),
  route({
    method: 'get',
    path: '/statements/{statementId}',
    operationId: 'showStatement',
    summary: 'Show a statement',
    tag,
    scope: 'statements:read',
    params: ofStatement,
    answers: { 200: statementValue },
    problems: ['not_found'],
    handle: async ({ statements }, { params }) => ok(statementJson(await statements.find(params.statementId))),
  }),
  listRoute({
    path: '/statements/{statementId}/lines',
    operationId: 'listStatementLines',
    summary: 'List the lines of a statement, in the order of the bank',
    tag,
    scope: 'statements:read',
    params: ofStatement,
    row: statementLineValue,
    key: z.tuple([z.int()]).readonly(),
    problems: ['not_found'],
    page: ({ statements }, { params, after, limit }) => statements.lines(params.statementId, { after, limit }),
    toJson: statementLineJson,
  }),
  route({
    method: 'get',
    path: '/statements/{statementId}/file',
    operationId: 'downloadStatementFile',
    summary: 'Download the original bytes of the file of a statement',
    tag,
    scope: 'statements:read',
    params: ofStatement,
    isLong: true,
    isStreamed: true,
    answers: { 200: z.never() },
    media: ['application/octet-stream'],
    problems: ['not_found'],
    async handle({ statements }, { params: { statementId } }) {
      const { file } = await statements.find(statementId);
      const content = (write: (piece: Buffer) => Promise<boolean>): Promise<void> =>
        statements.writeOriginal(statementId, write);
      return { media: 'application/octet-stream', fileName: file.name, content };
    },
  }),
  route({
    method: 'post',
    path: '/statements/{statementId}/accept',
    operationId: 'acceptStatement',
    summary: 'Accept a waiting statement and post its lines',
    tag,
    scope: 'statements:accept',
    params: ofStatement,
    body: decision,
    effect: 'repeatable',
    dryRun: true,
    answers: { 200: acceptedValue },
    problems: ['not_found', 'statement_not_held', 'statement_repeats', 'import_running'],
    async handle({ statements }, { params: { statementId: id }, body: { reason }, actor, dryRun }) {
      return ok(acceptedJson(await statements.accept({ id, reason, actor, dryRun }), dryRun));
    },
  }),
  route({
    method: 'post',
    path: '/statements/{statementId}/exclude',
    operationId: 'excludeStatement',
    summary: 'Exclude a waiting statement and resolve its break',
    tag,
    scope: 'statements:accept',
    params: ofStatement,
    body: decision,
    effect: 'once',
    dryRun: true,
    answers: { 200: excludedValue },
    problems: ['not_found', 'statement_not_held', 'import_running'],
    async handle({ statements }, { params: { statementId: id }, body: { reason }, actor, dryRun }) {
      const listed = await statements.leaveOut({ id, reason, actor, dryRun });
      return ok({ outcome: 'left_out', dryRun, ...statementJson(listed) });
    },
  }),
  route({
    method: 'post',
    path: '/statements/{statementId}/verify',
    operationId: 'verifyStatement',
    summary: 'Read the stored file of a statement again and compare',
    tag,
    scope: 'statements:read',
    params: ofStatement,
    effect: 'reads',
    isLong: true,
    answers: { 200: rereadValue },
    problems: ['not_found', 'file_faults'],
    handle: async ({ statements }, { params }) => ok(rereadJson(await statements.reread(params.statementId))),
  }),
  listRoute({
    path: '/announced-entries',
    operationId: 'listAnnouncedEntries',
    summary: 'List movements that banks announced but have not booked',
    tag,
    scope: 'statements:read',
    filter: ofAccount,
    row: announcedEntryValue,
    key: z.tuple([z.string(), z.int(), z.string()]).readonly(),
    page: ({ statements }, { filter, after, limit }) => statements.pending({ ...filter, after, limit }),
    toJson: announcedEntryJson,
  }),
];

const ACCOUNT_ROUTES = [
  route({
    method: 'get',
    path: '/bank-accounts',
    operationId: 'listBankAccounts',
    summary: 'List bank accounts with their names',
    tag,
    scope: 'statements:read',
    answers: { 200: z.strictObject({ accounts: z.array(bankAccountValue) }) },
    handle: async ({ statements }) => ok({ accounts: (await statements.accounts()).map(bankAccountJson) }),
  }),
  route({
    method: 'post',
    path: '/bank-accounts/accept',
    operationId: 'acceptBankAccount',
    summary: 'Confirm the number of an account whose key is wrong',
    tag,
    scope: 'statements:accept',
    body: z.strictObject({ name: outsideIdField, reason: reasonField }),
    effect: 'repeatable',
    dryRun: true,
    answers: { 200: accountDecidedValue },
    async handle({ statements }, { body, actor, dryRun }) {
      return ok(accountDecidedJson(await statements.acceptAccount({ ...body, actor, dryRun }), dryRun));
    },
  }),
  route({
    method: 'post',
    path: '/bank-accounts/join',
    operationId: 'joinBankAccounts',
    summary: 'Join a name of stored statements to its account',
    description: 'A join is permanent. A movement that is stored under both names counts once from then on.',
    tag,
    scope: 'statements:accept',
    body: z.strictObject({
      name: outsideIdField,
      into: outsideIdField.meta({ description: 'The account that the name belongs to.' }),
      reason: reasonField,
    }),
    effect: 'repeatable',
    dryRun: true,
    answers: { 200: accountDecidedValue },
    problems: ['not_found', 'account_joined', 'accounts_overlap', 'movement_used_twice', 'import_running'],
    async handle({ statements }, { body, actor, dryRun }) {
      return ok(accountDecidedJson(await statements.joinAccounts({ ...body, actor, dryRun }), dryRun));
    },
  }),
  route({
    method: 'get',
    path: '/statement-profiles',
    operationId: 'listStatementProfiles',
    summary: 'List the profiles of this installation',
    tag,
    scope: 'statements:read',
    answers: { 200: z.strictObject({ profiles: z.array(profileValue) }) },
    handle: async ({ statements }) => ok({ profiles: statements.profiles().map(profileJson) }),
  }),
];

/** The operations on statements and bank accounts. */
export const BANK_ROUTES = [...STATEMENT_ROUTES, ...ACCOUNT_ROUTES];
