export { accountKey, accountName, isChangedBySpreadsheet, hasRightKey, keyFault } from './bank-account-name';
export { addToGroup } from './add-to-group';
export { assert, AssertionError, unreachable } from './assert';
export { AppError, isAppError, type Fault, type Problem } from './app-error';
export { inputError, lineFault } from './input-error';
export { noticeLine, noticeOf, type CodedNotice, type Notice, type NoticeType } from './notice';
export { quoted, type AppErrorCode, type FieldFault } from './problem-type';
export { PROBLEM_CODES, problemKind, problemText, type ProblemCode, type ProblemParams } from './problems';
export {
  addMillimes,
  formatDinars,
  formatMoney,
  millimes,
  negateMillimes,
  parseDinars,
  parseMillimes,
  toMillimes,
  toTotal,
  totalToJson,
  ZERO_MILLIMES,
  type Millimes,
} from './millimes';
export { fileClock, formatInstant, monotonicClock, parseInstant, systemClock, type Clock, type Instant } from './clock';
export {
  addDays,
  businessCalendar,
  businessDate,
  dayOfWeek,
  parseBusinessDate,
  type BusinessCalendar,
  type BusinessDate,
} from './business-date';
export { WorkingDays } from './working-days';
export { fingerprintOf, isUuid, newId, sha256Hex } from './ids';
export { isLoopbackHost, isMailAddress } from './addresses';
export { compareBytes, fileIdFault, isOutsideId, outsideIdFault } from './outside-id';
export { DAY_MS, doubledPauseMs, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations';
export { counted } from './counted';
export { formatProbability, formatRate } from './rates';
export { csvFigure, csvLine, type CsvField } from './csv-line';
export { describeLineFaults, readCsvTable, type LineFault } from './csv-table';
export { foldText, westernDigits } from './fold-text';
export { guessableFault } from './guessable-text';
export { PACKAGE_ROOT } from './package-root';
export {
  compareKeys,
  filteredPage,
  mergeByKey,
  pageByKey,
  pageOf,
  ROWS_EXAMINED_MAX,
  rowsOfPages,
  type Page,
  type SortKey,
} from './page';
export { pagesOf } from './pages';
export { searchWordsOf, soughtWords } from './search-words';
export { createRefresher, type Refresher } from './refresher';
export { BEGINNING_CHARACTERS_MIN, CANDIDATES_SHOWN_MAX, onlyId, requireBeginning } from './unique-beginning';
export { shellQuoted } from './shell-quoted';
export { stopSignal } from './stop-signal';
export { systemCodeOf } from './system-code-of';
export { escapeUnseen, hasUnseen, shownText } from './unseen';
export { isJsonObject, ownValue, parseStrictJson, type StrictJsonOptions } from './strict-json';
