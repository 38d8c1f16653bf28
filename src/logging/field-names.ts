/** What becomes of a field because of its name, whatever it holds. */
export type FieldRule = 'secret' | 'personal' | 'masked' | 'plain';

// Named after what they hold, in any case, with any prefix and in the plural: `databasePassword`, `x-api-key`.
// Headers and bodies hold everything at once, so they are never shown in parts.
const SECRET = new RegExp(
  '(authorization|password|passwd|passphrase|secret|secretkey|token|jwt|privatekey|apikey|cookie|signature' +
    '|credential|body|headers)s?$',
);

const PERSONAL = new Set(['fullname', 'firstname', 'lastname', 'email', 'address', 'desc', 'description', 'memo']);

/** An agent's id may be a national id or a telephone number. */
const MASKED = new Set(['agentid', 'agentids', 'phone', 'phones', 'phonenumber', 'mobile']);

/** The secret members of a JWK (RFC 7518); single letters mean this only beside a `kty`. */
const JWK_SECRET = new Set(['k', 'd', 'p', 'q', 'dp', 'dq', 'qi', 'oth']);

/** The rule for a field. `besideKty` says whether the object that it belongs to looks like a JWK. */
export function fieldRule(name: string, besideKty: boolean): FieldRule {
  const plain = name.toLowerCase().replace(/[-_ ]/g, '');
  if (SECRET.test(plain)) return 'secret';
  if (PERSONAL.has(plain)) return 'personal';
  if (MASKED.has(plain)) return 'masked';
  return besideKty && JWK_SECRET.has(plain) ? 'secret' : 'plain';
}
