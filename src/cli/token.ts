import type { Command } from 'commander';
import { AppError, type BusinessCalendar, rowsOfPages } from '../kernel';
import {
  isKeyAlgorithm,
  KEY_ALGORITHMS,
  type KeyAlgorithm,
  type ListedToken,
  type Rotation,
  type TokenKey,
} from '../service-tokens';
import { freshTokenJson, listedTokenJson, rotationJson } from '../shapes/service-tokens';
import {
  type CliIo,
  EXIT,
  type RegisterCommands,
  type RunCommand,
  type ShowOptions,
  whoActs,
  writeAside,
  type WriteOptions,
} from './command';
import { doneText } from './done-text';
import { fullId } from './full-id';
import { t } from './language';
import { ttlOption } from './option-values';
import { printTable } from './print-table';

/** People mint a handful of tokens a year. */
const LISTED_MAX = 20_000;

const ALGORITHMS = KEY_ALGORITHMS.join(', ');

export const registerTokenCommands: RegisterCommands = (program, run) => {
  const token = program.command('token');
  registerMint(token, run);
  registerRotate(token, run);
  registerList(token, run);
  registerRevoke(token, run);
};

function registerMint(token: Command, run: RunCommand): void {
  token
    .command('mint')
    .option('--subject <name>', undefined, 'gateway')
    .option('--ttl <time>', undefined, '90d')
    .option('--alg <alg>', ALGORITHMS)
    .option('--json')
    .option('--dry-run')
    .action(({ subject, ttl, alg, json, dryRun }: WriteOptions & { subject: string; ttl: string; alg?: string }) =>
      run.onNewBooks(async (millime, io) => {
        const { serviceTokens } = millime;
        const command = {
          subject,
          ttlSeconds: ttlOption('--ttl', ttl),
          alg: alg === undefined ? undefined : parseAlgorithm(alg),
          actor: await whoActs(millime, { decides: true }),
        };
        if (dryRun === true) {
          const plan = await serviceTokens.planMint(command);
          const { kid, expiresAt } = plan;
          if (json === true) io.json(freshTokenJson(plan));
          else {
            const key = kid === undefined ? t('cli:token.newKey') : t('cli:token.key', { kid });
            writeAside(t('cli:token.wouldMint', { subject, key, until: millime.calendar.formatLocal(expiresAt) }));
          }
          return EXIT.done;
        }
        const made = await serviceTokens.mint(command);
        if (json === true) {
          io.json(freshTokenJson(made));
        } else {
          io.line(made.token);
          const { jti, kid, expiresAt } = made;
          const facts = { jti, key: t('cli:token.key', { kid }), until: millime.calendar.formatLocal(expiresAt) };
          writeAside(t('cli:token.minted', facts));
        }
        return EXIT.done;
      }),
    );
}

function registerRotate(token: Command, run: RunCommand): void {
  token
    .command('rotate')
    .option('--alg <alg>', ALGORITHMS, 'HS256')
    .option('--retire')
    .option('--json')
    .option('--dry-run')
    .action(({ alg, retire, json, dryRun }: WriteOptions & { alg: string; retire?: true }) =>
      run.onNewBooks(async (millime, io) => {
        const rotation = await millime.serviceTokens.rotate({
          alg: parseAlgorithm(alg),
          retire: retire === true,
          actor: await whoActs(millime, { decides: true }),
          dryRun: dryRun === true,
        });
        if (json === true) io.json(rotationJson(rotation, dryRun === true));
        else printRotation(rotation, io);
        if (rotation.kid !== undefined) {
          writeAside(t('cli:token.copyKeys'));
        }
        return EXIT.done;
      }),
    );
}

function registerList(token: Command, run: RunCommand): void {
  token
    .command('list')
    .option('--json')
    .action(({ json }: ShowOptions) =>
      run(async ({ serviceTokens, calendar }, io) => {
        const tokens = await rowsOfPages<ListedToken, TokenKey>(LISTED_MAX, (after, limit) =>
          serviceTokens.list({ after, limit }),
        );
        if (json === true) io.json(tokens.map(listedTokenJson));
        else printList(tokens, io, calendar);
        return EXIT.done;
      }),
    );
}

function registerRevoke(token: Command, run: RunCommand): void {
  token
    .command('revoke')
    .argument('<jti>')
    .option('--json')
    .option('--dry-run')
    .action((text: string, { json, dryRun }: WriteOptions) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const jti = await fullId(millime, text, 'token');
        const { kind, known } = await millime.serviceTokens.revoke(jti, actor, { dryRun: dryRun === true });
        if (json === true) {
          io.json({ jti, outcome: kind, known, dryRun: dryRun === true });
          return EXIT.done;
        }
        io.line(doneText(kind, { verb: 'revoke', noun: 'token', name: jti, dryRun: dryRun === true }));
        if (!known) io.line(t('cli:token.notMintedHere'));
        return EXIT.done;
      }),
    );
}

function parseAlgorithm(text: string): KeyAlgorithm {
  if (!isKeyAlgorithm(text)) {
    throw new AppError('bad_input', { field: '--alg', expected: ALGORITHMS, got: text });
  }
  return text;
}

function printRotation({ kid, alg, verifyOnly, retired }: Rotation, io: CliIo): void {
  io.line(kid === undefined ? t('cli:token.wouldCreateKey', { alg }) : t('cli:token.keyCreated', { kid, alg }));
  for (const old of verifyOnly) io.line(t('cli:token.verifiesOnly', { kid: old }));
  const removed = kid === undefined ? 'cli:token.wouldRemoveKey' : 'cli:token.keyRemoved';
  for (const old of retired) io.line(t(removed, { kid: old }));
}

function printList(tokens: readonly ListedToken[], io: CliIo, calendar: BusinessCalendar): void {
  const rows = tokens.map(({ jti, state, revokedAt, minted }) => [
    ...[jti, t(`cli:token.state.${state}`), minted?.subject ?? t('cli:token.elsewhere')],
    ...[minted?.expiresAt, revokedAt].map((instant) => (instant === undefined ? '' : calendar.formatLocal(instant))),
  ]);
  printTable(
    io,
    ['jti', 'state', 'subject', 'valid until', 'revoked'],
    rows,
    t('cli:count.token', { count: rows.length }),
  );
}
