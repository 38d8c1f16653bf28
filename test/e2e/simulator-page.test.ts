import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCurl, shellCommands, statusSaid, wordsOf } from '../support/simple-curl';
import { WebhookReceiver } from '../support/webhook-receiver';
import { SimulateProcess } from './support/simulate-process';

// Goal: the commands of docs/SIMULATOR.md, run word for word, have the documented results.
// Method: the commands of its `sh` blocks run in order against a simulator started as the page starts it; node:http
// replaces curl, and only the addresses that a reader fills in differ.

const PAGE = readFileSync(join(__dirname, '../../docs/SIMULATOR.md'), 'utf8');
const COMMANDS = shellCommands(PAGE);
const LIMIT_MS = 240_000;

let simulator: SimulateProcess;
let receiver: WebhookReceiver;
let agents: Server;

beforeAll(async () => {
  const started = COMMANDS.find((command) => command.startsWith('npx millime simulate')) ?? '';
  const [, , , port, ...args] = wordsOf(started, {});
  expect(port).toBe('--port');
  // The page's port may be taken here; everything else is as the page says.
  simulator = await SimulateProcess.start(args.slice(1));
  receiver = await WebhookReceiver.start();
  agents = await startAgentEndpoints('the-token');
}, LIMIT_MS);

afterAll(async () => {
  await simulator.stop();
  await receiver.stop();
  agents.close();
});

describe('the page for integrators', () => {
  test(
    'shows commands that all work',
    async () => {
      const variables: Record<string, string> = {};
      const answers: string[] = [];
      for (const command of COMMANDS) {
        const exported = /^export (\w+)=(.*)$/.exec(command);
        if (exported !== null) {
          const [, name = '', value = ''] = exported;
          variables[name] = addressesHere()[name] ?? wordsOf(value, variables).join(' ');
          continue;
        }
        if (command.startsWith('npx ')) continue;
        const words = wordsOf(command, variables).map((word) =>
          word.replace('http://127.0.0.1:9099', receiver.baseUrl),
        );
        const { status, text } = await runCurl(words);
        expect({ command, status, text }).toEqual({ command, status: statusSaid(command), text });
        answers.push(text);
        // The reader keeps the id of the payment that was just made.
        const paymentId = /^\{"result":\{"success":true,"payment_id":"([^"]+)"/.exec(text)?.[1];
        if (paymentId !== undefined) variables['PAYMENT_ID'] = paymentId;
      }
      const all = answers.join('\n');
      expect(all).toContain('"settlement_status":"PROCESSING"');
      expect(all).toContain('"violations":[]');
      expect(all).toContain('VIR RECU SERVICE DE PAIEMENT SA');
      expect(all).toMatch(/"status":"delivered"/);
    },
    LIMIT_MS,
  );

  test('shows a signature that its instructions reproduce', () => {
    const row = (what: string): string =>
      new RegExp(`^\\| ${what} +\\| \`(.*)\` +\\|$`, 'm').exec(PAGE)?.[1] ?? `no row ${what}`;
    const signed = (content: string): string =>
      createHmac('sha256', row('key'))
        .update(`${row('`t`')}.${content}`)
        .digest('hex');
    expect(row('`v1`')).toBe(signed(row('body')));
    expect(row('`v1` of that')).toBe(signed(row('version 1')));
  });
});

function addressesHere(): Readonly<Record<string, string>> {
  return { GATEWAY: simulator.baseUrl, SERVICE: `http://127.0.0.1:${(agents.address() as AddressInfo).port}` };
}

/** The smallest endpoints that keep to section 4.6: every agent is known, a transaction is stored once. */
async function startAgentEndpoints(token: string): Promise<Server> {
  const stored = new Set<string>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      if (request.headers.authorization !== `Bearer ${token}`) {
        response.statusCode = 403;
        response.end('{}');
      } else if (request.method === 'GET') {
        response.end('{"code":"0","desc":"Agent","amount":"0"}');
      } else {
        const { transactionId } = JSON.parse(text) as { transactionId: string };
        response.end(stored.has(transactionId) ? '{"code":"3"}' : '{"code":"0"}');
        stored.add(transactionId);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
