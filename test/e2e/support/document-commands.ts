import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const LIMIT_MS = 120_000;

/** The code blocks of one language below a heading of a document of docs/, in their order. */
export function blocksBelow(heading: string, language: 'sh' | 'sql' | 'text', document = 'OPERATIONS.md'): string[] {
  const text = readFileSync(join(ROOT, 'docs', document), 'utf8');
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`docs/${document} has no heading "${heading}"`);
  const section = text.slice(from + heading.length + 2).split(/\n##+ /, 1)[0] ?? '';
  const blocks = [...section.matchAll(/^ *```(\w+)\n(.*?)^ *```$/gms)];
  const found = blocks.filter(([, name]) => name === language).map(([, , body = '']) => body);
  if (found.length === 0) throw new Error(`"${heading}" has no block of ${language}`);
  return found;
}

export interface ShellResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder in which a shell runs commands of the documents: `millime` is the built program. */
export class DocumentShell {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    const programs = join(folder, 'programs');
    mkdirSync(programs, { recursive: true });
    const millime = join(programs, 'millime');
    writeFileSync(millime, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
    chmodSync(millime, 0o755);
    this.env = { PATH: `${programs}:${process.env['PATH'] ?? ''}`, HOME: folder, PORT: '0', ...env };
  }

  /** Runs one block. It ends at the first command that fails, with that command's exit code. */
  run(block: string, env: Readonly<Record<string, string>> = {}): Promise<ShellResult> {
    return new Promise((resolve) => {
      execFile(
        'sh',
        ['-eu', '-c', block],
        { cwd: this.folder, env: { ...this.env, ...env }, timeout: LIMIT_MS },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
          resolve({ code, stdout, stderr });
        },
      );
    });
  }
}
