import { formatDinars } from '../kernel';
import { escapeHtml } from './html-page';
import type { ReportPlot } from './report-document';

const WIDTH = 900;
const PLOT_HEIGHT = 200;
const LEFT = 110;
const TOP = 10;
const LABEL_SPACE = 24;
const LEGEND_LINE = 18;
const LEGEND_PER_LINE = 4;
const BAR_WIDTH_MAX = 60;
/** The width that a label needs; labels between are omitted. */
const LABEL_WIDTH = 80;
/** The number of colors on the page; further series share the last one. */
const COLORS = 6;
/** The number of grid steps between 0 and the top. */
const STEPS = 4n;
/** Rounds positions to tenths, so that equal amounts have equal positions on every machine. */
const TENTHS = 10n;

/** Renders stacked bars of amounts as SVG. The table beside it has the same figures. */
export function barChartSvg(plot: ReportPlot, id: string): string {
  const { title, description, categories, series } = plot;
  const totals = categories.map((_, at) => series.reduce((sum, { amounts }) => sum + (amounts[at] ?? 0n), 0n));
  const top = roundUp(totals.reduce((most, total) => (total > most ? total : most), 1n));
  const step = Math.floor(((WIDTH - LEFT) * 10) / Math.max(1, categories.length)) / 10;
  const legendHeight = Math.ceil(series.length / LEGEND_PER_LINE) * LEGEND_LINE;
  const height = TOP + PLOT_HEIGHT + LABEL_SPACE + legendHeight;
  return [
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">`,
    `<title id="${id}-title">${escapeHtml(title)}</title>`,
    `<desc id="${id}-text">${escapeHtml(description)}</desc>`,
    ...gridLines(top),
    ...categories.flatMap((category, at) => bars(plot, { category, at, step, top })),
    ...labels(categories, step),
    ...series.flatMap(({ name }, at) => legend(name, at)),
    '</svg>',
  ].join('\n');
}

function gridLines(top: bigint): string[] {
  return Array.from({ length: Number(STEPS) + 1 }, (_, at) => {
    const amount = (top * BigInt(at)) / STEPS;
    const y = placeOf(amount, top);
    return (
      `<line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/>` +
      `<text x="${LEFT - 6}" y="${y}" dy="4" text-anchor="end">${escapeHtml(formatDinars(amount))}</text>`
    );
  });
}

function bars(
  { series }: ReportPlot,
  { category, at, step, top }: { category: string; at: number; step: number; top: bigint },
): string[] {
  const width = tenths(Math.min(BAR_WIDTH_MAX, step * 0.8));
  const x = tenths(LEFT + at * step + (step - Number(width)) / 2);
  let below = 0n;
  return series.flatMap(({ name, amounts }, index) => {
    const amount = amounts[at] ?? 0n;
    if (amount <= 0n) return [];
    const bottom = placeOf(below, top);
    below += amount;
    const y = placeOf(below, top);
    const said = escapeHtml(`${category}, ${name}: ${formatDinars(amount)}`);
    const height = tenths(Number(bottom) - Number(y));
    return [
      `<rect class="s${colorOf(index)}" x="${x}" y="${y}" width="${width}" height="${height}"><title>${said}</title></rect>`,
    ];
  });
}

function labels(categories: readonly string[], step: number): string[] {
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(step, 0.1)));
  const y = TOP + PLOT_HEIGHT + 15;
  return categories.flatMap((category, at) =>
    at % every === 0
      ? [`<text x="${tenths(LEFT + (at + 0.5) * step)}" y="${y}" text-anchor="middle">${escapeHtml(category)}</text>`]
      : [],
  );
}

function legend(name: string, at: number): string[] {
  const x = LEFT + (at % LEGEND_PER_LINE) * ((WIDTH - LEFT) / LEGEND_PER_LINE);
  const y = TOP + PLOT_HEIGHT + LABEL_SPACE + Math.floor(at / LEGEND_PER_LINE) * LEGEND_LINE;
  return [
    `<rect class="s${colorOf(at)}" x="${tenths(x)}" y="${y}" width="10" height="10"/>`,
    `<text x="${tenths(x + 15)}" y="${y + 9}">${escapeHtml(name)}</text>`,
  ];
}

function colorOf(index: number): number {
  return Math.min(index, COLORS - 1);
}

/** Returns the vertical position of an amount: the largest at `TOP`, 0 at the bottom. */
function placeOf(amount: bigint, top: bigint): string {
  const up = (amount * BigInt(PLOT_HEIGHT) * TENTHS) / top;
  return tenths(TOP + PLOT_HEIGHT - Number(up) / 10);
}

function tenths(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Returns the next 1, 2, 4 or 8 times a power of ten, at least one dinar, for round figures at the grid. */
function roundUp(amount: bigint): bigint {
  for (let unit = 1_000n; ; unit *= 10n) {
    const found = [1n, 2n, 4n, 8n].map((factor) => factor * unit).find((rounded) => rounded >= amount);
    if (found !== undefined) return found;
  }
}
