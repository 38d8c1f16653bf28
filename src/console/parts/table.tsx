import type { ComponentChildren, VNode } from 'preact';
import type { Texts } from '../../texts';

/** A column of a table. Amounts and counts end at one edge. */
export interface Column<Row> {
  readonly label: string;
  readonly isNumber?: boolean;
  /** Whether the cell names the row. */
  readonly isHead?: boolean;
  cell(row: Row): ComponentChildren;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** What stands in place of a table without rows. */
  readonly empty: ComponentChildren;
  readonly isCaptionShown?: boolean;
  /** Whether its cells are narrow, for more columns than a usual screen holds. */
  readonly isTight?: boolean;
  /** A row of sums, one cell for each column. */
  readonly foot?: readonly ComponentChildren[];
  /** The class of a row that stands out; a sign in its cells says why. */
  rowClass?(row: Row): string | undefined;
}

/** A table in a named region that scrolls by itself, so that the page does not. */
export function Table<Row>(props: TableProps<Row>): VNode {
  const { caption, rows, columns, empty, isCaptionShown, isTight, foot, rowClass } = props;
  if (rows.length === 0) return <div class="empty">{empty}</div>;
  const classOf = ({ isNumber }: Column<Row>): string | undefined => (isNumber === true ? 'number' : undefined);
  return (
    <div class="table" role="region" aria-label={caption} tabIndex={0}>
      <table class={isTight === true ? 'tight' : undefined}>
        <caption class={isCaptionShown === true ? undefined : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr class={rowClass?.(row)}>
              {columns.map((column) =>
                column.isHead === true ? (
                  <th scope="row" class={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td class={classOf(column)}>{column.cell(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {foot === undefined ? null : (
          <tfoot>
            <tr>
              {foot.map((cell, index) => {
                const column = columns[index];
                return <td class={column && classOf(column)}>{cell}</td>;
              })}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

interface PagerProps {
  readonly texts: Texts;
  readonly hasMore: boolean;
  /** The address of the next page. */
  readonly next: string;
  /** The address of the first page; undefined on the first page. */
  readonly first: string | undefined;
}

/** The links between the pages of a list. */
export function Pager({ texts, hasMore, next, first }: PagerProps): VNode | null {
  if (!hasMore && first === undefined) return null;
  return (
    <nav class="pager" aria-label={texts.t('common:pager.label')}>
      {first === undefined ? null : <a href={first}>{texts.t('common:pager.first')}</a>}
      {hasMore ? (
        <a rel="next" href={next}>
          {texts.t('common:pager.next')}
        </a>
      ) : null}
    </nav>
  );
}

/** A part of a page with a heading. */
export function Panel({
  title,
  children,
  ...more
}: {
  title: string;
  children: ComponentChildren;
  class?: string;
}): VNode {
  return (
    <section class={`panel ${more.class ?? ''}`.trim()}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
