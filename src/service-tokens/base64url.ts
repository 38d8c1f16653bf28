/**
 * Decodes base64url in its only canonical form: without padding, white space, other characters, or unused bits that are
 * set. jose accepts these, so several texts would decode to one signature.
 */
export function decodeCanonicalBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === text ? bytes : undefined;
}
