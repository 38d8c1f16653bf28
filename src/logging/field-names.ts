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

/** Returns the rule for a field. `besideKty` says whether its object has a `kty`, as a JWK does. */
export function fieldRule(name: string, besideKty: boolean): FieldRule {
  const plain = name.toLowerCase().replace(/[-_ ]/g, '');
  if (SECRET.test(plain)) return 'secret';
  if (PERSONAL.has(plain)) return 'personal';
  if (MASKED.has(plain)) return 'masked';
  return besideKty && JWK_SECRET.has(plain) ? 'secret' : 'plain';
}
