/** The longest token that is looked at, in characters; each is one byte. */
export const TOKEN_BYTES_MAX = 4_096;

/** HMAC keys shorter than their digest can be searched (RFC 7518 section 3.2, RFC 8725 section 3.5). */
export const HMAC_KEY_BYTES_MIN = 32;

const SECONDS_PER_DAY = 86_400;

/** The longest time from `iat` to `exp`: a year and the time to notice that it is over. */
export const LIFETIME_MAX_SECONDS = 400 * SECONDS_PER_DAY;
