/** Why a request was refused. For Millime's own log: the caller learns only the 403 (open point 82). */
export type RefusalReason =
  | 'no_header'
  | 'not_bearer'
  | 'too_long'
  | 'not_compact'
  | 'not_canonical'
  | 'bad_header'
  | 'unsupported_header'
  | 'wrong_type'
  | 'unknown_key'
  | 'wrong_algorithm'
  | 'bad_signature'
  | 'bad_payload'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'bad_subject'
  | 'bad_jti'
  | 'bad_times'
  | 'issued_in_future'
  | 'not_yet_valid'
  | 'lifetime_too_long'
  | 'expired'
  | 'revoked';

export interface Refusal {
  readonly ok: false;
  readonly reason: RefusalReason;
}

export function refused(reason: RefusalReason): Refusal {
  return { ok: false, reason };
}
