import { z } from 'zod';
import { toTotal } from '../kernel';

/** The JSON that the demo reads from the commands. Amounts beyond the exact integers of JSON are text. */
const total = z.union([z.int(), z.string()]).transform((value) => toTotal(value));
/** An amount of a bank file, as in `1234.567`. */
const dinars = z
  .string()
  .regex(/^\d+\.\d{3}$/)
  .transform((text) => toTotal(text.replace('.', '')));

export const tokenShape = z.object({ token: z.string() });
export const planShape = z.object({ added: z.int() });
export const madeShape = z.object({ kind: z.literal('created') });
export const refundShape = z.object({ kind: z.literal('done') });
export const agentShape = z.object({ agentId: z.string() });

export const pollShape = z.object({
  webhooks: z.int(),
  looked: z.int(),
  failed: z.int(),
  left: z.int(),
  queue: z.object({ payments: queue(), subscriptions: queue() }).nullable(),
});

export const importShape = z.object({
  statements: z.array(z.object({ verdict: z.string(), entries: z.int(), credits: dinars })),
});

const credit = z.object({
  line_id: z.string(),
  outcome: z.string(),
  item_ids: z.array(z.string()),
  gross_millimes: total,
  fee_millimes: total,
  tva_millimes: total,
  evidence: z.string().nullable(),
  claimed_error: z.number().nullable(),
});
export type CreditSaid = z.output<typeof credit>;

export const reconcileShape = z.object({
  verdict: z.string(),
  model: z.string().nullable(),
  credits: z.array(credit),
  pendingMillimes: total,
  matchedMillimes: total,
  breaks: z.array(z.object({ class: z.string(), amount_millimes: total.nullable() })),
});
export type Reconciled = z.output<typeof reconcileShape>;

export const feesShape = z.array(
  z.object({
    state: z.string(),
    credits: z.array(z.string()),
    fees: z.array(
      z.object({
        channel: z.string(),
        rate_ppm: z.int(),
        fixed_millimes: z.int(),
        tva_ppm: z.int(),
        basis: z.string(),
      }),
    ),
  }),
);

export const breaksShape = z.array(
  z.object({ id: z.string(), class: z.string(), status: z.string(), amountMillimes: total.nullable() }),
);
export const stepShape = z.object({ done: z.int(), refused: z.literal(0) });

const movements = z.record(z.string(), total);
export const closedShape = z.object({
  outcome: z.literal('closed'),
  number: z.int(),
  digest: z.string(),
  channels: z.array(
    z.object({
      channel: z.string(),
      openingMillimes: total,
      movements,
      closingMillimes: total,
      lines: z.array(z.object({ label: z.string(), amountMillimes: total, items: z.int() })),
    }),
  ),
});
export type Closed = z.output<typeof closedShape>;

export const verifyShape = z.object({ invariants: z.int(), broken: z.array(z.unknown()) });

function queue() {
  return z.object({ sent: z.int(), refused: z.int(), unknown: z.int(), left: z.int() });
}
