// npm run check
// Runs every static check, two at a time, and prints what each wrote once it ends. The exit code is 1 if one failed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
/** Scripts of package.json with their arguments, the longest first: the last one must not start late. */
const CHECKS = [
  ...['lint', 'format:check', 'typecheck', 'deps', 'unused', 'language', 'texts'],
  ...['docs:api -- --check', 'docs:config -- --check', 'docs:profiles -- --check'],
];
const LANES = Math.min(2, availableParallelism());

void main();

async function main(): Promise<void> {
  const waiting = [...CHECKS];
  const failed: string[] = [];
  const lane = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (!(await passes(check))) failed.push(check);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (failed.length === 0) return;
  console.error(`check: failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

function passes(check: string): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '--silent', ...check.split(' ')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => written.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => written.push(chunk));
  return new Promise((done) => {
    child.on('error', (error) => written.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      process.stdout.write(`\n== ${check}: ${code === 0 ? 'passed' : 'failed'} after ${seconds} s ==\n`);
      process.stdout.write(Buffer.concat(written));
      done(code === 0);
    });
  });
}
