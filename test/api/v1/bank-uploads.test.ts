import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditRecord } from '../../../src/identity';
import { sha256Hex } from '../../../src/kernel';
import { statementBytes } from '../../fixtures/statements/statement-bytes';
import { RawConnection } from '../../support/raw-connection';
import { count, describeApi } from '../support/api';
import { type ApiClient, apiClient } from './support/api-client';

const MIB = 1024 * 1024;
const FILES_OF_ACTOR = 4;
const FILES_TOTAL = 6;

const query = { fileName: 'bank.csv' };
const OTHER_BYTES = Buffer.from(statementBytes()).fill('x', 0, 1);

describeApi(
  'an upload of a bank file',
  (current) => {
    let client: ApiClient;
    let omar: ApiClient;
    beforeEach(async () => {
      client = await apiClient(current.api);
      omar = await apiClient(current.api, { name: 'omar', scopes: ['statements:write'] });
    });

    const rows = (): Promise<number> => count(current.api.millime, 'statement_uploads');
    const upload = (by = client, body: Uint8Array = statementBytes()) => by.call('uploadBankFile', { query, body });
    const expire = (): Promise<unknown> =>
      current.api.millime.database.transact((session) => session('statement_uploads').update({ expires_at: 0 }));

    describe('beyond the limits', () => {
      test('is refused while the actor has as many files as allowed, and names them', async () => {
        const kept = await Promise.all(Array.from({ length: FILES_OF_ACTOR }, () => upload()));
        const ids = kept.map(({ body }) => body.id as string);
        const problem = await client.problem('uploadBankFile', { query, body: statementBytes() });
        expect(problem).toMatchObject({ code: 'upload_quota', status: 429, params: { of: 'salma', filesMax: 4 } });
        expect(problem.params.uploadIds).toEqual([...ids].sort());
        expect(await rows()).toBe(FILES_OF_ACTOR);
        await client.done('removeBankUpload', { params: { uploadId: ids[0] ?? '' } });
        expect((await upload()).status).toBe(201);
      });

      test('is refused to all actors while their files together are as many as allowed', async () => {
        for (const by of [client, omar]) await Promise.all(Array.from({ length: 3 }, () => upload(by)));
        const problem = await omar.problem('uploadBankFile', { query, body: statementBytes() });
        expect(problem).toMatchObject({ code: 'upload_quota', params: { of: 'all actors', filesMax: FILES_TOTAL } });
        expect(problem.params.uploadIds).toHaveLength(3);
      });

      test('is refused to exactly those of many concurrent ones that have no room', async () => {
        const statuses = (await Promise.all(Array.from({ length: 10 }, () => upload()))).map(({ status }) => status);
        expect(statuses.filter((status) => status === 201)).toHaveLength(FILES_OF_ACTOR);
        expect(statuses.filter((status) => status === 429)).toHaveLength(10 - FILES_OF_ACTOR);
        expect(await rows()).toBe(FILES_OF_ACTOR);
      });

      test('is refused before its bytes arrive, because those that arrive count whole', async () => {
        const first = await RawConnection.open(current.api.port);
        first.send(uploadHead(client.keyText, MIB, 'first'));
        while ((await rows()) === 0) await setImmediate();
        const second = await RawConnection.open(current.api.port);
        second.send(uploadHead(client.keyText, 1, 'second'));
        expect((await second.next())?.status).toBe(429);
        first.send(Buffer.alloc(MIB, 'a').toString('latin1'));
        expect((await first.next())?.status).toBe(201);
        for (const connection of [first, second]) connection.destroy();
      });

      test('is accepted after the others have expired', async () => {
        await Promise.all(Array.from({ length: FILES_OF_ACTOR }, () => upload()));
        await expire();
        expect((await upload()).status).toBe(201);
        expect(await rows()).toBe(1);
      });
    });

    describe('with the Idempotency-Key of an earlier one', () => {
      const idempotencyKey = 'same';
      const send = (body: Uint8Array) => client.call('uploadBankFile', { query, body, idempotencyKey });

      test('gets the same answer for the same bytes, however they are framed', async () => {
        const first = await send(statementBytes());
        const chunked = { 'Transfer-Encoding': 'chunked' };
        const call = { query, body: statementBytes(), idempotencyKey };
        for (const headers of [{}, chunked]) {
          const again = await client.call('uploadBankFile', { ...call, headers });
          expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
        }
        expect(await rows()).toBe(1);
      });

      test('is refused for other bytes of the same length, and nothing of it stays', async () => {
        const first = await send(statementBytes());
        expect(OTHER_BYTES).toHaveLength(statementBytes().length);
        const again = await send(OTHER_BYTES);
        expect([again.status, again.body.code]).toEqual([422, 'idempotency_key_reused']);
        expect(await rows()).toBe(1);
        expect((await send(statementBytes())).body).toEqual(first.body);
      });

      test('is refused under another name', async () => {
        await send(statementBytes());
        const call = { query: { fileName: 'other.csv' }, body: statementBytes(), idempotencyKey };
        expect(await client.problem('uploadBankFile', call)).toMatchObject({ code: 'idempotency_key_reused' });
      });
    });

    describe('of another person', () => {
      test('S10: does not exist for a key that may not accept statements', async () => {
        const params = { uploadId: (await upload()).body.id as string };
        expect(await omar.problem('checkBankUpload', { params })).toMatchObject({ code: 'not_found' });
        expect(await omar.problem('importBankUpload', { params, body: {} })).toMatchObject({ code: 'not_found' });
        expect(await omar.problem('removeBankUpload', { params })).toMatchObject({ code: 'not_found' });
        expect(await rows()).toBe(1);
      });

      test('can be imported and removed by a key that may accept statements', async () => {
        const params = { uploadId: (await upload(omar)).body.id as string };
        expect(await client.done('importBankUpload', { params, body: {} })).toMatchObject({ outcome: 'imported' });
        expect(await client.done('removeBankUpload', { params })).toMatchObject({ outcome: 'removed' });
      });

      test('can be removed by another key of the same person', async () => {
        const params = { uploadId: (await upload(omar)).body.id as string };
        const replacement = await apiClient(current.api, { name: 'omar', scopes: ['statements:write'] });
        expect(await replacement.done('removeBankUpload', { params })).toMatchObject({ outcome: 'removed' });
      });
    });

    test('leaves an audit record when it has arrived and when it is removed', async () => {
      const received = await upload();
      const params = { uploadId: received.body.id as string };
      const removed = await client.call('removeBankUpload', { params });
      expect(await client.problem('removeBankUpload', { params })).toMatchObject({ code: 'not_found' });
      await client.problem('uploadBankFile', { query, body: Buffer.alloc(0) });
      const { rows: found } = await current.api.millime.identity.auditRecords({ actorName: 'salma', limit: 10 });
      const detail = { sha256: sha256Hex(statementBytes()), sizeBytes: statementBytes().length };
      const expected = [
        { action: 'upload.removed', requestId: removed.headers['x-request-id'] },
        { action: 'upload.received', requestId: received.headers['x-request-id'] },
      ].map((each) => ({ ...each, subject: `upload:${params.uploadId}`, detail }));
      expect(found.filter(isOfUploads)).toMatchObject(expected);
    });
  },
  { environment: { API_UPLOADS_PER_ACTOR: `${FILES_OF_ACTOR},1`, API_UPLOADS_TOTAL: `${FILES_TOTAL},3` } },
);

function isOfUploads({ action }: AuditRecord): boolean {
  return action.startsWith('upload.');
}

function uploadHead(keyText: string, length: number, key: string): string {
  return (
    'POST /api/v1/bank-uploads?fileName=a.csv HTTP/1.1\r\nHost: x\r\n' +
    `Authorization: Bearer ${keyText}\r\nIdempotency-Key: ${key}\r\n` +
    `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`
  );
}
