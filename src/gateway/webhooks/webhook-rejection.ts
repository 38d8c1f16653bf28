/**
 * Why a request is not a webhook of the gateway. The codes are stable, for logs and metrics; the sender never receives
 * them. Only the first reason found is reported.
 *
 * - `bad_method`: neither the GET of version 1 nor the POST of version 2, or not the POST of a subscription event.
 * - `bad_target`: the request target contains a fragment, a space, a control or a non-ASCII character.
 * - `missing_parameter`, `repeated_parameter`: `payment_id` or `success` of version 1 is absent, empty or repeated.
 * - `body_too_large`: more than 64 kB.
 * - `compressed_body`: a Content-Encoding is present, so the signed bytes are unknown (open point 115).
 * - `missing_signature`: no signature header, or an empty one. It never counts as an unsigned webhook (open point 119).
 * - `duplicate_header`: more than one signature header.
 * - `malformed_signature`: a part of the header is not `name=value`, or a `v1` is not 64 hexadecimal digits.
 * - `duplicate_timestamp`: two `t`. Node also produces this when it joins two headers with a comma.
 * - `bad_timestamp`: no `t`, or not 9 to 11 digits: other units, signs, spaces and trailing text are refused.
 * - `no_v1`, `too_many_signatures`: no signature of the known scheme, or more than ten.
 * - `wrong_signature`: no `v1` was made by an accepted key over these bytes.
 * - `bad_payment_id`: correctly signed, but the percent-encoding of `payment_id` cannot be read.
 * - `bad_success`: correctly signed, but `success` is neither true nor false, in any case (open point 106).
 * - `bad_body`: correctly signed, but not a JSON object with the required fields of interface section 6.3 or 6.4.
 * - `wrong_family`: correctly signed, but a subscription event sent to the payment webhook, or the reverse.
 */
export type WebhookRejectionReason =
  | 'bad_method'
  | 'bad_target'
  | 'missing_parameter'
  | 'repeated_parameter'
  | 'body_too_large'
  | 'compressed_body'
  | 'missing_signature'
  | 'duplicate_header'
  | 'malformed_signature'
  | 'duplicate_timestamp'
  | 'bad_timestamp'
  | 'no_v1'
  | 'too_many_signatures'
  | 'wrong_signature'
  | 'bad_payment_id'
  | 'bad_success'
  | 'bad_body'
  | 'wrong_family';

export interface WebhookRejection {
  readonly kind: 'rejected';
  readonly reason: WebhookRejectionReason;
}

export function rejected(reason: WebhookRejectionReason): WebhookRejection {
  return { kind: 'rejected', reason };
}
