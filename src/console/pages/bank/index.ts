import type { Page } from '../../page/page';
import { BANK_PAGE } from './bank-page';
import { IMPORT_PAGE } from './import-page';
import { PROFILES_PAGE } from './profiles-page';
import { STATEMENT_PAGE } from './statement-page';
import { UPLOAD_PAGE } from './upload-page';

export const BANK_PAGES: readonly Page[] = [BANK_PAGE, STATEMENT_PAGE, IMPORT_PAGE, UPLOAD_PAGE, PROFILES_PAGE];

export { STATEMENT_FILE } from './statement-file';
