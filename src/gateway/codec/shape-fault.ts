/** An answer that is not what the interface describes. Names the place, never the value: it may be personal data. */
export class ShapeFault extends Error {
  override readonly name = 'ShapeFault';
}
