/**
 * How sure it is, after a refusal, that the request had no effect.
 *
 * - `sure`: enough for operations that move money.
 * - `likely`: enough where a wrong guess costs nothing, which is class C.
 * - `open`: the request may have had its effect.
 */
export type Certainty = 'sure' | 'likely' | 'open';

/** The part of the answer on which a refusal is based. */
export type Basis =
  /** A code of interface section 7: only the gateway sends it, and only after its decision. */
  | { readonly kind: 'known_word' }
  /** The number in the result or in the body itself. */
  | { readonly kind: 'result_status' | 'body_code'; readonly status: number }
  | { readonly kind: 'field_reasons' }
  /** A shape of the interface with words that it does not list; the HTTP status gives their meaning. */
  | { readonly kind: 'words' }
  | { readonly kind: 'unknown_shape' }
  /** No body of the interface: possibly a proxy that blocked the answer, not the request. */
  | { readonly kind: 'status_alone' };

/** Timeout statuses: the request may still have been processed. */
const GAVE_UP: ReadonlySet<number> = new Set([408, 425, 499]);
const TAKEN = 409;
const PLAIN_REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Returns how sure a refusal is; the only place that decides this. A 5xx is never sure, except with a known code. A
 * proxy may time out after the gateway has done the work, and proxies write JSON too.
 */
export function refusalCertaintyOf(basis: Basis, httpStatus: number): Certainty {
  const byHttp = httpStatus < 400 ? undefined : certaintyOfStatus(httpStatus);
  switch (basis.kind) {
    case 'known_word':
      return 'sure';
    case 'result_status':
    case 'body_code':
      return weaker(certaintyOfStatus(basis.status), byHttp ?? 'sure');
    case 'field_reasons':
    case 'words':
      // With a success status, a list of texts or a word may also describe what the gateway did.
      return byHttp ?? 'likely';
    case 'unknown_shape':
      return 'open';
    case 'status_alone':
      return PLAIN_REFUSALS.has(httpStatus) ? 'likely' : 'open';
  }
}

function certaintyOfStatus(status: number): Certainty {
  if (!Number.isInteger(status) || status < 400 || status > 499 || GAVE_UP.has(status)) return 'open';
  // A 409 may be caused by the caller's own first request.
  return status === TAKEN ? 'likely' : 'sure';
}

function weaker(one: Certainty, other: Certainty): Certainty {
  if (one === 'open' || other === 'open') return 'open';
  return one === 'likely' ? one : other;
}
