/** What browsers may do with a page of the console: nothing comes from or goes to another origin, and nothing is inline. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  // With `no-referrer` a browser would send `Origin: null` with forms, whose origin is checked.
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  Vary: 'Cookie, Accept-Language',
};
