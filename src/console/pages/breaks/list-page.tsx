import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { BREAK_CLASSES, BREAK_STATUSES, SEVERITIES } from '../../../breaks';
import { parseDinars } from '../../../kernel';
import type { Texts } from '../../../texts';
import type { Page, Visit } from '../../page/page';
import { AsOf } from '../../parts/cut-off';
import { ActionForm, Choice, Field, FilterForm } from '../../parts/forms';
import { ProblemBox } from '../../parts/problem-box';
import { type Column, Pager, Table } from '../../parts/table';
import { Day, None } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { type Break, breakFilter, filterFields, isFiltered, WHO } from './break-query';
import { Due, Severity, Size, Status } from './break-words';
import { ManySteps } from './many-steps';
import { applySteps, previewSteps } from './many-steps-action';

const PATH = '/breaks';

/** The queue of breaks, and one step for many of them. */
export const BREAKS_PAGE: Page = {
  path: PATH,
  scope: 'breaks:read',
  menu: { group: 'daily', label: 'common:menu.breaks' },
  async show(visit) {
    const { texts, query } = visit;
    const list = await visit.call('listBreaks', { query: { ...breakFilter(visit), cursor: query['cursor'] } });
    return { title: texts.t('breaks:title'), body: <Queue visit={visit} list={list} />, isWide: true };
  },
  actions: {
    preview: { scope: 'breaks:work', run: previewSteps },
    apply: { scope: 'breaks:work', run: applySteps },
  },
};

function Queue({ visit, list }: { visit: Visit; list: Json<'listBreaks'> }): VNode {
  const { texts, query, problem } = visit;
  const { t } = texts;
  const own = to(PATH);
  const canWork = visit.can('breaks:work');
  const isResolved = query['status'] === 'resolved';
  const table = (
    <Table
      caption={t('breaks:list.caption')}
      rows={list.data}
      columns={[...(canWork ? [boxColumn(visit)] : []), ...columnsOf(texts)]}
      empty={isFiltered(visit) ? t('common:state.nothingFits') : t('breaks:list.allResolved')}
    />
  );
  return (
    <>
      <AsOf texts={texts} now={visit.now} />
      <ProblemBox texts={texts} problem={problem} />
      <Filter visit={visit} />
      {canWork && list.data.length > 0 && !isResolved ? (
        <ActionForm visit={visit} action="preview" label={t('breaks:many.title')}>
          {table}
          <ManySteps visit={visit} />
        </ActionForm>
      ) : (
        table
      )}
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(own, { ...filterFields(visit), cursor: list.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : withQuery(own, filterFields(visit))}
      />
    </>
  );
}

function Filter({ visit }: { visit: Visit }): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  const { min = '' } = query;
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[], any: string): VNode => (
    <Choice name={name} label={label} value={query[name] ?? ''} options={[['', any], ...options]} />
  );
  const all = t('common:state.all');
  return (
    <FilterForm texts={texts} path={to(PATH)}>
      {choice(
        'status',
        t('common:field.state'),
        wordsOf(texts, 'breakStatus', BREAK_STATUSES),
        t('breaks:list.unresolved'),
      )}
      {choice('class', t('breaks:field.class'), wordsOf(texts, 'breakClass', BREAK_CLASSES), all)}
      {choice('severity', t('breaks:field.severity'), wordsOf(texts, 'severity', SEVERITIES), all)}
      {choice(
        'who',
        t('breaks:field.assignee'),
        WHO.map((who) => [who, t(`breaks:who.${who}`)] as const),
        all,
      )}
      <Field
        name="min"
        inputMode="decimal"
        label={t('breaks:list.atLeast')}
        value={min}
        fault={min !== '' && parseDinars(min) === undefined ? t('common:form.notAnAmount') : undefined}
        isPlain
      />
      {choice('sort', t('breaks:list.order'), [['-since', t('breaks:list.newestFirst')]], t('breaks:list.oldestFirst'))}
      <label class="box">
        <input type="checkbox" name="overdue" value="true" checked={query['overdue'] === 'true'} />
        <span>{t('breaks:list.onlyOverdue')}</span>
      </label>
    </FilterForm>
  );
}

function wordsOf(
  texts: Texts,
  list: 'breakClass' | 'breakStatus' | 'severity',
  codes: readonly string[],
): (readonly [string, string])[] {
  return codes.map((code) => [code, texts.word(list, code)]);
}

function boxColumn({ texts, form }: Visit): Column<Break> {
  const chosen = new Set(form.values('break').map((each) => each.split(':')[0]));
  return {
    label: texts.t('common:action.select'),
    cell: ({ id, version, class: breakClass }) => (
      <input
        type="checkbox"
        name="break"
        value={`${id}:${version}`}
        checked={chosen.has(id)}
        aria-label={texts.t('common:table.chooseRow', { row: `${texts.word('breakClass', breakClass)} ${id}` })}
      />
    ),
  };
}

/** The columns that say which break it is. */
export function columnsOf(texts: Texts): readonly Column<Break>[] {
  const { t } = texts;
  return [
    {
      label: t('breaks:field.class'),
      isHead: true,
      cell: ({ id, class: breakClass }) => <a href={to(PATH, id)}>{texts.word('breakClass', breakClass)}</a>,
    },
    {
      label: t('breaks:field.size'),
      isNumber: true,
      cell: (each) => (
        <>
          <Size texts={texts} of={each} />
          <small class="under">{texts.word('direction', each.direction)}</small>
        </>
      ),
    },
    { label: t('breaks:field.severity'), cell: (each) => <Severity texts={texts} of={each} /> },
    { label: t('common:field.state'), cell: (each) => <Status texts={texts} of={each} /> },
    {
      label: t('breaks:field.assignee'),
      cell: ({ assignee }) => (assignee === null ? <None /> : <bdi>{assignee}</bdi>),
    },
    {
      label: t('breaks:field.since'),
      cell: ({ since, ageDays }) => (
        <>
          <Day texts={texts} of={since} />
          <small class="under">{t('common:count.workingDays', { count: ageDays })}</small>
        </>
      ),
    },
    { label: t('breaks:field.dueOn'), cell: (each) => <Due texts={texts} of={each} /> },
  ];
}
