import { ownValue } from '../kernel';

/**
 * Returns why a JWK's declared use forbids Millime's, or undefined. The key must allow at least one of the lists in
 * `uses` completely. A key published for encryption must not also sign (RFC 7517 section 4.2).
 */
export function usageFault(
  jwk: Readonly<Record<string, unknown>>,
  uses: readonly (readonly string[])[],
): string | undefined {
  if (Object.hasOwn(jwk, 'use') && ownValue(jwk, 'use') !== 'sig') return 'has a use other than "sig"';
  if (!Object.hasOwn(jwk, 'key_ops')) return undefined;
  const operations = ownValue(jwk, 'key_ops');
  if (!Array.isArray(operations)) return 'has key_ops that are not a list';
  const isAllowed = uses.some((use) => use.every((operation) => operations.includes(operation)));
  return isAllowed ? undefined : `has key_ops without ${uses.map((use) => use.join(' and ')).join(' or ')}`;
}
