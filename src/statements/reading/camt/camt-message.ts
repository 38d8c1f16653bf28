import type { BusinessDate } from '../../../kernel';
import { DETAILS_MAX } from '../limits';
import type { StatementEvent, StatementKind } from '../parsed-statement';
import { refusalAt } from '../refusal';
import { detailCharacters, lineDetail } from './camt-detail';
import {
  type BalanceDraft,
  type DetailDraft,
  type EntryDraft,
  type MoneyDraft,
  newBalance,
  newDetail,
  newEntry,
  newStatement,
  type StatementDraft,
} from './camt-drafts';
import { note, parsedLine } from './camt-entry';
import { parsedStatement } from './camt-statement';
import type { RawXml } from './xml-element';

/** The limit on all texts that the transactions of one entry keep in memory. */
const DETAIL_CHARACTERS_MAX = 64 * 1024 * 1024;
/** Far above the few balances of a statement. */
const BALANCES_MAX = 1000;

/** The part of a camt message that was read so far: open elements and completed events. */
export class CamtMessage {
  /** The day of the whole message. */
  createdOn: BusinessDate | undefined;
  statements = 0;
  statement: StatementDraft = newStatement('statement', 0);
  balance: BalanceDraft = newBalance(0);
  entry: EntryDraft = newEntry(0);
  detail: DetailDraft = newDetail();
  #events: StatementEvent[] = [];

  takeEvents(): StatementEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  openStatement(kind: StatementKind, fileLine: number): void {
    this.statements += 1;
    this.statement = newStatement(kind, fileLine);
  }

  closeStatement(): void {
    this.#events.push({ kind: 'statement', statement: parsedStatement(this.statement) });
  }

  openBalance(fileLine: number): void {
    this.balance = newBalance(fileLine);
  }

  closeBalance(): void {
    const { balances } = this.statement;
    this.#nameCurrency(this.balance);
    if (balances.length >= BALANCES_MAX) {
      throw refusalAt(this.balance.fileLine, `expected at most ${BALANCES_MAX} balances, got another`);
    }
    if (this.balance.type !== '') balances.push(this.balance);
  }

  openEntry(fileLine: number): void {
    this.entry = newEntry(fileLine);
  }

  setRaw({ text, cut }: RawXml): void {
    this.entry.raw = text;
    if (cut) {
      note(this.statement, this.entry.fileLine, 'an entry is very long; only the beginning of its raw text is kept');
    }
  }

  closeEntry(): void {
    this.#nameCurrency(this.entry);
    this.#events.push({ kind: 'line', line: parsedLine(this.entry, this.statement, this.createdOn) });
    this.entry = newEntry(0);
  }

  openDetail(): void {
    this.detail = newDetail();
  }

  closeDetail(): void {
    const { entry, statement } = this;
    const ownAccount = statement.iban === '' ? statement.otherAccount : statement.iban;
    const detail = lineDetail(this.detail, { side: entry.side, ownAccount });
    entry.detailCharacters += detailCharacters(detail);
    if (entry.details.length >= DETAILS_MAX) {
      throw refusalAt(entry.fileLine, `expected at most ${DETAILS_MAX} transactions in an entry, got more`);
    }
    if (entry.detailCharacters > DETAIL_CHARACTERS_MAX) {
      throw refusalAt(entry.fileLine, `expected at most ${DETAIL_CHARACTERS_MAX} characters in an entry, got more`);
    }
    entry.details.push(detail);
  }

  #nameCurrency({ currency }: MoneyDraft): void {
    if (currency !== undefined) this.statement.currencies.add(currency);
  }
}
