import type { FetchImplementation } from 'jose';

const BODY_BYTES_MAX = 256 * 1024;

/**
 * Fetches the keys of a foreign issuer: only from the configured address, without redirects, and never more bytes than
 * a key set can need. The size counts after decompression, so neither a long nor a compressed body fills the memory.
 * The signal's timeout also covers the body.
 */
export const fetchBounded: FetchImplementation = async (url, { method, headers, signal }) => {
  const response = await fetch(url, { method, headers, signal, redirect: 'manual' });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the answer has the status ${response.status}`);
  }
  return new Response(await readBounded(response), { status: 200 });
};

async function readBounded({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by an error closes the connection.
  for await (const chunk of body ?? []) {
    if (!(chunk instanceof Uint8Array)) throw new Error('the answer has no bytes');
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error(`the answer is larger than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
