/** How a field is logged because of its name, whatever its value. */
export type FieldRule = 'secret' | 'personal' | 'masked' | 'plain';

// Names of secret fields, in any case, with any prefix and in the plural: `databasePassword`, `x-api-key`. Headers and
// bodies may contain anything, so no part of them is shown.
const SECRET = new RegExp(
  '(authorization|password|passwd|passphrase|secret|secretkey|token|jwt|privatekey|apikey|cookie|signature' +
    '|credential|body|headers)s?$',
);

const PERSONAL = new Set(['fullname', 'firstname', 'lastname', 'email', 'address', 'desc', 'description', 'memo']);

/** An agent's id may be a national id or a telephone number. */
const MASKED = new Set(['agentid', 'agentids', 'phone', 'phones', 'phonenumber', 'mobile']);

/** The secret members of a JWK (RFC 7518). The single letters have this meaning only in an object with a `kty`. */
const JWK_SECRET = new Set(['k', 'd', 'p', 'q', 'dp', 'dq', 'qi', 'oth']);

/** The rules of known names. Millime has few; a stranger may choose others, so that their number is limited. */
const known = new Map<string, FieldRule>();
const KNOWN_MAX = 1_000;

/** Returns the rule for a field. `besideKty` says whether its object has a `kty`, as a JWK does. */
export function fieldRule(name: string, besideKty: boolean): FieldRule {
  if (besideKty && JWK_SECRET.has(plainName(name))) return 'secret';
  const rule = known.get(name) ?? ruleOf(plainName(name));
  if (known.size < KNOWN_MAX) known.set(name, rule);
  return rule;
}

function ruleOf(plain: string): FieldRule {
  if (SECRET.test(plain)) return 'secret';
  if (PERSONAL.has(plain)) return 'personal';
  return MASKED.has(plain) ? 'masked' : 'plain';
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}
