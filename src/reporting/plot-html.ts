import { counted, formatDinars } from '../kernel';
import { escapeHtml, htmlTable } from './html-page';
import { drawMark, drawPlot } from './plots/draw-plot';
import type { Plot } from './plots/plot';
import type { Shape } from './plots/shape';
import type { ReportPlot } from './report-document';

/** Renders a plot with its title, its unit and, behind it, its figures as a table; nothing without a figure. */
export function plotHtml(report: ReportPlot, id: string): string[] {
  const plot = plotOf(report, id);
  const { title, unit, categories, series, amountText } = plot;
  if (series.every(({ amounts }) => amounts.every((amount) => amount === 0n))) {
    return [`<p class="faint">${escapeHtml(title)}: none</p>`];
  }
  return [
    `<figure class="plot"><figcaption><strong>${escapeHtml(title)}</strong> <span>${unit}</span></figcaption>`,
    ...(series.length > 1 ? legend(plot) : []),
    `<div class="drawing" role="group" aria-label="${escapeHtml(title)}" tabindex="0">`,
    shapeHtml(drawPlot(plot)),
    '</div>',
    '<details><summary>Figures of the plot</summary>',
    ...htmlTable({
      caption: title,
      columns: [
        { label: report.unit === 'DT' ? 'day' : 'working days' },
        ...series.map(({ name }) => ({ label: name, isFigure: true })),
      ],
      rows: categories.map(({ name }, at) => ({
        cells: [
          { html: escapeHtml(name) },
          ...series.map(({ amounts }) => ({ html: escapeHtml(amountText(amounts[at] ?? 0n)), isFigure: true })),
        ],
      })),
    }),
    '</details></figure>',
  ];
}

function plotOf({ title, unit, description, kind, categories, series }: ReportPlot, id: string): Plot {
  const isMoney = unit === 'DT';
  return {
    ...{ id, title, description },
    unit: isMoney ? 'in dinars' : 'number of breaks',
    kind: kind === 'line' ? 'lines' : 'bars',
    categories: categories.map((name) => ({ name, label: name })),
    series: series.map(({ name, amounts }, style) => ({ name, style, amounts })),
    amountText: (amount) => (isMoney ? formatDinars(amount) : counted(Number(amount), 'break')),
    axisText: (amount) => (isMoney ? formatDinars(amount).replace(/(,000)? DT$/, '') : String(amount)),
  };
}

function legend(plot: Plot): string[] {
  const entries = plot.series.map((each) => `<li>${shapeHtml(drawMark(plot, each))}${escapeHtml(each.name)}</li>`);
  return ['<ul class="legend">', ...entries, '</ul>'];
}

function shapeHtml({ tag, attributes, children }: Shape): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`);
  const inside = children.map((each) => (typeof each === 'string' ? escapeHtml(each) : shapeHtml(each)));
  return `<${tag}${written.join('')}>${inside.join('')}</${tag}>`;
}
