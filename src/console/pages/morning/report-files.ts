import type { Page } from '../../page/page';
import { nothingHere } from '../../page/problem';

/** The reports, in the order of their list. Those of a day have no first day. */
export const REPORTS = {
  daily: { operation: 'showDailyReport', isOfDay: true },
  aging: { operation: 'showAgingReport', isOfDay: true },
  clearing: { operation: 'showClearingReport', isOfDay: false },
  agents: { operation: 'showAgentsReport', isOfDay: false },
  payouts: { operation: 'showPayoutsReport', isOfDay: false },
  fees: { operation: 'showFeesReport', isOfDay: false },
} as const;
export const REPORT_NAMES = Object.keys(REPORTS) as readonly (keyof typeof REPORTS)[];

export const FILE_FORMATS = ['csv', 'html'] as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The file of a report: `/reports/clearing/csv?from=&to=`. */
export const REPORT_FILE_PAGE: Page = {
  path: '/reports/:report/:format',
  scope: 'reports:read',
  show({ params: { report: name = '', format = '' }, query: { from = '', to = '' } }) {
    const report = REPORT_NAMES.find((each) => each === name);
    const known = FILE_FORMATS.find((each) => each === format);
    if (report === undefined || known === undefined) throw nothingHere('report', name);
    const { operation, isOfDay } = REPORTS[report];
    const days = isOfDay ? { through: to } : { from, to };
    const given = Object.fromEntries(Object.entries(days).filter(([, day]) => day !== ''));
    const named = Object.values(given).filter((day) => DAY.test(day));
    const fileName = `${[report, ...named].join('-')}.${known}`;
    return Promise.resolve({ download: operation, query: { ...given, format: known }, fileName });
  },
};

/** All ledger transactions: `/exports/ledger/csv`. */
export const LEDGER_FILE_PAGE: Page = {
  path: '/exports/ledger/:format',
  scope: 'reports:read',
  show({ params: { format = '' } }) {
    if (format !== 'csv' && format !== 'hledger') throw nothingHere('export', format);
    return Promise.resolve({ download: 'exportLedger', query: { format } });
  },
};
