import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testRun } from '../support/test-run';

// Goal: an integrator's program imports `millime/gateway`, by require and by import, with its types: from the project,
// and from the packed client under every module resolution of the compiler.
// Method: a project with the package in its node_modules; Node, npm and the compiler run as an integrator runs them.

const ROOT = resolve(__dirname, '../..');
const LIMIT_MS = 120_000;
const OPTIONS = "{ baseUrl: 'https://gateway.example', publicKey: 'pk', privateKey: 'sk' }";
const TYPED_PROGRAM = `import {
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
export const isOurs = (error: unknown): boolean => error instanceof GatewayError && error.code === 'refused';`;

const execute = promisify(execFile);

async function run(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(process.execPath, args, { cwd: folder });
  return stdout;
}

function emptyProject(): string {
  const folder = mkdtempSync(join(testRun.folder, 'integrator-'));
  write(folder, 'package.json', JSON.stringify({ name: 'integrator', private: true }));
  return folder;
}

function write(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

function linkProject(): string {
  const folder = emptyProject();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'millime'), 'dir');
  return folder;
}

let installed: Promise<string> | undefined;
const packedClient = (): Promise<string> => (installed ??= installPackedClient());

/** Packs the client and installs it without a registry: its dependencies are copied from this project's node_modules. */
async function installPackedClient(): Promise<string> {
  const folder = emptyProject();
  const packed = await run(ROOT, join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'scripts/pack-client.ts', folder);
  const packages = [packed.trim(), ...packageFolders(join(ROOT, 'node_modules/axios'))];
  const options = ['--offline', '--ignore-scripts', '--install-links', '--no-audit', '--no-fund'];
  await execute('npm', ['install', ...options, ...packages.map((path) => `file:${path}`)], { cwd: folder });
  return folder;
}

/** The folders of a package and of all that it needs: the nested copy of a package comes before the shared one. */
function packageFolders(folder: string): string[] {
  const places = createRequire(join(folder, 'package.json')).resolve.paths('any')!;
  const names = Object.keys(readPackage(folder).dependencies ?? {});
  const needed = names.map((name) => places.map((place) => join(place, name)).find((place) => existsSync(place)));
  return [...new Set([folder, ...needed.flatMap((place) => packageFolders(place!))])];
}

function readPackage(folder: string): { readonly dependencies?: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Compiles files against the installed package; the answer is what the compiler reports. */
async function compile(folder: string, compilerOptions: object, files: readonly string[]): Promise<string> {
  const common = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], rootDir: '.' };
  write(folder, 'tsconfig.json', JSON.stringify({ compilerOptions: { ...common, ...compilerOptions }, files }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  return run(folder, compiler, '-p', '.').catch((error: unknown) => {
    const { stdout, message } = error as { readonly stdout: string; readonly message: string };
    return stdout || message;
  });
}

describe.each([
  ['the project', linkProject],
  ['the packed package', packedClient],
])('the client of %s', (_name, install) => {
  let folder: string;

  beforeAll(async () => {
    folder = await install();
  }, LIMIT_MS);

  test('can be required', async () => {
    const file = write(
      folder,
      'required.cjs',
      `const { createGatewayClient } = require('millime/gateway');
       process.stdout.write(Object.keys(createGatewayClient(${OPTIONS})).join(' '));`,
    );
    expect(await run(folder, file)).toBe('payments bindings subscriptions wallet pos qr check request');
  });

  test('can be imported by name from an ES module', async () => {
    const file = write(
      folder,
      'imported.mjs',
      `import { createGatewayClient, GatewayError, signWebhook, verifyPaymentWebhook } from 'millime/gateway';
       createGatewayClient(${OPTIONS}).payments.verify('').catch((error) => {
         process.stdout.write([error instanceof GatewayError, error.code, typeof signWebhook, typeof verifyPaymentWebhook].join(' '));
       });`,
    );
    expect(await run(folder, file)).toBe('true validation function function');
  });

  test('has the same error class under require and import', async () => {
    const file = write(
      folder,
      'both.mjs',
      `import { createRequire } from 'node:module';
       import * as imported from 'millime/gateway';
       const required = createRequire(import.meta.url)('millime/gateway');
       const names = Object.keys(required).filter((name) => imported[name] !== required[name]);
       process.stdout.write(JSON.stringify([Object.keys(required).length > 0, names]));`,
    );
    expect(await run(folder, file)).toBe('[true,[]]');
  });

  test('refuses to import what the package does not export', async () => {
    const file = write(folder, 'past.cjs', `require('millime/dist/src/compose.js');`);
    await expect(run(folder, file)).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

test('the packed client depends on axios only and brings nothing of the service', async () => {
  const folder = join(await packedClient(), 'node_modules');
  const client = readPackage(join(folder, 'millime'));
  expect(Object.keys(client.dependencies ?? {})).toEqual(['axios']);
  expect(client).toMatchObject({ name: 'millime', license: 'SEE LICENSE IN LICENSE' });
  expect(existsSync(join(folder, 'millime', 'LICENSE'))).toBe(true);
  expect(existsSync(join(folder, 'millime', 'README.md'))).toBe(true);
  expect(existsSync(join(folder, 'knex'))).toBe(false);
});

// The types of the project are its sources, so they need its library of the language.
const NODE_TYPES = {
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  lib: ['es2024'],
  skipLibCheck: true,
};
// The packed types need no types of Node and of no other package, so that the compiler checks them too.
const NO_TYPES = { types: [], skipLibCheck: false };
const NODE10 = { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' };

test.each([
  ['the project under node20', linkProject, { module: 'node20', ...NODE_TYPES }, ['typed.ts']],
  ['the packed client under node10', packedClient, { ...NODE10, ...NO_TYPES }, ['typed.ts']],
  ['the packed client under node16', packedClient, { module: 'node16', ...NO_TYPES }, ['typed.ts', 'typed.mts']],
  [
    'the packed client under bundler',
    packedClient,
    { module: 'esnext', moduleResolution: 'bundler', ...NO_TYPES },
    ['typed.ts'],
  ],
])(
  'the types state what a call accepts and returns, and refuse what it does not accept: %s',
  async (_name, install, options, files) => {
    const folder = await install();
    for (const file of files) write(folder, file, TYPED_PROGRAM);
    expect(await compile(folder, options, files)).toBe('');
  },
  LIMIT_MS,
);
