/** The longest token that is parsed, in characters; each is one byte. */
export const TOKEN_BYTES_MAX = 4_096;

/** HMAC keys shorter than their digest can be searched (RFC 7518 section 3.2, RFC 8725 section 3.5). */
export const HMAC_KEY_BYTES_MIN = 32;

/** Smaller moduli can be factored (RFC 7518 section 3.3); larger ones cost more at each request than they protect. */
export const RSA_BITS_MIN = 2_048;
export const RSA_BITS_MAX = 8_192;

/** The bounds of FIPS 186-5: a small exponent helps forgers, and a huge one makes each check slow. */
export const RSA_EXPONENT_MIN = 65_537n;
export const RSA_EXPONENT_END = 1n << 256n;

/**
 * What `token rotate` creates: as hard to break as the other algorithms' keys (128 bits), which 2,048 bits are not and
 * will not be accepted as beyond 2030. A token grows by 171 characters and a check stays far below a millisecond.
 */
export const RSA_BITS_MADE = 3_072;

const SECONDS_PER_DAY = 86_400;

/** The longest time from `iat` to `exp`: a year and the time to notice that it ended. */
export const LIFETIME_MAX_SECONDS = 400 * SECONDS_PER_DAY;
