import type { Millime } from '../compose';
import { type ApiKeyKey, type FreshKey, type Identity, type ListedKey, SCOPES } from '../identity';
import { AppError, type BusinessCalendar, rowsOfPages } from '../kernel';
import { freshKeyJson, keyJson } from '../shapes/identity';
import {
  type CliIo,
  EXIT,
  type RegisterCommands,
  type ShowOptions,
  whoActs,
  writeAside,
  type WriteOptions,
} from './command';
import { doneText } from './done-text';
import { fullId } from './full-id';
import { t, word } from './language';
import { ttlOption } from './option-values';
import { printTable } from './print-table';

interface CreateOptions extends WriteOptions {
  name: string;
  scopes?: string;
  ttl?: string;
  recover?: true;
  reason?: string;
}

/** People create a handful of keys a year. */
const KEYS_LISTED_MAX = 10_000;

export const registerKeyCommands: RegisterCommands = (program, run) => {
  const keys = program.command('keys');

  keys
    .command('create')
    .requiredOption('--name <name>')
    .option('--scopes <scopes>')
    .option('--ttl <time>')
    .option('--recover')
    .option('--reason <text>')
    .option('--json')
    .option('--dry-run')
    .action((options: CreateOptions) =>
      run.onNewBooks(async (millime, io) => {
        const fresh = await (options.recover === true ? recover(millime, options) : create(millime, options));
        if (options.json === true) io.json(freshKeyJson(fresh));
        else if (fresh.text !== undefined) io.line(fresh.text);
        remark(fresh, millime.calendar);
        return EXIT.done;
      }),
    );

  keys
    .command('list')
    .option('--json')
    .action(({ json }: ShowOptions) =>
      run(async ({ identity, calendar }, io) => {
        const found = await rowsOfPages<ListedKey, ApiKeyKey>(KEYS_LISTED_MAX, (after, limit) =>
          identity.listKeys({ after, limit }),
        );
        if (json === true) return io.json(found.map(keyJson));
        printList(found, io, calendar);
      }),
    );

  keys
    .command('revoke <id>')
    .requiredOption('--reason <text>')
    .option('--dry-run')
    .option('--json')
    .action((text: string, options: WriteOptions & { reason: string }) =>
      run(async (millime, io) => {
        const dryRun = options.dryRun === true;
        const actor = await whoActs(millime, { decides: true });
        const keyId = await fullId(millime, text, 'API key');
        const outcome = await millime.identity.revokeKey({ keyId, reason: options.reason, actor, dryRun });
        if (options.json === true) io.json({ id: keyId, outcome, dryRun });
        else io.line(doneText(outcome, { verb: 'revoke', noun: 'key', name: keyId, dryRun }));
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

/** Creates a key for a caller without a key. A caller that has a key must use it. */
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

/** Writes remarks to standard error, so that `KEY=$(npx millime keys create …)` contains only the key. */
function remark({ key, text, first }: FreshKey, calendar: BusinessCalendar): void {
  const scopes = [...key.scopes].map((scope) => word('scope', scope)).join(', ');
  const facts = t('cli:keys.facts', { name: key.name, scopes, validity: validity(key, calendar) });
  if (text === undefined) return writeAside(t('cli:keys.wouldCreate', { facts }));
  writeAside(t('cli:keys.created', { id: key.id, facts }));
  if (!first) return;
  writeAside(t('cli:keys.first'));
  const missing = SCOPES.filter((scope) => !key.scopes.has(scope));
  if (missing.length > 0) {
    writeAside(t('cli:keys.missing', { scopes: missing.join(', ') }));
  }
}

function validity({ expiresAt }: { expiresAt: number | undefined }, calendar: BusinessCalendar): string {
  if (expiresAt === undefined) return t('cli:keys.untilRevoked');
  return t('cli:keys.until', { time: calendar.formatLocal(expiresAt) });
}

function printList(keys: readonly ListedKey[], io: CliIo, calendar: BusinessCalendar): void {
  const rows = keys.map((key) => [
    ...[key.id, word('keyState', key.state), key.name, [...key.scopes].join(',')],
    ...[calendar.formatLocal(key.createdAt), key.recordedBy],
    key.revokedAt === undefined
      ? validity(key, calendar)
      : t('cli:keys.revoked', { time: calendar.formatLocal(key.revokedAt) }),
  ]);
  const columns = ['id', 'state', 'name', 'scopes', 'created', 'by', 'validity'];
  printTable(io, columns, rows, t('cli:count.key', { count: rows.length }));
}
