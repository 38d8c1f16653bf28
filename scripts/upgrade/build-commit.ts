import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ARCHIVE_BYTES_MAX = 512 * 1024 * 1024;

export interface BuiltCommit {
  /** The full commit id. */
  readonly commit: string;
  readonly version: string;
  /** The compiled command line. */
  readonly main: string;
}

/**
 * Writes the files of a commit into a new folder and compiles them there. If the commit locks the same packages as this
 * checkout, it uses these; otherwise it installs its own.
 */
export function buildCommit(root: string, commit: string, folder: string): BuiltCommit {
  const git = (...args: string[]): Buffer =>
    execFileSync('git', args, { cwd: root, maxBuffer: ARCHIVE_BYTES_MAX, stdio: ['ignore', 'pipe', 'inherit'] });
  const id = git('rev-parse', '--verify', `${commit}^{commit}`).toString('utf8').trim();
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', id), stdio: ['pipe', 'ignore', 'inherit'] });
  if (read(folder, 'package-lock.json') === read(root, 'package-lock.json')) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  } else run(folder, 'npm', 'ci');
  run(folder, 'npm', 'run', 'build');
  const { version } = JSON.parse(read(folder, 'package.json')) as { version: string };
  return { commit: id, version, main: join(folder, 'dist', 'src', 'cli', 'main.js') };
}

function run(cwd: string, program: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`, { cause: error });
}

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}
