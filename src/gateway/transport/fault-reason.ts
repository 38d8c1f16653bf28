import type { WatchedConnection } from './watched-connection';

/** Codes of Node, OpenSSL and axios have this form; any other text is not shown. */
const CODE_FORM = /^[A-Z][A-Z0-9_]{1,63}$/;

/** Returns why no connection was made, so that a wrong address, a bad certificate and a firewall can be told apart. */
export function noConnectionReason(connection: WatchedConnection, isLate: boolean, error: unknown): string | undefined {
  if (!isLate) return systemCode(error);
  return connection.isInHandshake() ? 'the TLS handshake did not end' : 'no connection within the deadline';
}

/** Returns the code of an error, such as `ECONNREFUSED`, `ENOTFOUND` or `CERT_HAS_EXPIRED`, and nothing else of it. */
export function systemCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && CODE_FORM.test(code) ? code : undefined;
}
