// Goal: a hostile body, form or link neither stops the process nor makes a page do or claim what no person decided, and every
// look at a person leaves a record.
// Method: raw requests of people who signed in, on both databases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '../../src/kernel';
import { withItems, withProposal } from '../api/v1/support/scenarios/credit-world';
import { anAgent, register } from '../support/factories';
import { RawConnection } from '../support/raw-connection';
import { describeConsole, PASSWORD, person, type Visitor } from './support/visitor';

const MULTIPART = 'multipart/form-data; boundary=B';
const part = (name: string, value: string, more = ''): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`;

describeConsole('the console under attack', (current) => {
  let salma: Visitor;
  let field: Visitor;
  let karima: Visitor;
  beforeEach(async () => {
    current.api.setClock('2026-03-02T09:00:00.000Z');
    salma = await person(current.api);
    karima = await person(current.api, { name: 'karima' });
    field = await person(current.api, { name: 'fatma', roles: ['field'] });
  });

  const post = async (visitor: Visitor, path: string, type: string, body: string | Buffer) =>
    visitor.raw('POST', path, {
      headers: { 'Content-Type': type, Origin: `http://127.0.0.1:${current.api.port}` },
      body,
    });
  const recorded = async (action: string) => {
    const { rows } = await current.api.millime.identity.auditRecords({ limit: 50, action });
    return rows.map(({ actorName, subject }) => `${actorName} ${subject}`);
  };
  const csrfOf = async (visitor: Visitor, path: string): Promise<string> =>
    (await visitor.get(path)).forms.flatMap(({ fields }) => fields).find(([name]) => name === 'csrf')?.[1] ?? '';

  describe('a body', () => {
    test.each([
      ['inside a file', part('file', 'abc', '; filename="a"')],
      ['inside a field', part('csrf', 'abc')],
      ['inside the head of a part', '--B\r\nContent-Dispo'],
      ['before its end', `${part('file', 'abc', '; filename="a"')}\r\n--B`],
      ['behind a field without a name', '--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n'],
    ])('that ends %s is refused, and the process goes on', async (_where, body) => {
      expect((await post(salma, '/console/bank/import', MULTIPART, body)).status).toBe(400);
      expect((await post(field, '/console/bank/import', MULTIPART, body)).status).toBe(403);
      expect((await salma.get('/console/me')).status).toBe(200);
    });

    test.each([
      ['two files', `${part('a', 'x', '; filename="a"')}\r\n${part('b', 'y', '; filename="b"')}\r\n--B--\r\n`],
      ['many fields', `${Array.from({ length: 2_100 }, (_, at) => part(`f${at}`, 'x')).join('\r\n')}\r\n--B--\r\n`],
      ['a long field', `${part('a', 'x'.repeat(70_000))}\r\n--B--\r\n`],
      ['long fields', `${Array.from({ length: 20 }, () => part('a', 'x'.repeat(60_000))).join('\r\n')}\r\n--B--\r\n`],
    ])('with %s loses nothing silently', async (_what, body) => {
      expect((await post(salma, '/console/bank/import', MULTIPART, body)).status).toBe(413);
    });
  });

  test.each([
    '',
    'Content-Disposition: form-data; filename="a"',
    'Content-Disposition: form-data; name',
    'Content-Disposition: form-data; name=; filename=',
    'Content-Disposition: form-data; filename*=UTF-8%27%27%00',
    'Content-Disposition: attachment; name="a"',
    'Content-Disposition: form-data; name="__proto__"',
    'Content-Disposition: form-data; name="a"\r\nContent-Type: /;charset=',
    'Content-Type: application/octet-stream',
  ])('a part with the head %j is answered, and the process goes on', async (head) => {
    const body = `--B\r\n${head}\r\n\r\nx\r\n--B--\r\n`;
    expect((await post(salma, '/console/bank/import', MULTIPART, body)).status).toBeLessThan(500);
    expect((await salma.get('/console/me')).status).toBe(200);
  });

  /** Opens a connection and sends the head of an upload, and the beginning of its body. */
  const beginUpload = async (visitor: Visitor, bodyBytes: number, body: string | Buffer): Promise<RawConnection> => {
    const { port } = current.api;
    const connection = await RawConnection.open(port);
    const cookies = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const head = ['POST /console/bank/import HTTP/1.1', `Host: 127.0.0.1:${port}`, `Origin: http://127.0.0.1:${port}`];
    const rest = [`Cookie: ${cookies}`, `Content-Type: ${MULTIPART}`, `Content-Length: ${bodyBytes}`, '', ''];
    connection.send([...head, ...rest].join('\r\n'));
    connection.send(body);
    return connection;
  };
  const MIB = 1024 * 1024;

  test('a body is refused at its first fault, before its end', async () => {
    const connection = await beginUpload(salma, 60 * MIB, '--B\r\n\r\n\r\n'.repeat(10_000));
    expect((await connection.next())?.status).toBe(413);
    connection.destroy();
  });

  test('slow uploads of one person keep no other from uploading, and their bytes are limited', async () => {
    const file = `${part('file', '', '; filename="a"')}${'x'.repeat(20 * MIB)}`;
    const slow = await Promise.all(Array.from({ length: 5 }, () => beginUpload(salma, 60 * MIB, '--B\r\n')));
    const whole = `${part('csrf', await csrfOf(karima, '/console/bank/import'))}\r\n--B--\r\n`;
    expect((await post(karima, '/console/bank/import', MULTIPART, whole)).status).toBe(404);
    const large = await Promise.all(Array.from({ length: 4 }, () => beginUpload(salma, 60 * MIB, file)));
    expect((await Promise.race(large.map((each) => each.next())))?.status).toBe(503);
    expect((await post(karima, '/console/bank/import', MULTIPART, whole)).status).toBe(404);
    for (const each of [...slow, ...large]) each.destroy();
  });

  describe('a form', () => {
    const FORM = 'application/x-www-form-urlencoded';

    test.each(['__proto__', 'constructor', 'toString', 'nonesuch'])('names no action by %s', async (action) => {
      const csrf = await csrfOf(salma, '/console/runs');
      const body = new URLSearchParams({ csrf, action }).toString();
      expect((await post(salma, '/console/runs', FORM, body)).status).toBe(404);
    });

    test.each(['', 'x'.repeat(5_000), '<b>', 'a b'])('has no effect with the key "%.9s"', async (once) => {
      const csrf = await csrfOf(salma, '/console/imports/agents');
      const fields = { csrf, once, action: 'link', amountMillimes: '1' };
      const body = new URLSearchParams(fields).toString();
      expect((await post(salma, '/console/payments/new', FORM, body)).status).toBe(400);
    });

    test('of another session says that it expired, and what to do', async () => {
      const body = new URLSearchParams({ csrf: await csrfOf(field, '/console/me'), action: 'run' }).toString();
      const { status, text } = await post(salma, '/console/runs', FORM, body);
      expect(status).toBe(403);
      expect(text).toContain('Form expired');
    });
  });

  test('no link from elsewhere makes a page claim an effect', async () => {
    const path = '/console/me?said=common:said.passwordChanged';
    for (const site of ['cross-site', 'none', 'same-site']) {
      const { text } = await salma.raw('GET', path, { headers: { 'Sec-Fetch-Site': site } });
      expect(text).not.toContain('Your password is changed');
    }
    expect((await salma.raw('GET', path, { headers: { 'Sec-Fetch-Site': 'same-origin' } })).text).toContain(
      'Your password is changed',
    );
  });

  test('only its author withdraws a proposal, and others give their password again', async () => {
    await withItems(current.api);
    const proposalId = await withProposal(current.api);
    const karim = await person(current.api, { name: 'karim', roles: ['approver'] });
    const path = `/console/proposals/${proposalId}`;
    const body = new URLSearchParams({
      ...{ csrf: await csrfOf(karim, path), action: 'withdraw', reason: 'no', once: 'withdraw-1' },
    }).toString();
    const answer = await post(karim, path, 'application/x-www-form-urlencoded', body);
    expect(answer.status).toBe(404);
    expect(await recorded('proposal.rejected')).toEqual([]);
  });

  test('the second factor is replaced only with a code of the present one, after the password', async () => {
    const karim = await person(current.api, { name: 'karim', roles: ['approver'] });
    current.api.setClock('2026-03-02T09:20:00.000Z');
    const asked = await karim.send(await karim.get('/console/enroll'), 'begin', { present: '000000' });
    const refused = await karim.send(asked, 'begin', { proof_password: PASSWORD });
    expect(refused.text).toContain('Present code of your app');
    expect(refused.text).toContain('This code is not valid');
  });

  test('a sign-in ends the session that the browser had', async () => {
    const [former = ''] = [...salma.cookies].filter(([name]) => name === 'millime-session').map(([, value]) => value);
    await salma.signIn('fatma', PASSWORD);
    const { status } = await salma.raw('GET', '/console/me', { headers: { Cookie: `millime-session=${former}` } });
    expect(status).toBe(303);
  });

  test('each look at a person is recorded, with what was opened and never what was typed', async () => {
    await register(current.api.millime, anAgent());
    await current.api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 2_000 });
    await salma.send(await salma.get('/console/agents/search'), 'search', { q: '004711' });
    await salma.get('/console/agents');
    await salma.get('/console/payments/TX-1');
    await salma.get('/console/exports/ledger/csv');
    expect(await recorded('agent.looked_up')).toEqual(['salma agent:004711', 'salma agent:004711']);
    expect(await recorded('page.opened')).toEqual([
      'salma file:/exports/ledger/csv',
      'salma payment:TX-1',
      'salma agents',
    ]);
  });
});

describeConsole(
  'the console while the database is busy',
  (current) => {
    test('keeps the form and tells nothing of the cause', async () => {
      const salma = await person(current.api);
      const page = await salma.get('/console/fees');
      const refused = await salma.send(page, 'preview', { reason: 'new contract' });
      expect(refused.status).toBe(503);
      expect(refused.byRole('alert').join()).toContain('Try again');
      expect(refused.source).not.toContain('disk');
      expect(refused.forms.flatMap(({ fields }) => fields)).toContainEqual(['reason', 'new contract']);
    });
  },
  {
    replace: ({ reconciliation }) => ({
      reconciliation: {
        ...reconciliation,
        giveFees: () => Promise.reject(new AppError('unavailable', 'the disk of the database is full')),
      },
    }),
  },
);
