import { parseStrictJson } from '../../kernel';

/** The JSON in bytes of UTF-8. Undefined when they are no UTF-8, no JSON, or deeper than `depthMax`. */
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
