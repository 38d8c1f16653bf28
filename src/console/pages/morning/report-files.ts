import type { Download } from '../../page/page';

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
const LEDGER_FILES = { csv: 'ledger.csv', hledger: 'ledger.journal' } as const;

/** The file of a report: `/reports/clearing/csv?from=&to=`. */
export const REPORT_DOWNLOAD: Download = {
  path: '/reports/:report/:format',
  scope: 'reports:read',
  of({ report: name = '', format = '' }, { from = '', to = '' }, language) {
    const report = REPORT_NAMES.find((each) => each === name);
    const known = FILE_FORMATS.find((each) => each === format);
    if (report === undefined || known === undefined) return undefined;
    const { operation, isOfDay } = REPORTS[report];
    const days = isOfDay ? { through: to } : { from, to };
    const given = Object.fromEntries(Object.entries(days).filter(([, day]) => day !== ''));
    const named = Object.values(given).filter((day) => DAY.test(day));
    // Reports have no Arabic yet, and who reads Arabic in Tunisia reads French.
    const shown = { format: known, language: language === 'en' ? 'en' : 'fr' };
    return { operation, query: { ...given, ...shown }, fileName: `${[report, ...named].join('-')}.${known}` };
  },
};

/** All ledger transactions: `/exports/ledger/csv`. */
export const LEDGER_DOWNLOAD: Download = {
  path: '/exports/ledger/:format',
  scope: 'reports:read',
  of({ format = '' }) {
    const known = (['csv', 'hledger'] as const).find((each) => each === format);
    if (known === undefined) return undefined;
    return { operation: 'exportLedger', query: { format: known }, fileName: LEDGER_FILES[known] };
  },
};
