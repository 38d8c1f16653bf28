import { z } from 'zod';
import {
  handReadingValue,
  importCheckJson,
  importCheckValue,
  importedJson,
  importedValue,
  sampleJson,
  sampleValue,
  uploadJson,
  uploadValue,
} from '../../shapes/bank-file-imports';
import { idValue, outsideIdField, textField } from '../../shapes/values';
import { type CheckRequest, profileByHand, PROPOSED_PROFILE, sampleRows, STATEMENT_FORMATS } from '../../statements';
import { faultBody } from '../operation/problem';
import type { ApiRooms } from '../operation/rooms';
import { type Caller, created, ok, route } from '../operation/route';

const tag = 'Bank';
const scope = 'statements:write';
const ofUpload = { uploadId: idValue };

/** How a file is read, where it does not say so itself. */
const reading = {
  format: z.enum(['auto', ...STATEMENT_FORMATS]).optional(),
  profile: textField(100)
    .optional()
    .meta({ description: `A profile by its name, or \`${PROPOSED_PROFILE}\` for the one made from the file.` }),
  account: outsideIdField.optional().meta({ description: 'If the file names none that can be read.' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .meta({ description: 'If the file states none.', example: 'TND' }),
  decimalSign: z.enum([',', '.']).optional(),
  dateFormat: textField(30).optional().meta({ example: 'dd/mm/yyyy' }),
  unit: z.enum(['dinars', 'millimes']).optional().meta({ description: 'The unit of amounts in TND.' }),
  unmarked: z.enum(['credit', 'debit']).optional().meta({ description: 'What an amount without a sign is.' }),
};

/** The same in a body, which may also describe the columns, and name the profile to save. No query has a list. */
const readingBody = z.strictObject({
  ...reading,
  setAside: z
    .array(textField(500))
    .max(100)
    .optional()
    .meta({ description: 'The headings of columns that carry nothing of the money. They are not read.' }),
  byHand: handReadingValue.optional().meta({ description: 'Columns that a person named, in place of a profile.' }),
  saveProfile: textField(64)
    .optional()
    .meta({ description: 'The name under which the reading is saved as a profile, for later files.' }),
});

function readingOf({ byHand, ...rest }: z.output<typeof readingBody>) {
  const { currency, unit, unmarked } = rest;
  const byPerson = byHand && { ...profileByHand(byHand, currency), unit, unmarked };
  return { ...rest, ownProfile: byPerson };
}

const CHECK_ANSWER = z.strictObject({ upload: uploadValue, check: importCheckValue });

/** Checks a file and stores nothing. */
async function checked(
  { statements }: ApiRooms,
  uploadId: string,
  given: Omit<CheckRequest, 'file' | 'actor'>,
  actor: Caller,
): Promise<z.input<typeof CHECK_ANSWER>> {
  const upload = await statements.uploads.find(uploadId, actor);
  const file = await statements.uploads.file(uploadId, actor);
  const check = await statements.check({ ...given, file, actor, readsKnown: true });
  const refusals = check.refusals.map((refusal) => faultBody(refusal) as { code: string; detail: string });
  return { upload: uploadJson(upload), check: importCheckJson(check, refusals) };
}

/** The operations on bank files that wait for their import. */
export const BANK_UPLOAD_ROUTES = [
  route({
    method: 'post',
    path: '/bank-uploads',
    operationId: 'uploadBankFile',
    summary: 'Send a bank file, to check and to import it',
    description:
      'The raw bytes of a file, at most 64 MiB. They are kept for 24 hours. Until it has arrived, a file without a ' +
      '`Content-Length` counts as 64 MiB.',
    ...{ tag, scope },
    query: { fileName: outsideIdField.meta({ example: 'bank.sta' }) },
    body: 'upload',
    fileType: 'application/octet-stream',
    effect: 'repeatable',
    answers: { 201: uploadValue },
    problems: ['upload_quota'],
    async handle({ statements }, { query: { fileName: name }, body: { pieces, bytesMax }, actor }) {
      const upload = await statements.uploads.receive({ name, bytesMax, pieces, actor });
      return created(uploadJson(upload), `/bank-uploads/${upload.id}`);
    },
  }),
  route({
    method: 'get',
    path: '/bank-uploads/{uploadId}',
    operationId: 'checkBankUpload',
    summary: 'Show what an import of a file would do',
    description: 'The check is the one that the import makes. It stores nothing.',
    ...{ tag, scope },
    params: ofUpload,
    query: reading,
    isLong: true,
    answers: { 200: CHECK_ANSWER },
    problems: ['not_found'],
    handle: async (rooms, { params: { uploadId }, query, actor }) => ok(await checked(rooms, uploadId, query, actor)),
  }),
  route({
    method: 'post',
    path: '/bank-uploads/{uploadId}/check',
    operationId: 'checkBankReading',
    summary: 'Show what an import of a file would do, read as the body says',
    description: 'The check is the one that the import makes with the same body. It stores nothing.',
    ...{ tag, scope },
    params: ofUpload,
    body: readingBody,
    effect: 'reads',
    isLong: true,
    answers: { 200: CHECK_ANSWER },
    problems: ['not_found'],
    handle: async (rooms, { params: { uploadId }, body, actor }) =>
      ok(await checked(rooms, uploadId, readingOf(body), actor)),
  }),
  route({
    method: 'get',
    path: '/bank-uploads/{uploadId}/sample',
    operationId: 'sampleBankUpload',
    summary: 'Show the first rows of a file with columns',
    description: 'For a person who says what the columns mean. `sample` is null for a file of another format.',
    ...{ tag, scope },
    params: ofUpload,
    isLong: true,
    answers: { 200: z.strictObject({ upload: uploadValue, sample: sampleValue.nullable() }) },
    problems: ['not_found', 'file_faults'],
    async handle({ statements }, { params: { uploadId }, actor }) {
      const upload = await statements.uploads.find(uploadId, actor);
      const sample = sampleRows(await statements.uploads.file(uploadId, actor));
      return ok({ upload: uploadJson(upload), sample: sample === undefined ? null : sampleJson(sample) });
    },
  }),
  route({
    method: 'post',
    path: '/bank-uploads/{uploadId}/import',
    operationId: 'importBankUpload',
    summary: 'Import a file, prove its balances and post its lines',
    description: 'The same bytes are imported once: a repeat answers `already_imported` with its statements.',
    ...{ tag, scope },
    params: ofUpload,
    body: readingBody,
    effect: 'repeatable',
    isLong: true,
    answers: { 200: importedValue },
    problems: [
      'not_found',
      'file_faults',
      'dates_impossible',
      'statements_known',
      'import_running',
      'account_differs',
      'account_missing',
      'account_renamed',
      'account_unproven',
      'account_changed_by_spreadsheet',
      'currency_missing',
      'date_format_undecided',
      'decimal_sign_undecided',
      'unit_undecided',
      'sign_undecided',
      'column_undecided',
      'profile_unconfirmed',
      'profile_exists',
      'file_locked',
    ],
    async handle({ statements }, { params: { uploadId }, body, actor }) {
      const request = { ...readingOf(body), file: await statements.uploads.file(uploadId, actor), actor };
      const check = await statements.check(request);
      const outcome = await statements.import(request, check);
      const ofImport = outcome.kind === 'imported' ? outcome.warnings : [];
      return ok(
        importedJson(
          outcome,
          [...check.warnings, ...ofImport].map(({ text }) => text),
        ),
      );
    },
  }),
  route({
    method: 'delete',
    path: '/bank-uploads/{uploadId}',
    operationId: 'removeBankUpload',
    summary: 'Remove a file that is not needed anymore',
    ...{ tag, scope },
    params: ofUpload,
    effect: 'repeatable',
    answers: { 200: z.strictObject({ id: idValue, outcome: z.literal('removed') }) },
    problems: ['not_found'],
    async handle({ statements }, { params: { uploadId }, actor }) {
      await statements.uploads.remove(uploadId, actor);
      return ok({ id: uploadId, outcome: 'removed' as const });
    },
  }),
];
