import type { DeliveryError } from './delivery';
import { PrivateAddressError } from './public-address';

/** The codes of Node's sockets and of nodemailer. */
const ERROR_OF_CODE: Readonly<Record<string, DeliveryError>> = {
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ECONNECTION: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EDNS: 'unreachable',
  EPIPE: 'unreachable',
  ESOCKET: 'unreachable',
  ETIMEDOUT: 'timed_out',
  ABORT_ERR: 'timed_out',
  EABORT: 'timed_out',
  EAUTH: 'sign_in_failed',
  ENOAUTH: 'sign_in_failed',
  EENVELOPE: 'refused',
  EMESSAGE: 'refused',
  ETLS: 'tls_failed',
  EREQUIRETLS: 'tls_failed',
};

const TLS_CODE = /^(ERR_(TLS|SSL)|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;

const CAUSES_MAX = 4;

/** Returns why a try failed, by the codes of the error and of its causes. Pure. */
export function classifyFault(error: unknown): DeliveryError {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < CAUSES_MAX; depth += 1) {
    if (at instanceof PrivateAddressError) return 'private_address';
    const { name, code, message, cause } = at as Partial<Record<'name' | 'code' | 'message' | 'cause', unknown>>;
    if (name === 'TimeoutError') return 'timed_out';
    if (typeof code === 'string') {
      if (TLS_CODE.test(code) || (code === 'ESOCKET' && isAboutTls(String(message)))) return 'tls_failed';
      const known = ERROR_OF_CODE[code];
      if (known !== undefined) return known;
    }
    at = cause;
  }
  return 'other';
}

/** Nodemailer replaces the code of a certificate's fault, and keeps its sentence. */
function isAboutTls(message: string): boolean {
  return /certificate|altnames|SSL|TLS/i.test(message);
}
