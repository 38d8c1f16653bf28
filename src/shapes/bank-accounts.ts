import { z } from 'zod';
import type { AccountDecided, ListedAccount } from '../statements';
import { decisionValue } from './statements';
import { dayValue, instantJson, millimesValue } from './values';

/** A bank account with its names. */
export const bankAccountValue = z
  .strictObject({
    account: z.string(),
    joined: z.array(z.string()).meta({ description: 'The other names that people joined to it.' }),
    toJoin: z.array(z.string()).meta({ description: 'Other forms of its name that are not joined to it.' }),
    keyFault: z.string().nullable(),
    coverage: z
      .array(
        z.strictObject({
          currency: z.string(),
          from: dayValue.nullable().meta({ description: 'The first day that effective statements cover.' }),
          through: dayValue.nullable().meta({ description: 'The last day that they cover.' }),
          statements: z.int().meta({ description: 'The number of effective statements.' }),
          waiting: z.int().meta({ description: 'The number of statements to accept or to exclude.' }),
        }),
      )
      .meta({ description: 'What its statements cover, by currency.' }),
    accepted: decisionValue.nullable(),
  })
  .meta({ id: 'BankAccount' });

/** Returns a bank account as JSON. */
export function bankAccountJson(listed: ListedAccount): z.input<typeof bankAccountValue> {
  const { account, joined, toJoin, keyFault, coverage, accepted } = listed;
  return {
    account,
    joined: [...joined],
    toJoin: [...toJoin],
    keyFault: keyFault ?? null,
    coverage: coverage.map(({ account: _name, from, through, ...rest }) => ({
      ...rest,
      from: from ?? null,
      through: through ?? null,
    })),
    accepted: accepted === undefined ? null : { ...accepted, at: instantJson(accepted.at) },
  };
}

/** A decision on the names of an account. */
export const accountDecidedValue = z
  .strictObject({
    outcome: z.enum(['joined', 'accepted', 'already']),
    dryRun: z.boolean(),
    name: z.string(),
    account: z.string(),
    warnings: z.array(z.string()),
    repeated: z.strictObject({ lines: z.int(), creditsMillimes: millimesValue, debitsMillimes: millimesValue }),
  })
  .meta({ id: 'AccountDecision' });

/** Returns a decision on the names of an account as JSON. */
export function accountDecidedJson(
  { kind, name, account, warnings, repeated }: AccountDecided,
  dryRun: boolean,
): z.input<typeof accountDecidedValue> {
  const { lines, credits: creditsMillimes, debits: debitsMillimes } = repeated;
  const ofRepeated = { lines, creditsMillimes, debitsMillimes };
  return { outcome: kind, dryRun, name, account, warnings: [...warnings], repeated: ofRepeated };
}
