import { z } from 'zod';
import { isWebUrl } from '../core/web-url';
import type { PaymentVariant } from './checkout-state';
import type { NewPayment } from './create-payment';

const SESSION_TIMEOUT_DEFAULT_SECS = 1_200;
const SESSION_TIMEOUT_MAX_SECS = 2_147_483_647;
const DESTINATIONS_MAX = 1_000;

/** The largest amount is the largest integer that JSON represents exactly. */
const integerAmount = z.int().positive();
const textAmount = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .pipe(integerAmount);

const link = z.string().refine(isWebUrl, 'expected an https URL');

const destinations = z
  .array(z.object({ amount: integerAmount, destination: z.string().min(1) }))
  .min(1)
  .max(DESTINATIONS_MAX);

/**
 * An optional field is absent or has its type; null is refused. Fields that the interface does not name are ignored,
 * such as `pre_auth` (open point 12).
 */
const bodySchema = z.object({
  amount: z.unknown(),
  success_link: link,
  fail_link: link,
  webhook: link.optional(),
  webhook_version: z.union([z.literal(1), z.literal(2)]).default(1),
  developer_tracking_id: z.string().optional(),
  session_timeout_secs: z.int().min(1).max(SESSION_TIMEOUT_MAX_SECS).default(SESSION_TIMEOUT_DEFAULT_SECS),
  accept_card: z.boolean().default(false),
  client_id: z.string().min(1).optional(),
  image_url: link.optional(),
  pre_authorization: z.literal(true).optional(),
  destination: destinations.optional(),
});

type GeneratedVariant = Exclude<PaymentVariant, 'subscription'>;
type Body = z.output<typeof bodySchema>;

/** The requested payment, or the first field that the interface does not allow, such as `destination.0.amount`. */
export type ReadPayment =
  | { readonly ok: true; readonly payment: NewPayment }
  | { readonly ok: false; readonly field: string; readonly reason: string };

/**
 * Reads the body of Generate Payment (interface section 2.1). Its fields determine the variant, and the variant
 * determines whether the amount is a text or an integer (open point 6).
 */
export function readGeneratePayment(value: unknown): ReadPayment {
  const result = bodySchema.safeParse(value);
  if (!result.success) {
    const [first] = result.error.issues;
    return refused(first?.path.map(String).join('.') || 'the body', first?.message ?? 'cannot be used');
  }
  const body = result.data;
  const variant = variantOf(body);
  // The interface does not define a pre-authorization for several merchants.
  if (variant === undefined) return refused('destination', 'a pre-authorization has no destinations');
  const amountMillimes = amountOf(body, variant);
  if (amountMillimes === undefined) return refused('amount', AMOUNT_FORM[variant]);
  const destination = body.destination ?? [];
  // Each part is a safe integer, but their sum may not be one.
  const sum = destination.reduce((total, { amount }) => total + BigInt(amount), 0n);
  if (sum > BigInt(amountMillimes)) return refused('destination', 'its parts are more than amount');
  return { ok: true, payment: paymentOf(body, { variant, amountMillimes, destination }) };
}

function paymentOf(
  body: Body,
  { variant, amountMillimes, destination }: Pick<NewPayment, 'variant' | 'amountMillimes' | 'destination'>,
): NewPayment {
  return {
    variant,
    amountMillimes,
    successLink: body.success_link,
    failLink: body.fail_link,
    webhook: body.webhook ?? null,
    webhookVersion: body.webhook_version,
    developerTrackingId: body.developer_tracking_id ?? null,
    acceptCard: body.accept_card,
    clientId: body.client_id ?? null,
    imageUrl: body.image_url ?? null,
    destination,
    sessionTimeoutSecs: body.session_timeout_secs,
  };
}

const AS_TEXT = 'expected a string of digits, in millimes above 0';
const AS_INTEGER = 'expected an integer, in millimes above 0';
const AMOUNT_FORM = {
  standard: AS_TEXT,
  binding: AS_TEXT,
  preauthorization: AS_INTEGER,
  split: AS_INTEGER,
} as const satisfies Record<GeneratedVariant, string>;

function refused(field: string, reason: string): ReadPayment {
  return { ok: false, field, reason };
}

/**
 * Returns the variant. A `client_id` that is only shown cannot be distinguished from the key of a binding, so it counts
 * as a key (open point 7).
 */
function variantOf({ pre_authorization, destination, client_id }: Body): GeneratedVariant | undefined {
  if (pre_authorization === true && destination !== undefined) return undefined;
  if (pre_authorization === true) return 'preauthorization';
  if (destination !== undefined) return 'split';
  return client_id === undefined ? 'standard' : 'binding';
}

function amountOf({ amount }: Body, variant: GeneratedVariant): number | undefined {
  const isInteger = variant === 'preauthorization' || variant === 'split';
  return (isInteger ? integerAmount : textAmount).safeParse(amount).data;
}
