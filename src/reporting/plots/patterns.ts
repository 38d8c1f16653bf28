import { type Shape, shape } from './shape';

const SIZE = 8;

/** The strokes of each pattern; the first style is filled. */
const STROKES: readonly (readonly string[])[] = [
  [],
  ['M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4'],
  ['M0,4 h8'],
  ['M4,0 v8', 'M0,4 h8'],
  ['M-2,6 l4,4 M0,0 l8,8 M6,-2 l4,4'],
  ['M4,0 v8'],
  ['M2,2 h1 M6,6 h1'],
];

/** Returns the patterns of a drawing, whose id makes theirs unique in a page. */
export function patternsOf(id: string, styles: readonly number[]): Shape {
  return shape('defs', {}, ...styles.filter((style) => style > 0).map((style) => pattern(id, style)));
}

/** Returns the fill of a style. */
export function fillOf(id: string, style: number): Shape['attributes'] {
  return { class: `ink${style}`, ...(style === 0 ? {} : { fill: `url(#${id}-${style})` }) };
}

function pattern(id: string, style: number): Shape {
  return shape(
    'pattern',
    { id: `${id}-${style}`, width: SIZE, height: SIZE, patternUnits: 'userSpaceOnUse' },
    shape('rect', { class: `back${style}`, width: SIZE, height: SIZE }),
    ...(STROKES[style] ?? []).map((d) => shape('path', { class: `stroke${style}`, d })),
  );
}
