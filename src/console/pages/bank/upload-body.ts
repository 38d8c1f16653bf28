import type { UploadBody } from '../../../api';
import { sha256Hex } from '../../../kernel';

/** Returns the body of an upload that is in memory. */
export function uploadBodyOf(content: Buffer): UploadBody {
  return {
    pieces: (async function* () {
      yield await Promise.resolve(content);
    })(),
    bytesMax: content.length,
    digest: () => Promise.resolve(sha256Hex(content)),
  };
}
