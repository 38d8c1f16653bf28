export { openAccounts } from './account-store';
export { lineIdentity } from './chain/line-identity';
export { isEffectiveLine } from './effective-lines';
export { postLines } from './effective/post-lines';
export { checkImport } from './importing/check-import';
export { finishLoad } from './importing/finish-load';
export { loadBankFile } from './importing/load-bank-file';
export { openLoadingRows } from './importing/loading-rows-store';
export { newStatement } from './importing/new-statement';
export { removeLeftoverRows, removeRows, type Slot, takeSlot } from './importing/take-slot';
export { type Load, lockSlot, openLoads } from './load-store';
export { waitForOtherDecisions } from './other-decisions';
export { createCamtReader } from './reading/camt/read-camt';
export { chooseReader } from './reading/choose-reader';
export type { GivenForm } from './reading/csv/form-choice';
export { proposeProfile, undecidedIn } from './reading/csv/propose-profile';
export { createCsvReader } from './reading/csv/read-csv';
export {
  ZERO_DECIMAL,
  addDecimals,
  decimalText,
  equalDecimals,
  neededScale,
  negateDecimal,
  parseDecimal,
  subtractDecimals,
  unitsWithScale,
} from './reading/decimal';
export { inspectBankFile } from './reading/inspect-bank-file';
export { type WholeStatement, joinPages } from './reading/join-pages';
export {
  DEPTH_MAX,
  FILE_BYTES_MAX,
  RAW_CHARACTERS_MAX,
  STATEMENTS_MAX,
  TEXT_CHARACTERS_MAX,
  WHOLE_FILE_BYTES_MAX,
} from './reading/limits';
export { loadProfiles } from './reading/load-profiles';
export { createMt940Reader } from './reading/mt940/read-mt940';
export { createOfxReader } from './reading/ofx/read-ofx';
export type { StatedBalance, StatementEvent, StatementReader } from './reading/parsed-statement';
export { scanBankFile } from './reading/scan-bank-file';
export { type CsvProfileText, csvProfileSchema, payoutPatternFor } from './reading/statement-profile';
