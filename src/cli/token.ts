import { AppError, formatInstant } from '../kernel';
import { isKeyAlgorithm, KEY_ALGORITHMS, type KeyAlgorithm, type ListedToken, type Rotation } from '../service-tokens';
import { EXIT, whoActs, writeAside, type CliIo, type RegisterCommands } from './command';
import { ttlOption } from './ttl-option';

const ALGORITHMS = KEY_ALGORITHMS.join(', ');

interface OutputOptions {
  json?: true;
}

interface ChangeOptions extends OutputOptions {
  dryRun?: true;
}

export const registerTokenCommands: RegisterCommands = (program, run) => {
  const token = program.command('token');

  token
    .command('mint')
    .description('make a token; it is shown once and kept nowhere')
    .option('--subject <name>', 'whom it is for', 'gateway')
    .option('--ttl <time>', 'how long it is valid, such as 90d, 12h, 30m or 45s; at most 400d', '90d')
    .option('--alg <alg>', `sign with the first active key for ${ALGORITHMS}; with the first of all when not given`)
    .option('--json', 'print one JSON document')
    .option('--dry-run', 'say what would be made, and make nothing')
    .action(({ subject, ttl, alg, json, dryRun }: ChangeOptions & { subject: string; ttl: string; alg?: string }) =>
      run.onNewBooks(async (millime, io) => {
        const { serviceTokens } = millime;
        const command = {
          subject,
          ttlSeconds: ttlOption('--ttl', ttl),
          alg: alg === undefined ? undefined : parseAlgorithm(alg),
          actor: await whoActs(millime, { decides: true }),
        };
        if (dryRun === true) {
          const { kid, expiresAt } = await serviceTokens.planMint(command);
          if (json === true) io.json({ token: null, jti: null, kid: kid ?? null, expiresAt: formatInstant(expiresAt) });
          else
            writeAside(
              `dry run: would make a token for ${subject}, ${kid === undefined ? 'a new key' : `key ${kid}`}, valid until ${formatInstant(expiresAt)}`,
            );
          return EXIT.done;
        }
        const made = await serviceTokens.mint(command);
        const expiresAt = formatInstant(made.expiresAt);
        if (json === true) {
          io.json({ token: made.token, jti: made.jti, kid: made.kid, expiresAt });
        } else {
          io.line(made.token);
          writeAside(`jti ${made.jti}, key ${made.kid}, valid until ${expiresAt}; it is not shown again`);
        }
        return EXIT.done;
      }),
    );

  token
    .command('rotate')
    .description('make a new key that signs from now on; tokens that were signed before stay good until they expire')
    .option('--alg <alg>', `one of ${ALGORITHMS}`, 'HS256')
    .option('--retire', 'also drop the keys that only verify and whose last token has expired or was revoked')
    .option('--json', 'print one JSON document')
    .option('--dry-run', 'say what would be done, and change nothing')
    .action(({ alg, retire, json, dryRun }: ChangeOptions & { alg: string; retire?: true }) =>
      run.onNewBooks(async (millime, io) => {
        const rotation = await millime.serviceTokens.rotate({
          alg: parseAlgorithm(alg),
          retire: retire === true,
          actor: await whoActs(millime, { decides: true }),
          dryRun: dryRun === true,
        });
        if (json === true) io.json({ ...rotation, kid: rotation.kid ?? null, dryRun: dryRun === true });
        else printRotation(rotation, io);
        if (rotation.kid !== undefined) {
          writeAside('with several machines: copy the key file to all of them before a token is minted with this key');
        }
        return EXIT.done;
      }),
    );

  token
    .command('list')
    .description('list the tokens that were made or revoked here, the newest first')
    .option('--json', 'print one JSON document')
    .action(({ json }: OutputOptions) =>
      run(async ({ serviceTokens }, io) => {
        const tokens = await serviceTokens.list();
        if (json === true) io.json(tokens.map(toJson));
        else printList(tokens, io);
        return EXIT.done;
      }),
    );

  token
    .command('revoke')
    .description('refuse a token from now on, in every process within a second')
    .argument('<jti>', 'its jti, as "token list" shows it')
    .option('--json', 'print one JSON document')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action((jti: string, { json, dryRun }: ChangeOptions) =>
      run(async (millime, io) => {
        const actor = await whoActs(millime, { decides: true });
        const { kind, known } = await millime.serviceTokens.revoke(jti, actor, { dryRun: dryRun === true });
        if (json === true) {
          io.json({ jti, outcome: kind, known, dryRun: dryRun === true });
          return EXIT.done;
        }
        const done = dryRun === true ? 'would be revoked' : 'revoked';
        io.line(kind === 'revoked' ? `${jti}: ${done}` : `${jti}: was revoked already`);
        if (!known) io.line('It is not one of our tokens: check that it is not mistyped.');
        return EXIT.done;
      }),
    );
};

function parseAlgorithm(text: string): KeyAlgorithm {
  if (!isKeyAlgorithm(text)) {
    throw new AppError('bad_input', { field: '--alg', expected: `one of ${ALGORITHMS}`, got: text });
  }
  return text;
}

function printRotation({ kid, alg, verifyOnly, retired }: Rotation, io: CliIo): void {
  io.line(kid === undefined ? `dry run: would make a key for ${alg}` : `key ${kid} for ${alg} signs from now on`);
  for (const old of verifyOnly) io.line(`${old}  only verifies`);
  for (const old of retired) io.line(`${old}  ${kid === undefined ? 'would be' : 'is'} gone`);
}

function printList(tokens: readonly ListedToken[], io: CliIo): void {
  if (tokens.length === 0) io.line('no tokens');
  for (const { jti, state, revokedAt, minted } of tokens) {
    const facts = [
      jti,
      state.padEnd('revoked'.length),
      minted === undefined ? 'not made here' : `${minted.subject}, valid until ${formatInstant(minted.expiresAt)}`,
      ...(revokedAt === undefined ? [] : [`revoked ${formatInstant(revokedAt)}`]),
    ];
    io.line(facts.join('  '));
  }
}

function toJson({ jti, state, revokedAt, minted }: ListedToken): Readonly<Record<string, unknown>> {
  return {
    jti,
    state,
    subject: minted?.subject ?? null,
    kid: minted?.kid ?? null,
    issuedAt: minted === undefined ? null : formatInstant(minted.issuedAt),
    expiresAt: minted === undefined ? null : formatInstant(minted.expiresAt),
    revokedAt: revokedAt === undefined ? null : formatInstant(revokedAt),
  };
}
