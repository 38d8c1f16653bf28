/** An element of a drawing, for any renderer. Its look comes from classes, since pages allow no inline styles. */
export interface Shape {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Shape | string)[];
}

export function shape(
  tag: string,
  attributes: Shape['attributes'] = {},
  ...children: readonly (Shape | string)[]
): Shape {
  return { tag, attributes, children };
}

/** Rounds a position to tenths, so that a drawing is equal on every machine. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
