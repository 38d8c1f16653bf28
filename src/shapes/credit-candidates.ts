import { z } from 'zod';
import { formatInstant } from '../kernel';
import { type Objection, objectionText } from '../payout-inference';
import type { CreditCandidate } from '../reconciliation';
import { instantValue, millimesValue } from './values';

export const cutValue = z.strictObject({ after: instantValue, until: instantValue.nullable() }).meta({
  id: 'Cut',
  description: 'A payout contains the items that became available after and until these instants.',
});

export const errorValue = z.number().meta({ description: 'The probability that the explanation is wrong.' });

const differingValue = z.strictObject({ items: z.int(), itemIds: z.array(z.string()) });

const objectionValue = z.strictObject({
  code: z.string().meta({ example: 'another_explanation' }),
  probability: z.number().optional(),
  items: z.int().optional(),
  itemId: z.string().optional(),
  amountMillimes: millimesValue.optional(),
  text: z.string(),
});

/** One explanation of a credit. */
export const candidateValue = z
  .strictObject({
    candidateId: z.string().meta({ description: 'It names the items, whatever the rank is.' }),
    kind: z.enum(['run', 'sum', 'part', 'nearest', 'match']),
    itemIds: z.array(z.string()).meta({ description: 'At most 10,000 of them.' }),
    items: z.int(),
    grossMillimes: millimesValue,
    feeMillimes: millimesValue,
    tvaMillimes: millimesValue,
    differenceMillimes: millimesValue,
    claimedError: errorValue,
    probability: z.number().nullable(),
    cut: cutValue.nullable(),
    stream: z.string().nullable(),
    adds: differingValue.meta({ description: 'Items that the first candidate lacks.' }),
    lacks: differingValue.meta({ description: 'Items of the first candidate that this one lacks.' }),
    against: z.array(objectionValue),
  })
  .meta({ id: 'Candidate' });

/** Returns a candidate as JSON. `itemIds` has at most 10,000 items; `items` is their number. */
export function candidateJson(candidate: CreditCandidate): z.input<typeof candidateValue> {
  const { id, kind, itemIds, itemCount, gross, fee, tva, difference, claimedError, probability, cut, stream } =
    candidate;
  return {
    candidateId: id,
    kind,
    itemIds: [...itemIds],
    items: itemCount,
    grossMillimes: gross,
    feeMillimes: fee,
    tvaMillimes: tva,
    differenceMillimes: difference,
    claimedError,
    probability: probability ?? null,
    cut: cutJson(cut),
    stream: stream ?? null,
    adds: { items: candidate.adds.count, itemIds: [...candidate.adds.itemIds] },
    lacks: { items: candidate.lacks.count, itemIds: [...candidate.lacks.itemIds] },
    against: candidate.against.map(objectionJson),
  };
}

function objectionJson(objection: Objection): z.input<typeof objectionValue> {
  const text = objectionText(objection);
  if (!('amount' in objection)) return { ...objection, text };
  const { amount, ...rest } = objection;
  return { ...rest, amountMillimes: amount, text };
}

export function cutJson(cut: CreditCandidate['cut']): z.input<typeof cutValue> | null {
  if (cut === undefined) return null;
  return { after: formatInstant(cut.after), until: cut.until === undefined ? null : formatInstant(cut.until) };
}
