import { textTable } from '../api/api-table';
import type { MeasuredPage } from './bench-pages';

const HEAD = ['page', 'role', 'ms', 'p95 ms', 'KB', 'rows read', 'bound'];

/** Returns one line for each page. A page above its bound is marked. */
export function pageTable(measured: readonly MeasuredPage[]): string {
  return textTable(
    HEAD,
    measured.map((one) => [
      ...[one.page.address || '/', one.page.role, one.medianMs.toFixed(1), one.p95Ms.toFixed(1)],
      ...[(one.bytes / 1_000).toFixed(0), String(one.rowsRead ?? 'not counted'), String(one.rowsMax)],
      isAbove(one) ? 'above' : '',
    ]),
  );
}

export function isAbove({ rowsRead, rowsMax }: MeasuredPage): boolean {
  return rowsRead !== undefined && rowsRead > rowsMax;
}
