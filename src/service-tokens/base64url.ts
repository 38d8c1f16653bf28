/**
 * Decodes base64url in its one canonical form: no padding, no white space, no foreign character, no stray bits at the
 * end. jose forgives all of these, and then one signature fits several texts.
 */
export function decodeCanonicalBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === text ? bytes : undefined;
}
