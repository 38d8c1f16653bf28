import type { VNode } from 'preact';
import { addDays, businessDate, parseBusinessDate } from '../../../kernel';
import type { Texts } from '../../../texts';
import type { Page } from '../../page/page';
import { Field } from '../../parts/forms';
import { Panel, Table } from '../../parts/table';
import { to, withQuery } from '../../web/own-path';
import { DayReport } from './day-report';
import { FILE_FORMATS, REPORT_NAMES, REPORTS } from './report-files';

interface Days {
  readonly from: string;
  readonly to: string;
}

/** The reports of a period as files, and its last day on the page once a person asks for it. */
export const REPORTS_PAGE: Page = {
  path: '/reports',
  scope: 'reports:read',
  menu: { group: 'daily', label: 'common:menu.reports' },
  async show({ texts, query, calendar, now, call }) {
    const { t } = texts;
    const last = parseBusinessDate(query['to'] ?? '') ?? addDays(calendar.dateOf(now), -1);
    const first = parseBusinessDate(query['from'] ?? '') ?? businessDate(`${last.slice(0, 8)}01`);
    // Reading a day reads its whole past, so it waits for a person who asks.
    const report = query['to'] === undefined ? undefined : await call('showDailyReport', { query: { through: last } });
    const body = (
      <>
        <form method="get" action={to('/reports')} class="filter" aria-label={t('morning:reports.period')}>
          <Field name="from" label={t('common:field.from')} type="date" value={first} />
          <Field name="to" label={t('common:field.through')} type="date" value={last} isRequired />
          <button>{t('morning:reports.show')}</button>
        </form>
        {report === undefined ? null : <DayReport texts={texts} report={report} />}
        <ReportFiles texts={texts} days={{ from: first, to: last }} />
        <p>
          <a href={to('/exports')}>{t('morning:reports.toExports')}</a>
        </p>
      </>
    );
    return { title: t('morning:reports.title'), body, isWide: true };
  },
};

function ReportFiles({ texts, days }: { texts: Texts; days: Days }): VNode {
  const { t, word, date } = texts;
  const period = (isOfDay: boolean): string => (isOfDay ? date(days.to) : `${date(days.from)} – ${date(days.to)}`);
  return (
    <Panel title={t('morning:reports.list')}>
      <Table
        caption={t('morning:reports.list')}
        rows={REPORT_NAMES}
        empty={null}
        columns={[
          { label: t('morning:reports.report'), isHead: true, cell: (name) => word('report', name) },
          {
            label: t('morning:reports.files'),
            cell: (name) => (
              <span class="line">
                {FILE_FORMATS.map((format) => (
                  <a
                    href={withQuery(to('/reports', name, format), { ...days })}
                    aria-label={`${word('report', name)} · ${t(`morning:reports.${format}`)}`}
                  >
                    {t(`morning:reports.${format}`)}
                  </a>
                ))}
              </span>
            ),
          },
          { label: t('morning:reports.what'), cell: (name) => t(`morning:reports.${name}`) },
          { label: t('common:field.date'), cell: (name) => <bdi>{period(REPORTS[name].isOfDay)}</bdi> },
        ]}
      />
    </Panel>
  );
}
