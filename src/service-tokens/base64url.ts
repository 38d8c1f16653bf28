/**
 * Decodes base64url in its only canonical form: no padding, no white space, no other characters, no unused bits set at
 * the end. jose accepts all of these, so several texts would decode to one signature.
 */
export function decodeCanonicalBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === text ? bytes : undefined;
}
