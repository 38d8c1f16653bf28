// npm run test:node -- 22 [arguments of jest]
// Installs the project on another Node, in a temporary copy, and runs the suite there.
import { spawnSync } from 'node:child_process';
import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
const HELP = 'npm run test:node -- <version, such as 22 or 24.9.0> [arguments of jest]';
const VERSION = /^\d+(\.\d+){0,2}$/;
const JEST_DEFAULTS = ['--maxWorkers=2'];
/** What the copy gets from its own installation. */
const LEFT_OUT = new Set(['.git', 'coverage', 'data', 'dist', 'node_modules']);

process.exitCode = main(process.argv.slice(2));

function main([version = '', ...given]: readonly string[]): number {
  if (!VERSION.test(version)) {
    console.error(`test:node: version: expected digits and dots, got ${JSON.stringify(version)}; usage: ${HELP}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), `millime-node-${version}-`));
  try {
    const node = installNode(folder, version);
    const project = join(folder, 'millime');
    copyProject(project);
    const run = runner(project, node);
    run('node', ['--version']);
    run('npm', ['ci', '--no-audit']);
    run('node', ['node_modules/jest/bin/jest.js', ...(given.length === 0 ? JEST_DEFAULTS : given)]);
    return 0;
  } catch (error) {
    console.error(`test:node: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs the package with the binary of Node for this platform, and returns its folder. */
function installNode(folder: string, version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  // The package `node` would only install this one, by its own script.
  runner(folder)('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', folder, `${name}@${version}`]);
  return join(folder, 'node_modules', name);
}

function copyProject(project: string): void {
  cpSync(ROOT, project, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    filter: (source) => !LEFT_OUT.has(relative(ROOT, source)),
  });
}

/**
 * Returns a function that runs programs in a folder, on the given Node if there is one. It throws if a program fails.
 */
function runner(cwd: string, node?: string): (program: string, args: readonly string[]) => void {
  const path = [...(node === undefined ? [] : [join(node, 'bin')]), process.env['PATH'] ?? ''].join(delimiter);
  return (program, args) => {
    const { status, error } = spawnSync(program, args, { cwd, env: { ...process.env, PATH: path }, stdio: 'inherit' });
    if (status !== 0) {
      throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `exit code ${String(status)}`}`);
    }
  };
}
