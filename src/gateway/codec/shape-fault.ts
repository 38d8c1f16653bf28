/**
 * An answer that the interface does not describe. The message names the place and never the value, which may be
 * personal data.
 */
export class ShapeFault extends Error {
  override readonly name = 'ShapeFault';
}
