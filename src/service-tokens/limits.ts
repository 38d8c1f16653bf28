/** The longest token that is parsed, in characters; each is one byte. */
export const TOKEN_BYTES_MAX = 4_096;

/** HMAC keys shorter than their digest are open to brute force (RFC 7518 section 3.2, RFC 8725 section 3.5). */
export const HMAC_KEY_BYTES_MIN = 32;

/** How many characters of an HMAC key must be no part of a known word. */
export const UNKNOWN_CHARACTERS_MIN = 12;

/** Smaller moduli can be factored (RFC 7518 section 3.3). Larger ones cost time at each request without a benefit. */
export const RSA_BITS_MIN = 2_048;
export const RSA_BITS_MAX = 8_192;

/** The limits of FIPS 186-5: a small exponent helps forgers, and a huge one makes each check slow. */
export const RSA_EXPONENT_MIN = 65_537n;
export const RSA_EXPONENT_END = 1n << 256n;

/**
 * The key size of `token rotate`: 128 bits of security, like the other algorithms. 2,048 bits have less and will not be
 * accepted after 2030. A token is 171 characters longer, and a check stays far below a millisecond.
 */
export const RSA_BITS_MADE = 3_072;

const SECONDS_PER_DAY = 86_400;

/** The longest time from `iat` to `exp`: a year, and time to notice the expiry. */
export const LIFETIME_MAX_SECONDS = 400 * SECONDS_PER_DAY;
