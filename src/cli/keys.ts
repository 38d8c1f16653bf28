import { SCOPES, type FreshKey, type Identity, type ListedKey } from '../identity';
import { AppError, formatInstant } from '../kernel';
import type { Millime } from '../compose';
import { EXIT, whoActs, writeAside, type CliIo, type RegisterCommands } from './command';
import { ttlOption } from './ttl-option';

interface OutputOptions {
  json?: true;
}

interface ChangeOptions extends OutputOptions {
  dryRun?: true;
}

interface CreateOptions extends ChangeOptions {
  name: string;
  scopes?: string;
  ttl?: string;
  recover?: true;
  reason?: string;
}

export const registerKeyCommands: RegisterCommands = (program, run) => {
  const keys = program.command('keys');

  keys
    .command('create')
    .description('make a key; it is shown once and kept nowhere')
    .requiredOption('--name <name>', 'the person or the program whose key it is')
    .option('--scopes <scopes>', 'what it may do, separated by commas, or all')
    .option('--ttl <time>', 'how long it is valid, such as 365d or 12h; until it is revoked when not given')
    .option('--recover', 'make one without a key, when all are lost; for keys:manage when no scopes are given')
    .option('--reason <text>', 'why, with --recover')
    .option('--json', 'print JSON')
    .option('--dry-run', 'say what would be made, and make nothing')
    .action((options: CreateOptions) =>
      run.onNewBooks(async (millime, io) => {
        const fresh = await (options.recover === true ? recover(millime, options) : create(millime, options));
        if (options.json === true) io.json(freshJson(fresh));
        else if (fresh.text !== undefined) io.line(fresh.text);
        remark(fresh);
        return EXIT.done;
      }),
    );

  keys
    .command('list')
    .description('the keys, the newest first')
    .option('--json', 'print JSON')
    .action(({ json }: OutputOptions) =>
      run(async ({ identity }, io) => {
        const found = await identity.listKeys();
        if (json === true) return io.json(found.map(keyJson));
        printList(found, io);
      }),
    );

  keys
    .command('revoke <id>')
    .description('refuse a key from now on, everywhere at once')
    .requiredOption('--reason <text>', 'why')
    .option('--dry-run', 'check, keep nothing')
    .option('--json', 'print JSON')
    .action((keyId: string, options: ChangeOptions & { reason: string }) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: true });
        const outcome = await millime.identity.revokeKey({ keyId, reason: options.reason, actor, dryRun });
        if (options.json === true) io.json({ id: keyId, outcome, dryRun });
        else io.line(`key ${keyId}: ${outcome.replace('_', ' ')}${dryRun ? ' (dry run)' : ''}`);
      }),
    );
};

async function create(millime: Millime, options: CreateOptions): Promise<FreshKey> {
  if (options.reason !== undefined) {
    throw new AppError('bad_input', { field: '--reason', fault: 'works only with --recover' });
  }
  const actor = await whoActs(millime, { decides: true });
  return millime.identity.createKey({ ...keyOptions(options), scopes: scopeNames(options.scopes ?? ''), actor });
}

/** Creates a key without a key. A caller that has one must use it. */
async function recover({ config, identity }: Millime, options: CreateOptions): Promise<FreshKey> {
  if (config.apiKey !== undefined) {
    throw new AppError('bad_input', {
      field: '--recover',
      fault: 'cannot be used with MILLIME_API_KEY',
      fix: 'unset it, or create the key with it',
    });
  }
  if (options.reason === undefined) {
    throw new AppError('bad_input', { field: '--reason', expected: 'the reason for --recover, got none' });
  }
  return identity.recoverKey({
    ...keyOptions(options),
    scopes: options.scopes === undefined ? undefined : scopeNames(options.scopes),
    reason: options.reason,
  });
}

type KeyOptions = Pick<Parameters<Identity['createKey']>[0], 'name' | 'ttlSeconds' | 'dryRun'>;

function keyOptions({ name, ttl, dryRun }: CreateOptions): KeyOptions {
  return { name, ttlSeconds: ttl === undefined ? undefined : ttlOption('--ttl', ttl), dryRun: dryRun === true };
}

function scopeNames(text: string): string[] {
  return text === '' ? [] : text.split(',').map((name) => name.trim());
}

/** For the person, beside the output: KEY=$(npx millime keys create …) must hold the key and nothing else. */
function remark({ key, text, first }: FreshKey): void {
  const facts = `a key for ${key.name}, with ${[...key.scopes].join(', ')}, ${validity(key)}`;
  if (text === undefined) return writeAside(`dry run: would make ${facts}`);
  writeAside(`key ${key.id}: ${facts}; it is not shown again`);
  if (!first) return;
  writeAside('It is the first good key: from now on a command that decides needs MILLIME_API_KEY.');
  const missing = SCOPES.filter((scope) => !key.scopes.has(scope));
  if (missing.length > 0) {
    writeAside(`No key has ${missing.join(', ')}; "keys create --recover --scopes …" makes one that has.`);
  }
}

function validity({ expiresAt }: { expiresAt: number | undefined }): string {
  return expiresAt === undefined ? 'valid until it is revoked' : `valid until ${formatInstant(expiresAt)}`;
}

function printList(keys: readonly ListedKey[], io: CliIo): void {
  if (keys.length === 0) io.line('no keys');
  for (const key of keys) {
    const facts = [
      key.id,
      key.state.padEnd('revoked'.length),
      key.name,
      [...key.scopes].join(','),
      `made ${formatInstant(key.createdAt)} by ${key.recordedBy}`,
      key.revokedAt === undefined ? validity(key) : `revoked ${formatInstant(key.revokedAt)}`,
    ];
    io.line(facts.join('  '));
  }
}

function freshJson({ key, text }: FreshKey): Readonly<Record<string, unknown>> {
  return {
    key: text ?? null,
    id: text === undefined ? null : key.id,
    name: key.name,
    scopes: [...key.scopes],
    expiresAt: key.expiresAt === undefined ? null : formatInstant(key.expiresAt),
  };
}

function keyJson(key: ListedKey): Readonly<Record<string, unknown>> {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes],
    state: key.state,
    createdAt: formatInstant(key.createdAt),
    createdBy: key.recordedBy,
    expiresAt: key.expiresAt === undefined ? null : formatInstant(key.expiresAt),
    revokedAt: key.revokedAt === undefined ? null : formatInstant(key.revokedAt),
  };
}
