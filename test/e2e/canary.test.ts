import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type BetterSqlite3 from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import { sqliteDriver } from '../../src/db';
import { freshDatabase } from '../support/db';
import { MariaDbServer } from '../support/mariadb-server';
import type { ServerProcess } from '../support/server-process';
import { canariesIn, exchange, requestText } from './support/canary';
import { Installation } from './support/installation';
import { changeRows } from './support/tables';
import { until } from './support/until';

// Goal: no secret and no personal data reach the log or an error answer, whatever is sent and whatever fails.
// Method: every secret and every person is a canary. A server at its most verbose log level gets valid, invalid and
// hostile calls while the database fails under it; then its whole output and every answer of 400 and more are searched
// for the canaries.

const LIMIT_MS = 120_000;
const LINE_ENDS = 'A\r\n{"level":"error"}\u001b[2J\u2028';

const SECRETS = {
  jwtSecret: 'canaryJwtSecret-8b1f0c77e2d94c5fa3',
  databasePassword: 'canaryDatabasePassword-31f7',
  strangersToken: 'canaryStrangersToken-77aa01',
} as const;

const PEOPLE = {
  agentId: 'canaryAgent 07654321',
  closedAgentId: 'canary\'Agent"99',
  unknownAgentId: 'canaryNobody-11223344',
  fullName: 'Canarya Ben Salah "la Grande"',
  phone: '+216 98 7654321 0123456',
  memo: 'canaryMemo Nabeul',
  path: 'canaryPath-55',
} as const;

interface Place {
  readonly url: string;
  /** As somebody who may change the schema. */
  readonly adminUrl: string;
  breakDatabase(): Promise<void>;
  end(): Promise<void>;
}

describe.each(['sqlite', 'mariadb'] as const)('the log and the error answers of a server on %s', (dialect) => {
  const testHere = dialect === 'sqlite' || MariaDbServer.isInstalled() ? test : test.skip;

  testHere(
    'S18, S19, S20: hold no secret and no person',
    async () => {
      const place = dialect === 'sqlite' ? await onSqlite() : await onMariaDb();
      try {
        const millime = new Installation(place.url, {
          env: { LOG_LEVEL: 'debug', SERVICE_JWT_SECRET: SECRETS.jwtSecret },
        });
        if (dialect === 'mariadb') expect((await millime.cli('migrate')).code).toBe(0);
        await seed(millime);
        // The secret of the environment only verifies; this makes the file with the key that signs.
        expect((await millime.cli('token', 'rotate')).code).toBe(0);
        const token = await millime.token();
        const secrets = { ...SECRETS, token, signature: token.split('.')[2] as string, ...keysOf(millime) };
        const service = await millime.serve();
        const answers = new Answers(service);

        await answers.collectAll(hostileCalls(token));
        await plantFault(place.adminUrl, dialect);
        await answers.confirm(token, { transactionId: 'T-FAULT', agentId: PEOPLE.agentId, amount: 1_000 });
        expect(answers.last).toMatch(/^HTTP\/1\.1 503 /);
        await place.breakDatabase();
        await answers.confirm(token, { transactionId: 'T-DOWN', agentId: PEOPLE.agentId, amount: 1_000 });
        expect(answers.last).toMatch(/^HTTP\/1\.1 503 /);
        const failed = await Promise.all([
          millime.cli('agents', 'import', millime.file('bad.csv', `agent_id,full_name,phone\n${PEOPLE.agentId},,`)),
          millime.cli('token', 'revoke', SECRETS.strangersToken),
          millime.cli('doctor'),
        ]);
        expect(await service.stop()).toEqual({ code: 0, signal: null });
        await until('the last line', () => service.output.includes('server.stopped'));

        const refused = answers.refused.join('\n');
        expect(canariesIn(refused, { ...secrets, ...PEOPLE })).toEqual([]);
        expect(canariesIn(service.output, { ...secrets, ...PEOPLE })).toEqual([]);
        // A person at a terminal may see whom his own file names; secrets are for nobody. What he typed himself is his.
        const { strangersToken: _typed, ...unseen } = secrets;
        expect(canariesIn(failed.map(({ stdout, stderr }) => stdout + stderr).join('\n'), unseen)).toEqual([]);

        // The search had something to search in: each kind of trouble was told, and in lines of JSON alone.
        expect(answers.refused.length).toBeGreaterThan(10);
        const lines = service.output
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
        const events = new Set(lines.map(({ event }) => event));
        for (const event of ['service_tokens.refused', 'agent_settlement.unreadable', 'http.failed']) {
          expect(events).toContain(event);
        }
        expect(service.output).toContain('[value]');
        expect(service.output).not.toMatch(/[\u001b\u2028]/);
      } finally {
        await place.end();
      }
    },
    LIMIT_MS,
  );
});

