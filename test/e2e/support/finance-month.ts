import { expect } from '@jest/globals';
import iconv from 'iconv-lite';
import { addDays, type BusinessDate, businessDate, DAY_MS } from '../../../src/kernel';
import { camt053, type GivenEntry, mt940 } from '../../support/bank-messages';
import { type GivenCell, styled, xlsxFile } from '../../support/xlsx-file';
import { call } from './call';
import type { Installation } from './installation';

// March 2026 of a company in Tunis: agents pay on working days, the gateway pays each day's payments on the next working
// day, and the bank books other movements between them. One payout is 5 dinars short.

const RIB = '08006012345678901231';
const SHORT_MILLIMES = 5_000;
const PAYOUT_TEXT = 'VIR RECU SERVICE DE PAIEMENT';
const FIRST = businessDate('2026-03-01');
const LAST = businessDate('2026-03-31');
const HOLIDAYS = ['2026-03-20'];
const SHORT_DAY = '2026-03-18';
const OPENING = 25_300_500;
/** Day 0 of a workbook. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const AGENTS = ['004711', '4711', 'K-SFAX', 'كشك-12'];
const HOURS = ['09:12:31', '11:40:05', '15:27:48'];

interface Payment {
  readonly at: string;
  readonly transactionId: string;
  readonly agentId: string;
  readonly amount: number;
}

/** Everything that happened in the month, and the bank file of it in each format. */
interface FinanceMonth {
  readonly agentIds: readonly string[];
  readonly payments: readonly Payment[];
  readonly entries: readonly GivenEntry[];
  readonly closing: number;
}

export function financeMonth(): FinanceMonth {
  const payments: Payment[] = [];
  const entries: GivenEntry[] = [];
  let owed = 0;
  for (let day = FIRST; day <= LAST; day = addDays(day, 1)) {
    const date = new Date(`${day}T00:00:00Z`);
    const isWorkingDay = date.getUTCDay() % 6 !== 0 && !HOLIDAYS.includes(day);
    entries.push(...otherEntries(day));
    if (!isWorkingDay) continue;
    if (owed > 0) entries.push({ day, text: PAYOUT_TEXT, amount: owed - (day === SHORT_DAY ? SHORT_MILLIMES : 0) });
    owed = 0;
    for (const hour of HOURS) {
      const number = payments.length + 1;
      // Amounts that never repeat, so that only one set of them makes a payout.
      const amount = 20_000 + ((number * number * 9_973 + number * 371) % 180_000);
      const agentId = AGENTS[number % AGENTS.length] ?? '';
      payments.push({ at: `${day}T${hour}+01:00`, transactionId: `T-${number}`, agentId, amount });
      owed += amount;
    }
  }
  return {
    ...{ agentIds: AGENTS, payments, entries },
    closing: entries.reduce((sum, { amount }) => sum + amount, OPENING),
  };
}

function otherEntries(day: BusinessDate): GivenEntry[] {
  const found: Readonly<Record<string, GivenEntry>> = {
    '2026-03-03': { day, text: 'PRLV LOYER MARS', amount: -1_850_000 },
    '2026-03-12': { day, text: 'VERSEMENT ESPECES GUICHET', amount: 640_000 },
    '2026-03-25': { day, text: 'REMISE CHEQUE 0012345', amount: 2_120_750 },
    '2026-03-31': { day, text: 'FRAIS TENUE DE COMPTE', amount: -11_900 },
  };
  return Object.entries(found).flatMap(([date, entry]) => (date === day ? [entry] : []));
}

/** Sends every payment of the month at its instant, by a clock file. Each is answered `0`. */
export async function payMonth(millime: Installation, { agentIds, payments }: FinanceMonth): Promise<void> {
  await millime.seedAgents(agentIds, 5_000_000);
  const token = await millime.token();
  const service = await millime.serve({ role: 'http' });
  for (const { at, transactionId, agentId, amount } of payments) {
    millime.setClock(at);
    const body = { transactionId, agentId, amount };
    const answer = await call(service.baseUrl, { method: 'POST', path: '/service/confirm', token, body });
    expect(answer.body).toEqual({ code: '0' });
  }
  await service.stop();
}

/** The bank's export in French: windows-1252 with semicolons, no currency, and the balance after each row. */
export function asCsv(month: FinanceMonth): Buffer {
  return iconv.encode(
    tableOf(month)
      .map((row) => row.join(';'))
      .join('\r\n'),
    'windows-1252',
  );
}

/** The same rows in a workbook, with dates and amounts as numbers. */
export function asXlsx(month: FinanceMonth): Buffer {
  const rows = tableOf(month).map((row) => row.map(cellOf));
  return xlsxFile({ formats: ['dd/mm/yyyy', '#,##0.000'], sheets: [{ name: 'Relevé', rows }] });
}

function cellOf(text: string): GivenCell {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
  if (day !== undefined) {
    return styled((Date.UTC(Number(year), Number(month) - 1, Number(day)) - EPOCH_1900) / DAY_MS, 0);
  }
  return /^[\d ]+,\d{3}$/.test(text) ? styled(text.replaceAll(' ', '').replace(',', '.'), 1) : text;
}

function tableOf({ entries }: FinanceMonth): string[][] {
  let balance = OPENING;
  const rows = entries.map(({ day, text = '', amount }) => {
    balance += amount;
    return [
      ...[french(day), text, amount < 0 ? decimal(-amount) : '', amount > 0 ? decimal(amount) : ''],
      decimal(balance),
    ];
  });
  return [
    ['Relevé de compte', '', '', '', ''],
    ['RIB', RIB, '', '', ''],
    ['Date opération', 'Libellé', 'Débit', 'Crédit', 'Solde'],
    ['01/03/2026', 'Solde initial', '', '', decimal(OPENING)],
    ...rows,
    ['31/03/2026', 'Solde final', '', '', decimal(balance)],
  ];
}

export function asMt940({ entries, closing }: FinanceMonth): Buffer {
  const ends = { opening: { amount: OPENING, day: FIRST }, closing: { amount: closing, day: LAST } };
  return mt940([{ account: RIB, ...ends, entries: numbered(entries) }]);
}

export function asCamt({ entries, closing }: FinanceMonth): Buffer {
  const balances = [
    { type: 'OPBD', amount: OPENING, day: FIRST },
    { type: 'CLBD', amount: closing, day: LAST },
  ];
  return camt053([{ account: RIB, balances, entries: numbered(entries) }]);
}

function numbered(entries: readonly GivenEntry[]): GivenEntry[] {
  return entries.map((entry, index) => ({ ...entry, reference: `B${index + 1}` }));
}

function french(day: string): string {
  return day.split('-').reverse().join('/');
}

function decimal(millimes: number): string {
  const digits = String(millimes).padStart(4, '0');
  return `${digits.slice(0, -3).replace(/\B(?=(\d{3})+$)/g, ' ')},${digits.slice(-3)}`;
}
