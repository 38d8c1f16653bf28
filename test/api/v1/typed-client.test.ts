import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anAgent, register } from '../../support/factories';
import { describeApiOnOneDatabase } from '../support/api';
import { apiClient } from './support/api-client';

// Goal: a typed client is generated from docs/openapi.json as an integrator would do it, compiles, refuses wrong calls
// at compile time, and works.

const ROOT = join(__dirname, '..', '..', '..');
const run = promisify(execFile);
const LIMIT_MS = 300_000;

const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './millime';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const millime = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });

async function main(): Promise<void> {
  const shown = await millime.GET('/api/v1/agents/{agentId}', { params: { path: { agentId: '004711' } } });
  if (shown.data === undefined) throw new Error(shown.error.code);
  const name: string = shown.data.fullName;
  const due: number = shown.data.dueMillimes;
  const refused = await millime.POST('/api/v1/agents', {
    params: { header: { 'Idempotency-Key': 'k-1' } },
    body: { agentId: '004711', fullName: 'Nour', phone: '' },
  });
  process.stdout.write(JSON.stringify({ name, due, problem: refused.error?.code }));
}

void main();
`;

/** Each line is wrong in one way that the types must find. */
const WRONG = [
  `void millime.GET('/api/v1/agents/{agentId}', { params: { path: {} } });`,
  `void millime.GET('/api/v1/agent/{agentId}', { params: { path: { agentId: '1' } } });`,
  `void millime.POST('/api/v1/bank-uploads/{uploadId}/import', { params: { path: { uploadId: '1' } }, body: {} });`,
  `void millime.POST('/api/v1/agents', { params: { header: { 'Idempotency-Key': 'k' } }, body: { agentId: 1, fullName: 'N' } });`,
];

describeApiOnOneDatabase('a client that is generated from the document', (current) => {
  // In the project's folder, so that the compiler finds its packages.
  const folder = join(ROOT, 'test-output', `client-${process.pid}`);
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const generate = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
    await run(process.execPath, [generate, join(ROOT, 'docs/openapi.json'), '-o', join(folder, 'millime.d.ts')]);
  }, LIMIT_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const compile = async (name: string, text: string): Promise<string> => {
    writeFileSync(join(folder, `${name}.ts`), text);
    const options = ['--strict', '--target', 'es2022', '--module', 'commonjs', '--moduleResolution', 'bundler'];
    const more = ['--skipLibCheck', '--esModuleInterop', '--types', 'node', '--ignoreConfig'];
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    try {
      await run(process.execPath, [tsc, ...options, ...more, join(folder, `${name}.ts`)], { cwd: folder });
      return '';
    } catch (error) {
      return String((error as { stdout?: unknown }).stdout);
    }
  };

  test(
    'compiles and works',
    async () => {
      const { keyText } = await apiClient(current.api);
      await register(current.api.millime, anAgent());
      expect(await compile('program', PROGRAM)).toBe('');
      const baseUrl = `http://127.0.0.1:${current.api.port}`;
      const { stdout } = await run(process.execPath, [join(folder, 'program.js'), baseUrl, keyText]);
      expect(JSON.parse(stdout)).toEqual({ name: 'Amal Trabelsi', due: 0, problem: 'agent_exists' });
    },
    LIMIT_MS,
  );

  test(
    'refuses wrong calls when they are compiled',
    async () => {
      const head = PROGRAM.slice(0, PROGRAM.indexOf('async function main'));
      const found = await compile('wrong', `${head}\n${WRONG.join('\n')}\n`);
      const first = head.split('\n').length + 1;
      for (const [index] of WRONG.entries()) expect(found).toContain(`wrong.ts(${first + index},`);
      expect(readFileSync(join(folder, 'millime.d.ts'), 'utf8')).toContain('operations');
    },
    LIMIT_MS,
  );
});
