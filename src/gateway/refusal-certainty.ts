/**
 * How sure it is, after a refusal, that the request had no effect.
 *
 * - `sure`: enough for what moves money.
 * - `likely`: enough where a wrong guess costs nothing, which is class C.
 * - `open`: it may have had its effect.
 */
export type Certainty = 'sure' | 'likely' | 'open';

/** What a refusal rests on. */
export type Basis =
  /** A code of interface section 7: only the gateway sends it, and only after it decided. */
  | { readonly kind: 'known_word' }
  /** The number that the result or the body itself carries. */
  | { readonly kind: 'result_status' | 'body_code'; readonly status: number }
  | { readonly kind: 'field_reasons' }
  /** A shape of the interface with words that are not in it: they mean what the HTTP status says. */
  | { readonly kind: 'words' }
  | { readonly kind: 'unknown_shape' }
  /** No body of the interface at all: perhaps the word of a proxy that blocked the answer, not the request. */
  | { readonly kind: 'status_alone' };

/** Who gives up waiting says these, whatever became of the request behind it. */
const GAVE_UP: ReadonlySet<number> = new Set([408, 425, 499]);
const TAKEN = 409;
const PLAIN_REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * The one place that says whether a refusal is a clear no. A 5xx never is, except with a known word: what stands
 * between us and the gateway may give up after the gateway has done the work, and it writes JSON too.
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
      // Under a good status a list of texts, or a word, may as well be about what was done.
      return byHttp ?? 'likely';
    case 'unknown_shape':
      return 'open';
    case 'status_alone':
      return PLAIN_REFUSALS.has(httpStatus) ? 'likely' : 'open';
  }
}

function certaintyOfStatus(status: number): Certainty {
  if (!Number.isInteger(status) || status < 400 || status > 499 || GAVE_UP.has(status)) return 'open';
  // The first of two requests may be what the second is in conflict with.
  return status === TAKEN ? 'likely' : 'sure';
}

function weaker(one: Certainty, other: Certainty): Certainty {
  if (one === 'open' || other === 'open') return 'open';
  return one === 'likely' ? one : other;
}
