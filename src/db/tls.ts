import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import type { DatabaseTls } from '../config';
import { AppError, systemCodeOf } from '../kernel';

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Returns mysql2's settings for connections that carry the password and any data only inside TLS, and only to a server
 * whose certificate is valid, signed by a known authority and made for the host of the URL.
 *
 * @throws AppError `misconfigured` that names `variable`, when the CA file cannot be used.
 */
export function tlsSettings({ caFile }: DatabaseTls, variable: string): Readonly<Record<string, unknown>> {
  return {
    ssl: {
      ...(caFile === undefined ? {} : { ca: certificatesOf(caFile, variable) }),
      rejectUnauthorized: true,
      verifyIdentity: true, // mysql2 compares no host name otherwise
      minVersion: 'TLSv1.2',
    },
    stream: openSocket,
  };
}

/**
 * Opens the socket of a connection. For an address instead of a name mysql2 would compare the certificate with
 * "localhost", because Node then reads the host from the socket, which has it for names only.
 */
function openSocket({ config: { host, port } }: { config: { host: string; port: number } }): Socket {
  const socket = connectSocket({ host, port, noDelay: true, keepAlive: true });
  return Object.assign(socket, { _host: host });
}

/** Node trusts its own list of authorities if the text is empty, and ignores what is no certificate. */
function certificatesOf(file: string, variable: string): string[] {
  const refused = (fault: string, error?: unknown): AppError =>
    new AppError('misconfigured', { field: variable, fault: `the CA file ${file} ${fault}` }, { cause: error });
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch (error) {
    throw refused(`cannot be read (${systemCodeOf(error)})`, error);
  }
  const certificates = text.match(PEM_CERTIFICATE) ?? [];
  if (certificates.length === 0) throw refused('contains no certificate in PEM form');
  try {
    return certificates.map((certificate) => new X509Certificate(certificate).toString());
  } catch (error) {
    throw refused('contains a certificate that cannot be read', error);
  }
}

/** Returns why TLS to a server failed, or undefined for an error of another kind. mysql2 replaces the codes of Node. */
export function tlsFault(error: unknown): string | undefined {
  const { code, message, cert } = error as { code?: unknown; message?: unknown; cert?: unknown };
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return 'the server offers no TLS';
  if (code !== 'HANDSHAKE_SSL_ERROR') return undefined;
  const text = String(message);
  if (cert !== undefined) return 'the certificate of the server is for another host';
  if (/certificate has expired/.test(text)) return 'the certificate of the server has expired';
  if (/not yet valid/.test(text)) return 'the certificate of the server is not valid yet';
  if (/self-signed|issuer|first certificate/.test(text)) {
    return 'no known authority signed the certificate of the server; name its CA file with "ca="';
  }
  return 'the TLS handshake failed';
}
