export const REDACTED = '[redacted]';

/**
 * The patterns of secrets. Each also matches a secret whose end is missing. Each must run in linear time even on a text
 * from an attacker.
 */
const SECRET_TEXT: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g, REDACTED],
  [/(mlm_[0-9A-Z]{26}_)[\w-]+/g, `$1${REDACTED}`], // an API key; its first part is its public id
  [/\b(bearer|api-key)(\s|%20)+[^\s"',;]+/gi, `$1 ${REDACTED}`],
  // A password in a URL may wrongly contain `@` and `/`, so it ends at the last `@` of the word.
  [/(:\/\/[^:@/\s]*):\S*@/g, `$1:${REDACTED}@`],
  // The secret members of a JWK, in JSON and in JSON within JSON.
  [/("(?:k|d|p|q|dp|dq|qi)\\{0,8}"\s*:\s*)\\{0,8}"[\w+/=-]*(?:\\{0,8}")?/g, `$1"${REDACTED}"`],
  [/((?:authorization|password|secret|token|api[-_]?key|cookie)=)[^\s"'&;,]+/gi, `$1${REDACTED}`],
  [
    /((?:authorization|password|secret|token|api[-_]?key|cookie)\\{0,8}"\s*:\s*)\\{0,8}"[^"]*(?:"|$)/gi,
    `$1"${REDACTED}"`,
  ],
  [/(agent_receivable:)[^\n]*/g, '$1[personal]'], // an account that is named after an agent
];

/** Words joined by dots, matched whole, so that no part of a long word is scanned twice. */
const DOTTED = /(?<![\w-])[\w-]+(?:\.[\w-]*)+/g;

/** What each pattern needs at least. Most texts have none of it, and one search is enough for them. */
const SUSPECT = /[:="%]|-----|mlm_|eyJ|bearer|api-key/i;

/** Returns the text with its secrets replaced. */
export function redactText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return SECRET_TEXT.reduce(
    (clean, [pattern, replacement]) => clean.replace(pattern, replacement),
    text.replace(DOTTED, withoutJwt),
  );
}

/** Replaces a JWT, which begins with the base64url of `{"`; the text before it in the same word stays. */
function withoutJwt(dotted: string): string {
  const start = dotted.indexOf('eyJ');
  return start < 0 || !dotted.includes('.', start) ? dotted : `${dotted.slice(0, start)}${REDACTED}`;
}
