import { isJsonObject, parseStrictJson } from '../kernel';

// A foreign issuer may nest its own claims, but no sensible claim is deeper.
const DEPTH_MAX = 8;

/** Reads the bytes of a header or a payload: one JSON object in valid UTF-8 without repeated keys. */
export function decodeJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8
  }
  const json = parseStrictJson(text, { depthMax: DEPTH_MAX, refuseDuplicateKeys: true });
  return json.ok && isJsonObject(json.value) ? json.value : undefined;
}
