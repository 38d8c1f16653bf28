import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sha256Hex } from '../../../src/kernel';
import { statementBytes } from '../../fixtures/statements/statement-bytes';
import { RawConnection } from '../../support/raw-connection';
import { count, describeApi, rows } from '../support/api';
import { importStatement } from './support/a-statement';
import { type ApiClient, apiClient } from './support/api-client';

const MIB = 1024 * 1024;

describeApi('the operations on the bank', (current) => {
  let client: ApiClient;
  beforeEach(async () => {
    client = await apiClient(current.api);
  });

  const upload = async (body: Uint8Array, fileName = 'bank.csv') =>
    client.done('uploadBankFile', { query: { fileName }, body });
  const uploadRows = async (): Promise<number[]> => [
    await count(current.api.millime, 'statement_uploads'),
    await count(current.api.millime, 'statement_upload_chunks'),
  ];

  test('sends, checks, imports and downloads a bank file', async () => {
    const bytes = statementBytes();
    const { id, sha256, fileName, sizeBytes } = await upload(bytes, 'relevé n° 1.csv');
    expect([sha256, fileName, sizeBytes]).toEqual([sha256Hex(bytes), 'relevé n° 1.csv', bytes.length]);
    const params = { uploadId: id };
    const { check } = await client.done('checkBankUpload', { params });
    expect(check).toMatchObject({ outcome: 'imported', format: 'csv', verdict: 'ok', refusals: [], faults: [] });
    expect(check.statements[0]).toMatchObject({ entries: 5, currency: 'TND', lines: expect.any(Array) });
    expect(check.statements[0].lines[0]).toMatchObject({ bookingDate: '2026-04-02', amount: '1250.500' });

    const imported = await client.done('importBankUpload', { params, body: {} });
    expect(imported).toMatchObject({ outcome: 'imported', statements: [{ verdict: 'ok', waiting: false }] });
    const again = await client.done('importBankUpload', { params, body: {} });
    expect(again).toEqual({ ...imported, outcome: 'already_imported' });
    expect(again.file).toMatchObject({ sha256 });

    const statementId = imported.statements[0].id;
    expect(await client.done('showStatement', { params: { statementId } })).toEqual(imported.statements[0]);
    const { body, headers } = await client.call('downloadStatementFile', { params: { statementId } });
    expect(body).toBe(bytes.toString('utf8'));
    expect(headers['content-disposition']).toContain("filename*=UTF-8''relev%C3%A9%20n%C2%B0%201.csv");
    expect(await client.done('verifyStatement', { params: { statementId } })).toMatchObject({
      sha256,
      differences: [],
    });

    await client.done('removeBankUpload', { params });
    for (const operationId of ['checkBankUpload', 'removeBankUpload']) {
      expect(await client.problem(operationId, { params })).toMatchObject({ code: 'not_found' });
    }
    expect(await uploadRows()).toEqual([0, 0]);
  });

  test('answer why a file would be refused, and refuse its import', async () => {
    const { id } = await upload(Buffer.from('no bank file'), 'notes.txt');
    const params = { uploadId: id };
    const { check } = await client.done('checkBankUpload', { params });
    expect(check).toMatchObject({ outcome: 'refused', format: null, statements: [] });
    expect(check.refusals.length).toBeGreaterThan(0);
    const problem = await client.problem('importBankUpload', { params, body: {} });
    expect(problem.code).toBe(check.refusals[0].code);
    expect(await count(current.api.millime, 'statement_files')).toBe(0);
  });

  test('store a file of several pieces whole', async () => {
    const bytes = Buffer.alloc(3 * MIB + 17, 'abcdefg');
    const { sha256, sizeBytes } = await upload(bytes);
    expect([sha256, sizeBytes]).toEqual([sha256Hex(bytes), bytes.length]);
    const [uploads, pieces = 0] = await uploadRows();
    expect([uploads, pieces > 1]).toEqual([1, true]);
  });

  test('keep no rows of an upload whose client left in the middle', async () => {
    const connection = await RawConnection.open(current.api.port);
    connection.send(uploadHead(client.keyText, 2 * MIB));
    connection.send('x'.repeat(MIB));
    await until(async () => (await uploadRows())[1] !== 0);
    connection.destroy();
    await until(async () => (await uploadRows())[0] === 0);
    expect(await uploadRows()).toEqual([0, 0]);
  });

  test('forget an upload after its expiry', async () => {
    const { millime } = current.api;
    const { id } = await upload(statementBytes());
    await millime.database.transact((session) => session('statement_uploads').update({ expires_at: 0 }));
    const params = { uploadId: id };
    expect(await client.problem('checkBankUpload', { params })).toMatchObject({ code: 'not_found' });
    await millime.statements.uploads.removeExpired();
    expect(await uploadRows()).toEqual([0, 0]);
  });

  test.each([
    ['an empty file', { query: { fileName: 'a' }, body: Buffer.alloc(0) }],
    ['no name', { body: statementBytes() }],
  ])('refuse %s', async (_, call) => {
    expect(await client.problem('uploadBankFile', call)).toMatchObject({ code: 'bad_input' });
    expect(await uploadRows()).toEqual([0, 0]);
  });

  test('refuse a file of more than 64 MiB before it arrives', async () => {
    const connection = await RawConnection.open(current.api.port);
    connection.send(uploadHead(client.keyText, 64 * MIB + 1));
    expect((await connection.next())?.status).toBe(413);
    expect(await uploadRows()).toEqual([0, 0]);
  });

  describe('acceptStatement and excludeStatement', () => {
    const body = { reason: 'compared with the bank' };

    test('decide on a waiting statement once', async () => {
      const { statement } = await importStatement(current.api, { closing: 1 });
      const params = { statementId: statement.id };
      expect(await client.done('listStatements', { query: { waiting: true } })).toMatchObject({
        data: [{ id: statement.id, verdict: 'unbalanced' }],
      });
      const dry = await client.done('acceptStatement', { params, body, query: { dryRun: true } });
      const accepted = await client.done('acceptStatement', { params, body });
      expect(accepted).toMatchObject({ outcome: 'accepted', accepted: { by: 'salma' }, posts: dry.posts });
      expect(await client.done('acceptStatement', { params, body })).toMatchObject({ outcome: 'already_accepted' });
      expect(await client.problem('excludeStatement', { params, body })).toMatchObject({ code: 'statement_not_held' });
      expect((await client.done('listStatements', { query: { waiting: true } })).data).toEqual([]);
    });
  });

  describe('joinBankAccounts', () => {
    test('joins a name once, and refuses the reverse', async () => {
      const { statement } = await importStatement(current.api);
      const body = { name: 'CPT-1', into: statement.account, reason: 'one account' };
      expect(await client.done('joinBankAccounts', { body })).toMatchObject({ outcome: 'joined', account: body.into });
      expect(await client.done('joinBankAccounts', { body })).toMatchObject({ outcome: 'already' });
      const { accounts } = await client.done('listBankAccounts');
      expect(accounts).toMatchObject([{ account: statement.account, joined: ['CPT-1'] }]);
      const reverse = { ...body, name: body.into, into: 'CPT-1' };
      expect(await client.problem('joinBankAccounts', { body: reverse })).toMatchObject({ code: 'account_joined' });
      const unknown = { ...body, into: 'CPT-9' };
      expect(await client.problem('joinBankAccounts', { body: unknown })).toMatchObject({ code: 'not_found' });
    });
  });

  test('give an upload of a key more time than any other request', async () => {
    const { api } = current;
    const [slow, uploading] = [await RawConnection.open(api.port), await RawConnection.open(api.port)];
    const startedAt = performance.now();
    slow.send(
      `POST /service/confirm HTTP/1.1\r\nHost: x\r\nAuthorization: ${api.bearer}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
    );
    const bytes = statementBytes();
    uploading.send(uploadHead(client.keyText, bytes.length));
    uploading.send(bytes.subarray(0, 100).toString('latin1'));
    const closedAt = await slow.closed;
    expect((await slow.next())?.status).toBe(408);
    expect(closedAt - startedAt).toBeGreaterThan(9_000);
    expect(closedAt - startedAt).toBeLessThan(20_000);
    uploading.send(bytes.subarray(100));
    expect((await uploading.next())?.status).toBe(201);
    const [stored] = await rows(api.millime, 'statement_uploads', ['sha256']);
    expect(stored?.['sha256']).toBe(sha256Hex(bytes));
    uploading.destroy();
  });
});

/** Lets the server work between two looks: on SQLite a query never waits. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setImmediate();
}

function uploadHead(keyText: string, length: number): string {
  return (
    'POST /api/v1/bank-uploads?fileName=a.csv HTTP/1.1\r\nHost: x\r\n' +
    `Authorization: Bearer ${keyText}\r\nIdempotency-Key: one\r\n` +
    `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`
  );
}
