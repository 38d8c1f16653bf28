import { fillOf, patternsOf } from './patterns';
import type { Plot, PlotSeries } from './plot';
import { type Shape, shape, tenths } from './shape';

const WIDTH = 720;
const PLOT_HEIGHT = 200;
const LEFT = 64;
const RIGHT = 12;
const TOP = 12;
const LABEL_SPACE = 26;
const HEIGHT = TOP + PLOT_HEIGHT + LABEL_SPACE;
const BAR_WIDTH_MAX = 44;
/** The width that a label needs, by its characters; labels between are left out. */
const CHARACTER_WIDTH = 7.4;
const LABEL_GAP = 8;
const STEPS = 4;
const LEAST_TOP = 4n;

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly step: number;
  y(amount: number): number;
  /** The left edge of a category. */
  x(at: number): number;
  readonly width: number;
}

/** Draws a plot. */
export function drawPlot(plot: Plot): Shape {
  const { id, title, description, kind, series } = plot;
  const scale = scaleOf(plot);
  const styles = [...new Set(series.map(({ style }) => style))];
  return shape(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-text`,
    },
    shape('title', { id: `${id}-title` }, title),
    shape('desc', { id: `${id}-text` }, description),
    patternsOf(id, kind === 'bars' ? styles : []),
    ...unknown(plot, scale),
    ...grid(plot, scale),
    ...(kind === 'bars' ? bars(plot, scale) : series.flatMap((each) => line(plot, each, scale))),
    ...labels(plot, scale),
  );
}

/** Draws the figures of the axis alone, which stay in sight while the plot scrolls. */
export function drawAxis(plot: Plot): Shape {
  const scale = scaleOf(plot);
  return shape(
    'svg',
    { class: 'axis-figures', viewBox: `0 0 ${LEFT} ${HEIGHT}`, 'aria-hidden': 'true' },
    ...stepsOf(scale).map((amount) => axisFigure(plot, scale, amount)),
  );
}

/** Draws the mark of a series for the legend. */
export function drawMark({ id, kind }: Pick<Plot, 'id' | 'kind'>, { style }: Pick<PlotSeries, 'style'>): Shape {
  const mark =
    kind === 'bars'
      ? shape('rect', { ...fillOf(id, style), x: 1, y: 1, width: 22, height: 12 })
      : shape('path', { class: `line line${style}`, d: 'M0,7 h24' });
  return shape('svg', { class: 'mark-of-series', viewBox: '0 0 24 14', 'aria-hidden': 'true' }, mark);
}

function scaleOf({ kind, categories, series }: Plot): Scale {
  const tops: bigint[] = [LEAST_TOP];
  const bottoms: bigint[] = [0n];
  categories.forEach((_, at) => {
    const sums = new Map<number, { up: bigint; down: bigint }>();
    series.forEach(({ amounts, place }, index) => {
      const key = kind === 'lines' ? index : (place ?? index);
      const { up, down } = sums.get(key) ?? { up: 0n, down: 0n };
      const amount = amounts[at] ?? 0n;
      sums.set(key, amount > 0n ? { up: up + amount, down } : { up, down: down + amount });
    });
    for (const { up, down } of sums.values()) {
      tops.push(up);
      bottoms.push(down);
    }
  });
  const most = Number(tops.reduce((a, b) => (a > b ? a : b)));
  const least = Number(bottoms.reduce((a, b) => (a < b ? a : b)));
  const step = roundStep((most - least) / STEPS);
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const width = (WIDTH - LEFT - RIGHT) / Math.max(1, categories.length);
  return {
    ...{ low, high, step, width },
    y: (amount) => tenths(TOP + PLOT_HEIGHT - ((amount - low) / (high - low)) * PLOT_HEIGHT),
    x: (at) => LEFT + at * width,
  };
}

/** Returns the next 1, 2 or 5 times a power of ten, for round figures at the grid. */
function roundStep(amount: number): number {
  const unit = 10 ** Math.floor(Math.log10(amount));
  const found = [1, 2, 5].map((factor) => factor * unit).find((rounded) => rounded >= amount);
  return Math.max(1, found ?? 10 * unit);
}

function grid(plot: Plot, scale: Scale): Shape[] {
  return stepsOf(scale).map((amount) => {
    const d = `M${LEFT},${scale.y(amount)} H${WIDTH - RIGHT}`;
    return shape(
      'g',
      {},
      shape('path', { class: amount === 0 ? 'axis zero' : 'axis', d }),
      axisFigure(plot, scale, amount),
    );
  });
}

function stepsOf({ low, high, step }: Scale): number[] {
  return Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
}

function axisFigure({ axisText }: Plot, { y }: Scale, amount: number): Shape {
  return shape('text', { x: LEFT - 6, y: y(amount) + 4, 'text-anchor': 'end' }, axisText(BigInt(amount)));
}

function unknown({ categories }: Plot, { x, width }: Scale): Shape[] {
  return categories.flatMap(({ isUnknown }, at) =>
    isUnknown === true
      ? [shape('rect', { class: 'unknown', x: tenths(x(at)), y: TOP, width: tenths(width), height: PLOT_HEIGHT })]
      : [],
  );
}

function bars(plot: Plot, { x, y, width }: Scale): Shape[] {
  const { id, categories, series, amountText } = plot;
  const places = [...new Set(series.map(({ place }, index) => place ?? index))];
  const barWidth = Math.min(BAR_WIDTH_MAX, (width * 0.8) / places.length);
  return categories.flatMap(({ name }, at) => {
    const first = x(at) + (width - barWidth * places.length) / 2;
    const ends = new Map<string, number>();
    return series.flatMap((each, index) => {
      const amount = Number(each.amounts[at] ?? 0n);
      if (amount === 0) return [];
      const place = places.indexOf(each.place ?? index);
      const key = `${place} ${Math.sign(amount)}`;
      const from = ends.get(key) ?? 0;
      ends.set(key, from + amount);
      const [top, bottom] = [y(Math.max(from, from + amount)), y(Math.min(from, from + amount))];
      return [
        shape(
          'rect',
          {
            ...fillOf(id, each.style),
            ...{ x: tenths(first + place * barWidth), y: top },
            ...{ width: tenths(barWidth * 0.94), height: tenths(Math.max(0.5, bottom - top)) },
          },
          shape('title', {}, `${name}, ${each.name}, ${amountText(BigInt(amount))}`),
        ),
      ];
    });
  });
}

function line({ categories, amountText }: Plot, { name, style, amounts }: PlotSeries, { x, y, width }: Scale): Shape[] {
  const points = amounts.flatMap((amount, at) =>
    amount === undefined ? [] : [{ at, x: tenths(x(at) + width / 2), y: y(Number(amount)), amount }],
  );
  const path = points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point.x},${point.y}`).join(' ');
  return [
    shape('path', { class: `line line${style}`, d: path === '' ? 'M0,0' : path }),
    ...points.map((point) =>
      shape(
        'circle',
        { class: `dot line${style}`, cx: point.x, cy: point.y, r: points.length > 45 ? 1.5 : 2.5 },
        shape('title', {}, `${categories[point.at]?.name ?? ''}, ${name}, ${amountText(point.amount)}`),
      ),
    ),
  ];
}

function labels({ categories }: Plot, { x, width }: Scale): Shape[] {
  const widest = Math.max(0, ...categories.map(({ label }) => label.length)) * CHARACTER_WIDTH + LABEL_GAP;
  const every = Math.max(1, Math.ceil(widest / width));
  // Counted from the last one, which people look for first.
  const last = categories.length - 1;
  return categories.flatMap(({ label }, at) =>
    (last - at) % every === 0
      ? [shape('text', { x: tenths(x(at) + width / 2), y: TOP + PLOT_HEIGHT + 18, 'text-anchor': 'middle' }, label)]
      : [],
  );
}
