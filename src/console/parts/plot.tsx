import type { VNode } from 'preact';
import { drawAxis, drawMark, drawPlot, type Plot, type Shape } from '../../reporting';
import type { Texts } from '../../texts';
import { None } from './values';

interface PlotProps {
  readonly texts: Texts;
  readonly plot: Plot;
  /** The heading of the names in the table, such as the day. */
  readonly names: string;
}

/** A plot with its legend, and behind it the table of its figures. */
export function PlotFigure({ texts, plot, names }: PlotProps): VNode {
  const { title, unit, isOverTime, series } = plot;
  const hasUnknown = plot.categories.some(({ isUnknown }) => isUnknown);
  const hasLegend = series.length > 1 || hasUnknown;
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>
        <span>{unit}</span>
      </figcaption>
      {hasLegend ? (
        <ul class="legend">
          {series.map((each) => (
            <li>
              <Drawing of={drawMark(plot, each)} />
              {each.name}
            </li>
          ))}
          {hasUnknown ? (
            <li>
              <span class="mark-of-series unknown" aria-hidden="true" />
              {texts.t('morning:plot.unknown')}
            </li>
          ) : null}
        </ul>
      ) : null}
      <div class={isOverTime === true ? 'drawing over-time' : 'drawing'} role="group" aria-label={title} tabIndex={0}>
        <div class="canvas">
          <Drawing of={drawPlot(plot)} />
          <Drawing of={drawAxis(plot)} />
        </div>
      </div>
      <details>
        <summary>{texts.t('common:action.showTable')}</summary>
        <FiguresTable texts={texts} plot={plot} names={names} />
      </details>
    </figure>
  );
}

/** Renders a drawing. Its texts are escaped like all others. */
export function Drawing({ of: { tag, attributes, children } }: { of: Shape }): VNode {
  // The renderer writes any element; the type of one stands for all of them.
  const Tag = tag as 'g';
  return <Tag {...attributes}>{children.map((each) => (typeof each === 'string' ? each : <Drawing of={each} />))}</Tag>;
}

function FiguresTable({ plot, names }: PlotProps): VNode {
  const { title, categories, series, amountText } = plot;
  const rows = categories.map((category, at) => ({ category, at })).reverse();
  return (
    <div class="table" role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{names}</th>
            {series.map(({ name }) => (
              <th scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ category, at }) => (
            <tr>
              <th scope="row">{category.name}</th>
              {series.map(({ amounts }) => {
                const amount = amounts[at];
                return <td class="number">{amount === undefined ? <None /> : <bdi>{amountText(amount)}</bdi>}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
