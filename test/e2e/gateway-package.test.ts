import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { testRun } from '../support/test-run';

// Goal: an integrator's own program imports `millime/gateway`, by require and by import, with its types.
// Method: a project of its own with this package in its node_modules; Node and the compiler as he would run them.

const ROOT = resolve(__dirname, '../..');
const LIMIT_MS = 60_000;
const run = promisify(execFile);
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(testRun.folder, 'integrator-'));
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(ROOT, join(project, 'node_modules', 'millime'), 'dir');
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'integrator', private: true }));
});

const write = (name: string, text: string): string => {
  writeFileSync(join(project, name), text);
  return name;
};

const OPTIONS = "{ baseUrl: 'https://gateway.example', publicKey: 'pk', privateKey: 'sk' }";

test('the client can be required', async () => {
  const file = write(
    'required.cjs',
    `const { createGatewayClient } = require('millime/gateway');
     process.stdout.write(Object.keys(createGatewayClient(${OPTIONS})).join(' '));`,
  );
  const { stdout } = await run(process.execPath, [file], { cwd: project });
  expect(stdout).toBe('payments bindings subscriptions wallet pos qr check request');
});

test('the client can be imported by name from an ES module', async () => {
  const file = write(
    'imported.mjs',
    `import { createGatewayClient, GatewayError, signWebhook, verifyPaymentWebhook } from 'millime/gateway';
     createGatewayClient(${OPTIONS}).payments.verify('').catch((error) => {
       process.stdout.write([error instanceof GatewayError, error.code, typeof signWebhook, typeof verifyPaymentWebhook].join(' '));
     });`,
  );
  const { stdout } = await run(process.execPath, [file], { cwd: project });
  expect(stdout).toBe('true validation function function');
});

test('what is not exported cannot be imported past the door', async () => {
  const file = write('past.cjs', `require('millime/dist/src/compose.js');`);
  await expect(run(process.execPath, [file], { cwd: project })).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

test(
  'the types say what a call takes and gives, and refuse what it does not take',
  async () => {
    write(
      'typed.ts',
      `import {
         createGatewayClient, GatewayError, verifyPaymentWebhook, verifySubscriptionWebhook,
         type BusinessDate, type Clock, type KnownPaymentEvent, type Logger, type Millimes,
         type UnknownSubscriptionEvent, type VerifiedPayment, type WebhookRequest,
       } from 'millime/gateway';
       export const clock: Clock = { now: () => 0 };
       const silent = (): void => undefined;
       export const logger: Logger = { error: silent, warn: silent, info: silent, debug: silent };
       createGatewayClient({ baseUrl: 'https://gateway.example', clock, logger });
       export function told(request: Omit<WebhookRequest, 'timeZone'>): Millimes | null {
         const webhook = verifyPaymentWebhook({ ...request, timeZone: 'Africa/Tunis' });
         if (webhook.kind !== 'authentic' || webhook.version === 1) return null;
         if (!webhook.event.isKnown) {
           const maybe: Millimes | null = webhook.event.amountMillimes;
           return maybe;
         }
         const known: KnownPaymentEvent = webhook.event;
         const word: 'payment.succeeded' | 'payment.failed' = known.event;
         return word === 'payment.succeeded' ? known.amountMillimes : null;
       }
       export function until(request: WebhookRequest): BusinessDate | null {
         const webhook = verifySubscriptionWebhook(request);
         if (webhook.kind === 'rejected') return null;
         const unknown: UnknownSubscriptionEvent | undefined = webhook.event.isKnown ? undefined : webhook.event;
         return unknown?.periodEnd ?? webhook.event.periodEnd;
       }
       const client = createGatewayClient(${OPTIONS});
       export async function pay(): Promise<string> {
         const { paymentId, link } = await client.payments.create({
           amountMillimes: 5_000, successLink: 'https://shop.example/yes', failLink: 'https://shop.example/no',
         });
         const verified: VerifiedPayment = await client.payments.verify(paymentId);
         for await (const charge of client.subscriptions.listCharges('S-1', { pageSize: 10 })) {
           const fee: number | null = charge.feeMillimes;
           if (fee === null) continue;
         }
         return verified.status + link;
       }
       export function wrong(): void {
         // @ts-expect-error an amount is a number of millimes
         void client.payments.create({ amountMillimes: '5000', successLink: '', failLink: '' });
         // @ts-expect-error one of the two ids, not both
         void client.pos.status({ serviceTransactionId: 'a', developerTrackingId: 'b' });
       }
       export const isOurs = (error: unknown): boolean => error instanceof GatewayError && error.code === 'refused';`,
    );
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'node20', '--types', 'node'];
    const types = ['--typeRoots', join(ROOT, 'node_modules', '@types')];
    const done = run(process.execPath, [compiler, ...options, ...types, '--skipLibCheck', 'typed.ts'], {
      cwd: project,
    });
    await expect(done.catch((error: unknown) => error)).resolves.toMatchObject({ stdout: '' });
  },
  LIMIT_MS,
);
