import { counted, formatDinars } from '../kernel';
import { escapeHtml } from './html-page';
import type { ReportPlot } from './report-document';

// Drawn for the width of a phone, so that the text is readable there; a wide screen enlarges it a little.
const WIDTH = 360;
const PLOT_HEIGHT = 150;
const LEFT = 62;
const RIGHT = 8;
const TOP = 12;
const LABEL_SPACE = 22;
const LEGEND_SPACE = 18;
const BAR_WIDTH_MAX = 40;
/** The width that a label needs, by its characters; labels between are omitted. */
const CHARACTER_WIDTH = 6.6;
const LABEL_GAP = 8;
/** The number of grid steps between 0 and the top. */
const STEPS = 4n;
/** A millime-exact scale without fractions: positions are rounded to tenths, equal on every machine. */
const TENTHS = 10n;

/** Renders a plot as SVG: bars beside each other, or a line. The table behind it has the same figures. */
export function chartSvg(plot: ReportPlot, id: string): string {
  const { title, description, categories, series } = plot;
  const amounts = series.flatMap((each) => each.amounts);
  const range = rangeOf(plot, amounts);
  const step = Math.floor(((WIDTH - LEFT - RIGHT) * 10) / Math.max(1, categories.length)) / 10;
  const height = TOP + PLOT_HEIGHT + LABEL_SPACE + (series.length > 1 ? LEGEND_SPACE : 0);
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">`,
    `<title id="${id}-title">${escapeHtml(title)}</title>`,
    `<desc id="${id}-text">${escapeHtml(description)}</desc>`,
    ...gridLines(plot, range),
    ...(plot.kind === 'line' ? line(plot, step, range) : categories.flatMap((_, at) => bars(plot, at, step, range))),
    ...labels(categories, step),
    ...(series.length > 1 ? series.map(({ name }, at) => legend(name, at)) : []),
    '</svg>',
  ].join('\n');
}

/** Formats an amount of a plot for people. */
export function plotAmount({ unit }: Pick<ReportPlot, 'unit'>, amount: bigint): string {
  return unit === 'DT' ? formatDinars(amount) : counted(Number(amount), 'break');
}

/** The amounts at the bottom and at the top of the plot. */
interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

function rangeOf({ unit }: ReportPlot, amounts: readonly bigint[]): Range {
  const least = unit === 'DT' ? 4_000n : 4n;
  const high = roundUp(amounts.reduce((most, amount) => (amount > most ? amount : most), least));
  const deepest = amounts.reduce((most, amount) => (-amount > most ? -amount : most), 0n);
  return { low: deepest === 0n ? 0n : -roundUp(deepest > least ? deepest : least), high };
}

function gridLines({ unit }: ReportPlot, { low, high }: Range): string[] {
  return Array.from({ length: Number(STEPS) + 1 }, (_, at) => {
    const amount = low + ((high - low) * BigInt(at)) / STEPS;
    const y = placeOf(amount, { low, high });
    const label = unit === 'DT' ? formatDinars(amount).replace(/(,000)? DT$/, '') : String(amount);
    return (
      `<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/>` +
      `<text x="${LEFT - 5}" y="${y}" dy="4" text-anchor="end">${escapeHtml(label)}</text>`
    );
  });
}

function bars(plot: ReportPlot, at: number, step: number, range: Range): string[] {
  const width = Math.min(BAR_WIDTH_MAX, (step * 0.8) / plot.series.length);
  const first = LEFT + at * step + (step - width * plot.series.length) / 2;
  const zero = Number(placeOf(0n, range));
  return plot.series.flatMap(({ name, amounts }, index) => {
    const amount = amounts[at] ?? 0n;
    if (amount === 0n) return [];
    const end = Number(placeOf(amount, range));
    const said = escapeHtml(`${plot.categories[at] ?? ''}, ${name}: ${plotAmount(plot, amount)}`);
    const box = `x="${tenths(first + index * width)}" y="${tenths(Math.min(zero, end))}" width="${tenths(width)}"`;
    return [
      `<rect class="s${index}" ${box} height="${tenths(Math.abs(zero - end))}"><title>${said}</title></rect>`,
      ...(plot.categories.length <= 6 && plot.unit !== 'DT' ? [countAbove(first + width / 2, end, amount)] : []),
    ];
  });
}

/** Writes a count above its bar. */
function countAbove(x: number, y: number, amount: bigint): string {
  return `<text x="${tenths(x)}" y="${tenths(y - 3)}" text-anchor="middle">${amount}</text>`;
}

function line(plot: ReportPlot, step: number, range: Range): string[] {
  const amounts = plot.series[0]?.amounts ?? [];
  const points = amounts.map((amount, at) => ({
    x: tenths(LEFT + (at + 0.5) * step),
    y: placeOf(amount, range),
    said: `${plot.categories[at] ?? ''}: ${plotAmount(plot, amount)}`,
  }));
  return [
    `<polyline class="line" points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}"/>`,
    ...points.map(
      ({ x, y, said }) => `<circle class="s0" cx="${x}" cy="${y}" r="2.5"><title>${escapeHtml(said)}</title></circle>`,
    ),
  ];
}

function labels(categories: readonly string[], step: number): string[] {
  const widest = Math.max(0, ...categories.map((category) => category.length)) * CHARACTER_WIDTH + LABEL_GAP;
  const every = Math.max(1, Math.ceil(widest / Math.max(step, 0.1)));
  const y = TOP + PLOT_HEIGHT + 15;
  return categories.flatMap((category, at) =>
    at % every === 0
      ? [`<text x="${tenths(LEFT + (at + 0.5) * step)}" y="${y}" text-anchor="middle">${escapeHtml(category)}</text>`]
      : [],
  );
}

/** The shapes differ, not only the colors: the first series is filled, the second outlined. */
function legend(name: string, at: number): string {
  const x = LEFT + at * ((WIDTH - LEFT - RIGHT) / 2);
  const y = TOP + PLOT_HEIGHT + LABEL_SPACE + 2;
  return (
    `<rect class="s${at}" x="${tenths(x)}" y="${y}" width="10" height="10"/>` +
    `<text x="${tenths(x + 16)}" y="${y + 9}">${escapeHtml(name)}</text>`
  );
}

/** Returns the vertical position of an amount: the highest at `TOP`, the lowest at the bottom. */
function placeOf(amount: bigint, { low, high }: Range): string {
  const up = ((amount - low) * BigInt(PLOT_HEIGHT) * TENTHS) / (high - low);
  return tenths(TOP + PLOT_HEIGHT - Number(up) / 10);
}

function tenths(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Returns the next 1, 2, 4 or 8 times a power of ten, for round figures at the grid. */
function roundUp(amount: bigint): bigint {
  for (let unit = 1n; ; unit *= 10n) {
    const found = [1n, 2n, 4n, 8n].map((factor) => factor * unit).find((rounded) => rounded >= amount);
    if (found !== undefined) return found;
  }
}
