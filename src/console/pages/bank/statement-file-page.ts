import type { Page } from '../../page/page';

/** The original bytes of a statement's file, as a download. */
export const STATEMENT_FILE_PAGE: Page = {
  path: '/bank/statements/:statementId/file',
  scope: 'statements:read',
  show: ({ params }) => Promise.resolve({ download: 'downloadStatementFile', params }),
};
