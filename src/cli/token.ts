import { OPERATOR } from '../identity';
import { AppError, formatInstant } from '../kernel';
import type { ListedToken } from '../service-tokens';
import { EXIT, type CliIo, type RegisterCommands } from './command';

const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };

interface OutputOptions {
  json?: true;
}

interface ChangeOptions extends OutputOptions {
  dryRun?: true;
}

export const registerTokenCommands: RegisterCommands = (program, run) => {
  const token = program.command('token').description('tokens with which the gateway calls us');

  token
    .command('mint')
    .description('make a token; it is shown once and kept nowhere')
    .option('--subject <name>', 'whom it is for', 'gateway')
    .option('--ttl <time>', 'how long it is valid, such as 90d, 12h, 30m or 45s; at most 400d', '90d')
    .option('--json', 'print one JSON document')
    .option('--dry-run', 'say what would be made, and make nothing')
    .action(({ subject, ttl, json, dryRun }: ChangeOptions & { subject: string; ttl: string }) =>
      run(async ({ serviceTokens }, io) => {
        const command = { subject, ttlSeconds: parseTtl(ttl), actor: OPERATOR };
        if (dryRun === true) {
          const { kid, expiresAt } = await serviceTokens.planMint(command);
          if (json === true) io.json({ token: null, jti: null, kid, expiresAt: formatInstant(expiresAt) });
          else aside(`dry run: would make a token for ${subject}, key ${kid}, valid until ${formatInstant(expiresAt)}`);
          return EXIT.done;
        }
        const made = await serviceTokens.mint(command);
        const expiresAt = formatInstant(made.expiresAt);
        if (json === true) {
          io.json({ token: made.token, jti: made.jti, kid: made.kid, expiresAt });
        } else {
          io.line(made.token);
          aside(`jti ${made.jti}, key ${made.kid}, valid until ${expiresAt}; it is not shown again`);
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
      run(async ({ serviceTokens }, io) => {
        const { kind, known } = await serviceTokens.revoke(jti, OPERATOR, { dryRun: dryRun === true });
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

/** Reads `90d`, `12h`, `30m` or `45s` in seconds. How long a token may live is the desk's to say. */
function parseTtl(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,8})([dhms])$/.exec(text) ?? [];
  const unitSeconds = SECONDS_OF_UNIT[unit ?? ''];
  if (count === undefined || unitSeconds === undefined) {
    throw new AppError('bad_input', '--ttl must be a number and a unit, such as 90d, 12h, 30m or 45s');
  }
  return Number(count) * unitSeconds;
}

/** For the person, beside the output: TOKEN=$(npx millime token mint) must hold the token and nothing else. */
function aside(text: string): void {
  process.stderr.write(`${text}\n`);
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
