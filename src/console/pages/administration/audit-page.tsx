import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { addDays, formatInstant, parseBusinessDate } from '../../../kernel';
import { filtered, filtersOf } from '../../page/filtered';
import { OutcomeRefused } from '../../page/outcome-refused';
import type { Page, Visit } from '../../page/page';
import type { Problem } from '../../page/problem';
import { Choice, Field, FilterForm } from '../../parts/forms';
import { faultOf, ProblemBox } from '../../parts/problem-box';
import { Pager, Table } from '../../parts/table';
import { Moment } from '../../parts/values';
import { to, withQuery } from '../../web/own-path';
import { Detail } from './audit-detail';
import { Subject } from './audit-subject';

type List = Json<'listAuditRecords'>;
type Actor = List['data'][number]['actor'];

const PATH = '/audit';
const PLAIN_FILTERS = ['actor', 'action', 'subject'] as const;
const FILTERS = ['from', 'to', ...PLAIN_FILTERS] as const;

/** Who did what, when, on what, newest first. */
export const AUDIT_PAGE: Page = {
  path: PATH,
  scope: 'audit:read',
  menu: { group: 'system', label: 'common:menu.audit' },
  async show(visit) {
    const { texts } = visit;
    const { list, refused } = await filtered(visit.texts, () => readList(visit));
    const body = (
      <>
        <p class="cut-off">{texts.t('administration:audit.what', { instant: texts.instant(visit.now) })}</p>
        <ProblemBox texts={texts} problem={refused} />
        <Filters visit={visit} problem={refused} />
        {list === undefined ? null : <Rows visit={visit} list={list} />}
      </>
    );
    return { title: texts.t('common:menu.audit'), body, isWide: true };
  },
};

async function readList(visit: Visit): Promise<List> {
  const { query, calendar, call } = visit;
  const from = dayOf(visit, 'from');
  const until = dayOf(visit, 'to');
  return call('listAuditRecords', {
    query: {
      ...filtersOf<'listAuditRecords'>(query, [...PLAIN_FILTERS, 'cursor']),
      since: from === undefined ? undefined : formatInstant(calendar.startOf(from)),
      until: until === undefined ? undefined : formatInstant(calendar.startOf(addDays(until, 1))),
    },
  });
}

function dayOf({ query, texts }: Visit, name: 'from' | 'to') {
  const typed = query[name]?.trim() ?? '';
  if (typed === '') return undefined;
  const day = parseBusinessDate(typed);
  if (day === undefined) throw new OutcomeRefused(name, texts.t('common:form.notADate'));
  return day;
}

function Filters({ visit: { texts, query }, problem }: { visit: Visit; problem: Problem | undefined }): VNode {
  const { t } = texts;
  const field = (name: (typeof FILTERS)[number]) => ({
    ...{ name, value: query[name] ?? '', fault: faultOf(problem, name) },
  });
  const actions = texts.codes('auditAction').map((code) => [code, texts.word('auditAction', code)] as const);
  return (
    <FilterForm texts={texts} path={to(PATH)}>
      <Field {...field('from')} type="date" label={t('common:field.from')} />
      <Field {...field('to')} type="date" label={t('common:field.through')} />
      <Field {...field('actor')} label={t('administration:audit.who')} isPlain />
      <Choice
        {...field('action')}
        label={t('administration:audit.did')}
        options={[
          ['', t('common:state.all')],
          ...[...actions].sort(([, a], [, b]) => a.localeCompare(b, texts.language)),
        ]}
      />
      <Field
        {...field('subject')}
        label={t('administration:audit.onWhat')}
        hint={t('administration:audit.subjectHint')}
        isPlain
      />
    </FilterForm>
  );
}

function Rows({ visit, list }: { visit: Visit; list: List }): VNode {
  const { texts, query } = visit;
  const { t } = texts;
  const own = to(PATH);
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query[name]]));
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const none = list.hasMore
    ? 'administration:audit.noneOnPage'
    : isFiltered
      ? 'common:state.nothingFits'
      : 'administration:audit.none';
  return (
    <>
      <Table
        caption={t('common:menu.audit')}
        rows={list.data}
        empty={t(none)}
        columns={[
          { label: t('administration:audit.when'), cell: ({ at }) => <Moment texts={texts} of={at} /> },
          { label: t('administration:audit.who'), cell: ({ actor }) => <Who visit={visit} actor={actor} /> },
          {
            label: t('administration:audit.did'),
            isHead: true,
            cell: ({ action }) => texts.word('auditAction', action),
          },
          {
            label: t('administration:audit.onWhat'),
            cell: ({ subject }) => <Subject visit={visit} subject={subject} />,
          },
          { label: t('administration:audit.detail'), cell: (record) => <Detail texts={texts} record={record} /> },
        ]}
      />
      <Pager
        texts={texts}
        hasMore={list.hasMore}
        next={withQuery(own, { ...filters, cursor: list.nextCursor ?? '' })}
        first={query['cursor'] === undefined ? undefined : withQuery(own, filters)}
      />
    </>
  );
}

function Who({ visit: { texts }, actor: { kind, name } }: { visit: Visit; actor: Actor }): VNode {
  const what = texts.word('actorKind', kind);
  if (kind === 'operator') return <>{what}</>;
  return (
    <span class="two-lines">
      <a href={withQuery(to(PATH), { actor: name })}>
        <bdi>{kind === 'job' ? texts.word('job', name) : name}</bdi>
      </a>
      <small>{what}</small>
    </span>
  );
}