test(
  'S18: a server that cannot reach its database hides the password',
  async () => {
    const url = `mysql://millime:${SECRETS.databasePassword}@127.0.0.1:1/millime`;
    const millime = new Installation(url, { env: { LOG_LEVEL: 'debug', SERVICE_JWT_SECRET: SECRETS.jwtSecret } });
    const endings = await Promise.all([millime.cli('serve'), millime.cli('doctor'), millime.cli('migrate')]);
    for (const { code, stdout, stderr } of endings) {
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('DATABASE_URL');
      expect(canariesIn(stdout + stderr, SECRETS)).toEqual([]);
    }
  },
  LIMIT_MS,
);

test('the search finds a canary in every encoding', () => {
  const canary = { it: 'canary "ü" 07654321' };
  const bytes = Buffer.from(canary.it);
  const shapes = [canary.it, encodeURIComponent(canary.it), JSON.stringify(canary.it), canary.it.toUpperCase()];
  for (const text of [...shapes, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]) {
    expect(canariesIn(`before ${text} after`, canary)).toEqual(['it']);
  }
  expect(canariesIn('canary 07654321', canary)).toEqual([]);
});

/** Sends to one server, and keeps every answer of 400 and more. */
class Answers {
  readonly refused: string[] = [];
  last = '';
  readonly #service: ServerProcess;

  constructor(service: ServerProcess) {
    this.#service = service;
  }

