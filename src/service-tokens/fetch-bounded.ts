import type { FetchImplementation } from 'jose';

const BODY_BYTES_MAX = 256 * 1024;

/**
 * How the keys of a foreign issuer are fetched: the one address that we were given, no redirect, and no more of the body
 * than a set of keys can need. The body is counted as it is read, after decompression, so neither a long nor a packed
 * one fills the memory; the time-out is in the signal and holds for the body too.
 */
export const fetchBounded: FetchImplementation = async (url, { method, headers, signal }) => {
  const response = await fetch(url, { method, headers, signal, redirect: 'manual' });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the answer has the status ${response.status}`);
  }
  return new Response(await readBounded(response), { status: 200 });
};

async function readBounded({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by the error closes the connection.
  for await (const chunk of body ?? []) {
    if (!(chunk instanceof Uint8Array)) throw new Error('the answer has no bytes');
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error(`the answer is larger than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
