import { Agent, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createApp } from '../../src/app';
import { answerRequests, createHttpServer } from '../../src/http';
import { until } from '../e2e/support/until';
import { anAgent, register } from '../support/factories';
import { exchange, RawConnection } from '../support/raw-connection';
import { describeApiOnOneDatabase, rows, SECRET_OF_ENVIRONMENT } from './support/api';
import { rawConfirm, rawRequest } from './support/raw-request';

// Goal: S17, no misuse of connections by others, and no half-closed connection, costs a confirm its answer.
// Method: raw sockets, a server with few places, and a client that keeps its connections as the gateway does.

const FOUND = '{"code":"0","desc":"Amal Trabelsi","amount":"0"}';
const STORED = '{"code":"0"}';
const PLACES = 40;

describeApiOnOneDatabase(
  'S17: connections',
  (current) => {
    const agents: Agent[] = [];
    const opened: RawConnection[] = [];
    const servers: Server[] = [];

    beforeEach(() => register(current.api.millime, anAgent()));
    afterEach(async () => {
      agents.splice(0).forEach((agent) => agent.destroy());
      opened.splice(0).forEach((connection) => connection.destroy());
      for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    });

    const stored = async (): Promise<string[]> =>
      (await rows(current.api.millime, 'agent_confirmations', ['transaction_id'])).map((row) =>
        String(row['transaction_id']),
      );
    const check = (...lines: readonly string[]): string =>
      rawRequest({
        target: '/service/check/004711',
        headers: ['Host: x', `Authorization: ${current.api.bearer}`, ...lines],
      });

    /** The same application behind a server that has few places. */
    async function startSmall(): Promise<number> {
      const app = createApp(current.api.millime);
      const server = createHttpServer({ logger: current.api.millime.logger, connectionsMax: PLACES, app });
      answerRequests(server, app);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    }

    /** A client that keeps its connections. Gives what it was answered, or which error it met. */
    function gateway(port: number, maxSockets: number): (bytes?: string) => Promise<string> {
      const agent = new Agent({ keepAlive: true, maxSockets });
      agents.push(agent);
      const headers = { Authorization: current.api.bearer, 'Content-Type': 'application/json' };
      return (confirm) =>
        new Promise((resolve) => {
          const call =
            confirm === undefined
              ? { method: 'GET', path: '/service/check/004711' }
              : { method: 'POST', path: '/service/confirm' };
          const sent = request({ host: '127.0.0.1', port, agent, headers, ...call }, (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part: string) => (text += part));
            response.on('end', () => resolve(text));
            response.on('error', (error) => resolve(String(error)));
          });
          sent.on('error', (error) => resolve(String(error)));
          sent.end(confirm);
        });
    }
    const confirmOf = (transactionId: string): string =>
      JSON.stringify({ transactionId, agentId: '004711', amount: 1 });

    test('answers 2,300 calls on one kept connection', async () => {
      const call = gateway(current.api.port, 1);
      const answers = new Set<string>();
      for (let count = 0; count < 2_300; count += 1) answers.add(await call());
      expect([...answers]).toEqual([FOUND]);
    });

    test('serves clients with a valid token while others fill every connection slot', async () => {
      const port = await startSmall();
      const CLIENTS = 3;
      const CALLS = 40;
      let over = false;
      let floods = 0;
      const flood = async (): Promise<void> => {
        while (!over) {
          const hogs = await Promise.all(Array.from({ length: PLACES / 2 }, () => RawConnection.open(port)));
          opened.push(...hogs);
          hogs.forEach((hog) => hog.send('GET / HT'));
          floods += 1;
          await pause(1);
        }
      };
      const old = gateway(port, CLIENTS);
      const before = await Promise.all(
        Array.from({ length: CLIENTS }, (_, client) => old(confirmOf(`BEFORE-${client}`))),
      );
      const flooding = flood();
      await until('every place was taken twice', () => floods > 4);
      const client = async (name: string, call: (bytes?: string) => Promise<string>): Promise<string[]> => {
        const answers: string[] = [];
        for (let count = 0; count < CALLS; count += 1) answers.push(await call(confirmOf(`${name}-${count}`)));
        return answers;
      };
      const during = await Promise.all([
        ...Array.from({ length: CLIENTS }, (_, index) => client(`OLD-${index}`, old)),
        ...Array.from({ length: CLIENTS }, (_, index) => client(`NEW-${index}`, gateway(port, 1))),
      ]);
      const floodsDuring = floods;
      over = true;
      await flooding;

      const answers = [...before, ...during.flat()];
      expect(answers.filter((answer) => answer !== STORED)).toEqual([]);
      expect(floodsDuring).toBeGreaterThan(5);
      expect(await stored()).toHaveLength(CLIENTS + 2 * CLIENTS * CALLS);
    });

    test('answers a confirm with an Upgrade header once, and nothing behind it', async () => {
      const upgrading = rawConfirm(current.api.bearer, 'UPGRADE').replace(
        'Host: x\r\n',
        'Host: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n',
      );
      const answers = await exchange(current.api.port, upgrading + check() + check());
      expect(answers.map(({ text, headers }) => [text, headers['connection']])).toEqual([[STORED, 'close']]);
      expect(await stored()).toEqual(['UPGRADE']);
    });

    test('neither answers nor stores a confirm behind a request with an Upgrade header', async () => {
      const bytes = check('Connection: Upgrade', 'Upgrade: h2c') + rawConfirm(current.api.bearer, 'BEHIND');
      const answers = await exchange(current.api.port, bytes);
      expect(answers.map(({ text }) => text)).toEqual([FOUND]);
      expect(await stored()).toEqual([]);
    });

    test('answers and stores 50 confirms whose callers half-close the connection', async () => {
      const ids = Array.from({ length: 50 }, (_, index) => `FIN-${String(index).padStart(2, '0')}`);
      const answers: unknown[] = [];
      for (const [index, id] of ids.entries()) {
        const connection = await RawConnection.open(current.api.port);
        connection.send(rawConfirm(current.api.bearer, id));
        const delayMs = index % 6;
        if (delayMs > 0) await pause(delayMs);
        connection.endSending();
        answers.push((await connection.all()).map(({ text }) => text));
      }
      expect(answers).toEqual(ids.map(() => [STORED]));
      expect(await stored()).toEqual(ids);
    });

    test('answers and stores 300 pipelined confirms in their order', async () => {
      const ids = Array.from({ length: 300 }, (_, index) => `P-${String(index).padStart(3, '0')}`);
      const connection = await RawConnection.open(current.api.port);
      connection.send(ids.map((id) => rawConfirm(current.api.bearer, id)).join(''));
      connection.endSending();
      expect((await connection.all()).map(({ text }) => text)).toEqual(ids.map(() => STORED));
      expect(await stored()).toEqual(ids);
    });

    test('stores no confirm that a caller pipelined behind the running one and then reset', async () => {
      const ids = Array.from({ length: 300 }, (_, index) => `R-${String(index).padStart(3, '0')}`);
      const connection = await RawConnection.open(current.api.port);
      connection.send(ids.map((id) => rawConfirm(current.api.bearer, id)).join(''));
      await connection.next();
      connection.destroy();
      const after = await current.api.confirmCode({ transactionId: 'AFTER', agentId: '004711', amount: 1 });
      expect(after).toBe('0');
      const before = (await stored()).filter((id) => id !== 'AFTER');
      expect(before).toEqual(ids.slice(0, before.length));
      expect(before.length).toBeLessThan(ids.length);
    });
  },
  { environment: SECRET_OF_ENVIRONMENT },
);
