// Goal: what the README says can be pasted, line by line, into an empty clone.
// Method: its code blocks run in shells, in a folder that has what a clone has; only the ports are others.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { freePort } from '../support/free-port';
import { testRun } from '../support/test-run';
import { blocksBelow, DocumentShell } from './support/document-commands';
import { until } from './support/until';

const ROOT = join(__dirname, '..', '..');
const LIMIT_MS = 120_000;

const running: ChildProcess[] = [];
let shell: DocumentShell;
let ports: Readonly<Record<string, string>>;

beforeEach(async () => {
  const folder = mkdtempSync(join(testRun.folder, 'readme-'));
  for (const name of ['node_modules', 'seeds']) symlinkSync(join(ROOT, name), join(folder, name));
  ports = { '8080': String(await freePort()), '9090': String(await freePort()) };
  shell = new DocumentShell(folder, { PORT: ports['8080'] ?? '' });
});
afterEach(async () => {
  const ended = running.splice(0).map((child) => new Promise((resolve) => child.once('close', resolve).kill()));
  await Promise.all(ended);
});

const withPorts = (block: string): string => block.replaceAll(/8080|9090/g, (port) => ports[port] ?? port);

/** Runs a block whose last command goes on, and returns what it has written once it says that it listens. */
async function serve(block: string): Promise<void> {
  const child = spawn('sh', ['-eu', '-c', withPorts(block).replace(/\n(millime .*)\n$/, '\nexec $1\n')], {
    cwd: shell.folder,
    env: shell.env,
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  await until(`a server: ${output}`, () => /listening|http:\/\/127\.0\.0\.1/.test(output), LIMIT_MS);
}

function blocks(heading: string, language: 'sh' | 'text' = 'sh'): readonly string[] {
  return blocksBelow(heading, language, '../README.md');
}

test(
  'the quick start enrolls agents and answers both calls',
  async () => {
    const [first = '', second = ''] = blocks('## Quick start');
    await serve(first);
    const { code, stdout, stderr } = await shell.run(withPorts(second).replaceAll('curl ', "curl -w '\\n' "));
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('minted') });
    expect(stdout).toContain(blocks('## Quick start', 'text')[0]);
    expect(stdout).toMatch(/ledger verified: \d+ invariants hold/);
  },
  LIMIT_MS,
);

test(
  'payments are taken on the simulated gateway',
  async () => {
    const [simulator = '', server = '', create = '', rest = ''] = blocks('## Take payments');
    await serve(simulator);
    await serve(server);
    const exports = withPorts(server.replace(/millime .*\n/, ''));
    const created = await shell.run(exports + create);
    const link = /http\S+/.exec(created.stdout)?.[0] ?? '';
    expect(created).toMatchObject({ code: 0, stdout: expect.stringContaining(link) });
    expect((await shell.run(exports + create)).stdout).toContain(link);
    const paymentId = link.split('/').at(-1) ?? '';
    const pay = `http://127.0.0.1:${ports['9090']}/_simulator/payments/${paymentId}/pay`;
    expect((await fetch(pay, { method: 'POST' })).status).toBe(200);
    const isPaid = async (): Promise<boolean> =>
      (await shell.run(`${exports}millime payments show ORDER-1 --json`)).stdout.includes('"SUCCESS"');
    await until('the webhook of the payment', isPaid, LIMIT_MS);
    const { code, stdout, stderr } = await shell.run(exports + rest);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/refund/i);
  },
  LIMIT_MS,
);

test('the first commands are those that CI runs in a fresh clone', () => {
  const [first = ''] = /```sh\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.slice(1) ?? [];
  const ci = readFileSync(join(ROOT, '.ci', 'run'), 'utf8');
  for (const command of first.trim().split('\n')) expect(ci).toContain(command.replace(/ *#.*/, ''));
});
