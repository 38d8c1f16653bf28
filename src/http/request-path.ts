/** A target with a scheme and a host, which every server must accept (RFC 9112 section 3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?#]+(?<rest>.*)/is;

/**
 * Returns the path of a request's target, still encoded; undefined if the target has none (`*`, or a host alone). The
 * path ends at a query, or at a fragment, which no request may have.
 */
export function pathOf(target = ''): string | undefined {
  const local = target.startsWith('/') ? target : (ABSOLUTE.exec(target)?.groups?.['rest'] ?? '');
  if (!local.startsWith('/')) return undefined;
  const end = local.search(/[?#]/);
  return end < 0 ? local : local.slice(0, end);
}
