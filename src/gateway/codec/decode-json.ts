import { parseStrictJson } from '../../kernel';

/**
 * Decodes JSON from UTF-8 bytes. Returns undefined when they are not UTF-8, not JSON, or nested deeper than `depthMax`.
 */
export function decodeJson(bytes: Uint8Array, depthMax: number): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8, so not JSON
  }
  const json = parseStrictJson(text, { depthMax });
  return json.ok ? json.value : undefined;
}
