import { counted, formatDinars } from '../kernel';
import { escapeHtml, htmlTable } from './html-page';
import { drawAxis, drawMark, drawPlot } from './plots/draw-plot';
import type { Plot } from './plots/plot';
import type { Shape } from './plots/shape';
import type { ReportPlot } from './report-document';
import { onPage, type Speech, TERMINAL_ENGLISH } from './speech';

/** Renders a plot with its title, its unit and, behind it, its figures as a table; nothing without a figure. */
export function plotHtml(report: ReportPlot, id: string, speech = onPage(TERMINAL_ENGLISH)): string[] {
  const { say } = speech;
  const plot = plotOf(report, id, speech);
  const { title, unit, categories, series, amountText } = plot;
  if (series.every(({ amounts }) => amounts.every((amount) => amount === 0n))) {
    return [`<p class="faint">${escapeHtml(say(`${report.title}: none`))}</p>`];
  }
  return [
    `<figure class="plot"><figcaption><strong>${escapeHtml(title)}</strong> <span>${escapeHtml(unit)}</span></figcaption>`,
    ...(series.length > 1 ? legend(plot) : []),
    `<div class="drawing${plot.isOverTime === true ? ' over-time' : ''}" role="group" aria-label="${escapeHtml(title)}" tabindex="0">`,
    `<div class="canvas">${shapeHtml(drawPlot(plot))}${shapeHtml(drawAxis(plot))}</div>`,
    '</div>',
    `<details><summary>${escapeHtml(say('Figures of the plot'))}</summary>`,
    ...htmlTable(
      {
        caption: report.title,
        columns: [
          { label: report.unit === 'DT' ? 'day' : 'working days' },
          ...report.series.map(({ name }) => ({ label: name, isFigure: true })),
        ],
        rows: categories.map(({ name }, at) => ({
          cells: [
            { html: escapeHtml(name) },
            ...series.map(({ amounts }) => ({ html: escapeHtml(amountText(amounts[at] ?? 0n)), isFigure: true })),
          ],
        })),
      },
      speech,
    ),
    '</details></figure>',
  ];
}

function plotOf(report: ReportPlot, id: string, { say, word }: Speech): Plot {
  const { title, unit, description, kind, categories, series } = report;
  const isMoney = unit === 'DT';
  return {
    ...{ id, title: say(title), description: say(description) },
    unit: say(isMoney ? 'in dinars' : 'number of breaks'),
    isOverTime: isMoney,
    kind: kind === 'line' ? 'lines' : 'bars',
    categories: categories.map((code) => {
      const name = isMoney ? code : word('ageBand', code);
      return { name, label: name };
    }),
    series: series.map(({ name, amounts }, style) => ({ name: say(name), style, amounts })),
    amountText: (amount) => (isMoney ? formatDinars(amount) : say(counted(Number(amount), 'break'))),
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