  async collectAll(requests: readonly string[]): Promise<void> {
    for (const request of requests) await this.#collect(request);
    // The same confirm at once from many: the database refuses all but one of them.
    const body = JSON.stringify({ transactionId: 'T-RACE', agentId: PEOPLE.agentId, amount: 1_000 });
    const race = requests[0]
      ?.replace(/\r\n\r\n[^]*/, '')
      .replace(/Content-Length: \d+/, `Content-Length: ${body.length}`);
    await Promise.all(Array.from({ length: 10 }, () => this.#collect(`${race}\r\n\r\n${body}`)));
  }

  async confirm(token: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#collect(confirmText(token, JSON.stringify(body)));
  }

  async #collect(request: string): Promise<void> {
    this.last = await exchange(this.#service.baseUrl, request);
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(this.last)?.[1]);
    expect(status).toBeGreaterThanOrEqual(200);
    if (status >= 400) this.refused.push(this.last);
  }
}

function confirmText(token: string, body: string, type = 'application/json'): string {
  return requestText('POST /service/confirm', [`Authorization: Bearer ${token}`, `Content-Type: ${type}`], body);
}

/** Good, bad and hostile; the first is a good confirm. */
function hostileCalls(token: string): string[] {
  const good = { transactionId: 'T-1', agentId: PEOPLE.agentId, amount: 1_000 };
  const bearer = [`Authorization: Bearer ${token}`];
  const check = (id: string, headers: readonly string[] = bearer): string =>
    requestText(`GET /service/check/${encodeURIComponent(id)}`, headers);
  const confirm = (body: unknown): string => confirmText(token, JSON.stringify(body));
  const strangers = [
    SECRETS.strangersToken,
    `${token.slice(0, -6)}AAAAAA`,
    `eyJhbGciOiJub25lIn0.${Buffer.from(SECRETS.strangersToken).toString('base64url')}.`,
  ];
  return [
    confirm(good),
    confirm(good),
    confirm({ ...good, transactionId: 'T-2', agentId: PEOPLE.unknownAgentId }),
    confirm({ ...good, transactionId: 'T-3', amount: PEOPLE.memo }),
    confirm({ ...good, transactionId: 'T-4', agentId: `${PEOPLE.agentId}${LINE_ENDS}` }),
    confirm({ ...good, transactionId: `T-5${LINE_ENDS}` }),
    confirm({
      ...good,
      transactionId: 'T-6',
      agentId: { id: PEOPLE.agentId },
      memo: PEOPLE.memo,
      name: PEOPLE.fullName,
    }),
    confirm([PEOPLE.agentId]),
    confirmText(token, `{"transactionId":"T-7","agentId":"${PEOPLE.path}"`),
    confirmText(token, `${PEOPLE.path} is no JSON`),
    confirmText(token, `agentId=${PEOPLE.path}`, 'application/x-www-form-urlencoded'),
    confirmText(token, JSON.stringify({ ...good, memo: PEOPLE.memo.repeat(2_000) })),
    ...[PEOPLE.agentId, PEOPLE.closedAgentId, PEOPLE.unknownAgentId, `${PEOPLE.agentId}${LINE_ENDS}`].map((id) =>
      check(id),
    ),
    ...strangers.flatMap((bad) => [
      check(PEOPLE.agentId, [`Authorization: Bearer ${bad}`]),
      confirmText(bad, JSON.stringify(good)),
      check(PEOPLE.agentId, [`Authorization: ApiKey ${bad}`, `X-Api-Key: ${bad}`, `Cookie: session=${bad}`]),
    ]),
    check(PEOPLE.agentId, [...bearer, `X-Forwarded-For: ${PEOPLE.path}`, `User-Agent: ${PEOPLE.path}`]),
    requestText(`GET /service/check/${PEOPLE.path}%zz`, bearer),
    requestText(`GET /service/${PEOPLE.path}?agentId=${PEOPLE.path}`, bearer),
    requestText(`GET /${PEOPLE.path}`, []),
    requestText(`PUT /service/check/${PEOPLE.path}`, bearer),
    requestText(`${PEOPLE.path} /`, bearer),
    requestText('GET /healthz', [`Bad Header ${PEOPLE.path}`]),
    requestText('GET /healthz', [`X: ${PEOPLE.path.repeat(3_000)}`]),
  ];
}

async function seed(millime: Installation): Promise<void> {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const { agentId, closedAgentId, fullName, phone, memo } = PEOPLE;
  const agents = [agentId, closedAgentId].map((id) => [id, fullName, phone].map(quoted).join(','));
  await millime.json(['agents', 'import', millime.file('a.csv', ['agent_id,full_name,phone', ...agents].join('\n'))]);
  const dues = [
    'reference,agent_id,amount_millimes,due_date,memo',
    `D-1,${quoted(agentId)},90000,2026-01-01,${quoted(memo)}`,
  ];
  await millime.json(['dues', 'import', millime.file('d.csv', dues.join('\n'))]);
}

/** What the key file holds: the secret as it stands there, and its bytes as text. */
function keysOf(millime: Installation): Record<string, string> {
  const file = readFileSync(millime.env['SERVICE_JWT_KEYS_FILE'] as string, 'utf8');
  const { keys } = JSON.parse(file) as { keys: { k: string }[] };
  expect(keys.length).toBeGreaterThan(0);
  return Object.fromEntries(
    keys.flatMap(({ k }, index) => [
      [`key${index}`, k],
      [`keyBytes${index}`, Buffer.from(k, 'base64url').toString('hex')],
    ]),
  );
}

/** From now on the database refuses confirms, and says in its message whose it was. */
async function plantFault(url: string, dialect: 'sqlite' | 'mariadb'): Promise<void> {
  await changeRows(
    url,
    dialect === 'sqlite'
      ? `create trigger planted before insert on agent_confirmations
         begin select raise(abort, 'Refused value ''' || new.agent_id || ''' for key ''planted'''); end`
      : `create trigger planted before insert on agent_confirmations for each row
         begin
           declare said varchar(500) default concat('Refused value ''', new.agent_id, ''' for key ''planted''');
           signal sqlstate '45000' set message_text = said;
         end`,
  );
}

async function onSqlite(): Promise<Place> {
  const { url } = await freshDatabase('sqlite');
  let lock: BetterSqlite3.Database | undefined;
  return {
    url,
    adminUrl: url,
    breakDatabase() {
      lock = new (sqliteDriver())(url.slice('sqlite:'.length), { timeout: 5_000 });
      lock.exec('begin immediate');
      return Promise.resolve();
    },
    end: () => Promise.resolve(void lock?.close()),
  };
}

async function onMariaDb(): Promise<Place> {
  const server = await MariaDbServer.create();
  await server.start();
  const root = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
  await root.query('create database canary');
  await root.query(`create user millime@'127.0.0.1' identified by '${SECRETS.databasePassword}'`);
  await root.query(`grant all on canary.* to millime@'127.0.0.1'`);
  await root.end();
  return {
    url: `mysql://millime:${SECRETS.databasePassword}@127.0.0.1:${server.port}/canary`,
    adminUrl: server.url('canary'),
    breakDatabase: () => server.stop(),
    end: () => server.remove(),
  };
}
