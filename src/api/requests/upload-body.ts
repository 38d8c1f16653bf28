import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { streamedBody } from '../../http';
import type { UploadBody } from '../operation/route';

/** Returns the body of an upload, whose bytes are hashed as they are read. */
export function uploadBody(request: IncomingMessage, response: ServerResponse, limitBytes: number): UploadBody {
  const hash = createHash('sha256');
  const arriving = streamedBody(request, response, limitBytes);
  const pieces = (async function* () {
    for await (const piece of arriving) {
      hash.update(piece);
      yield piece;
    }
  })();
  let digest: string | undefined;
  return {
    pieces,
    bytesMax: Math.min(limitBytes, Number(request.headers['content-length'] ?? limitBytes)),
    async digest() {
      for (let piece = await pieces.next(); piece.done !== true;) piece = await pieces.next();
      return (digest ??= hash.digest('hex'));
    },
  };
}
