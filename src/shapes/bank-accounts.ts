import { z } from 'zod';
import type { AccountDecided, ListedAccount } from '../statements';
import { decisionValue } from './statements';
import { instantJson, millimesValue } from './values';

/** A bank account with its names. */
export const bankAccountValue = z
  .strictObject({
    account: z.string(),
    joined: z.array(z.string()).meta({ description: 'The other names that people joined to it.' }),
    toJoin: z.array(z.string()).meta({ description: 'Other forms of its name that are not joined to it.' }),
    keyFault: z.string().nullable(),
    accepted: decisionValue.nullable(),
  })
  .meta({ id: 'BankAccount' });

/** Returns a bank account as JSON. */
export function bankAccountJson(listed: ListedAccount): z.input<typeof bankAccountValue> {
  const { account, joined, toJoin, keyFault, accepted } = listed;
  return {
    account,
    joined: [...joined],
    toJoin: [...toJoin],
    keyFault: keyFault ?? null,
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
