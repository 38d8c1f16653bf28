import type { IncomingMessage } from 'node:http';

/**
 * Returns whether a proxy in front of Millime may read a request differently than Node (RFC 9112 sections 2.3, 3.2 and
 * 6.1). It has an unknown version, no host or two, or a transfer encoding other than `chunked` alone.
 */
export function isAmbiguous({ httpVersion, headersDistinct }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return true;
  const hosts = headersDistinct['host']?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return true;
  const transferEncoding = headersDistinct['transfer-encoding']?.join(', ').toLowerCase();
  return transferEncoding !== undefined && (transferEncoding !== 'chunked' || httpVersion === '1.0');
}
