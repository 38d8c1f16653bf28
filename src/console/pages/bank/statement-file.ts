import type { Download } from '../../page/page';

/** The original bytes of a statement's file. */
export const STATEMENT_FILE: Download = {
  path: '/bank/statements/:statementId/file',
  scope: 'statements:read',
  of: (params) => ({ operation: 'downloadStatementFile', params }),
};
