import type { Random } from '../../../support/random';
import {
  BARE_DELIMITER,
  BARE_QUOTE,
  type Column,
  type Draft,
  formOfCurrency,
  money,
  type Movement,
  randomRib,
  type Row,
  shownDate,
  shownOf,
  shownRib,
  sizeOf,
  writeBalance,
  writeSigned,
  writeTwoColumns,
} from './random-exports-draft';
import {
  CANCELLED,
  FEE_HEADINGS,
  MILLIMES_LABELS,
  NET_HEADINGS,
  OPERATION_CODES,
  OTHER_ACCOUNT_HEADINGS,
  OTHER_BALANCE_HEADINGS,
  OTHER_CURRENCY_HEADINGS,
  OTHER_DIRECTIONS,
  OTHER_STATES,
  THOUSANDS_LABELS,
} from './random-exports-words';

/** The parts of an export, of which each oddity changes some, so that no two change the same. */
type Part = 'sign' | 'balance' | 'state' | 'currency' | 'account' | 'unit' | 'date' | 'rows' | 'others';

/** One way in which an export differs from an ordinary one. */
export interface Oddity {
  readonly name: string;
  readonly of: readonly Part[];
  /** Whether the file says all the same what it means, so that it must be read without a question. */
  readonly isPlain?: boolean;
  apply(draft: Draft): void;
}

/** A column whose words tell debits from credits. */
function addWords(
  draft: Draft,
  [heading, debits, credits]: readonly [string, readonly string[], readonly string[]],
): void {
  const words = new Map(
    draft.movements.map((movement) => [movement, draft.random.oneOf(shownOf(movement) < 0 ? debits : credits)]),
  );
  draft.others.push({ heading, cell: (movement) => words.get(movement) ?? '' });
}

function writeUnsigned(draft: Draft): void {
  writeSigned(draft, (size) => size);
}

function onlyDebits(draft: Draft): void {
  for (const movement of draft.movements) movement.minor = -Math.abs(movement.minor);
}

const SIGNS: readonly Oddity[] = [
  {
    ...{ name: 'sign: a column of known words', of: ['sign'], isPlain: true },
    apply(draft) {
      writeUnsigned(draft);
      const [heading, debit, credit] = draft.words.direction;
      addWords(draft, [heading, [debit], [credit]]);
    },
  },
  {
    ...{ name: 'sign: a column of other words', of: ['sign'] },
    apply(draft) {
      writeUnsigned(draft);
      addWords(draft, draft.random.oneOf(OTHER_DIRECTIONS));
    },
  },
  {
    ...{ name: 'sign: a column of other words, all of debits', of: ['sign'] },
    apply(draft) {
      onlyDebits(draft);
      writeUnsigned(draft);
      addWords(draft, draft.random.oneOf(OTHER_DIRECTIONS));
    },
  },
  {
    ...{ name: 'sign: only in codes of operations', of: ['sign', 'balance'] },
    apply(draft) {
      writeUnsigned(draft);
      draft.balance = undefined;
      draft.hasOpening = false;
      addWords(draft, [OPERATION_CODES.heading, OPERATION_CODES.debits, OPERATION_CODES.credits]);
    },
  },
  {
    ...{ name: 'sign: only in the balances', of: ['sign', 'balance'] },
    apply(draft) {
      writeUnsigned(draft);
      writeBalance(draft, draft.random.oneOf(draft.words.balance));
    },
  },
  {
    ...{ name: 'sign: CR and DR behind amounts', of: ['sign'], isPlain: true },
    apply(draft) {
      const [debit, credit] = draft.random.oneOf([
        ['DR', 'CR'],
        ['D', 'C'],
      ]);
      writeSigned(draft, (size, isDebit) => `${size} ${isDebit ? debit : credit}`);
    },
  },
  {
    ...{ name: 'sign: a mark on credits only', of: ['sign'] },
    apply(draft) {
      const mark = draft.random.oneOf(['CR', 'C']);
      const isBefore = draft.random.onceIn(3);
      writeSigned(draft, (size, isDebit) => (isDebit ? size : isBefore ? `${mark} ${size}` : `${size} ${mark}`));
    },
  },
  {
    ...{ name: 'sign: a mark on debits only', of: ['sign'] },
    apply(draft) {
      const mark = draft.random.oneOf(['DR', 'D', 'db']);
      writeSigned(draft, (size, isDebit) => (isDebit ? `${size} ${mark}` : size));
    },
  },
  {
    ...{ name: 'sign: a plus on credits only', of: ['sign'] },
    apply: (draft) => writeSigned(draft, (size, isDebit) => (isDebit ? size : `+${size}`)),
  },
  {
    ...{ name: 'sign: a plus and a minus', of: ['sign'], isPlain: true },
    apply: (draft) => writeSigned(draft, (size, isDebit) => (isDebit ? `-${size}` : `+${size}`)),
  },
  {
    ...{ name: 'sign: a minus behind amounts', of: ['sign'], isPlain: true },
    apply: (draft) => writeSigned(draft, (size, isDebit) => (isDebit ? `${size}-` : size)),
  },
  {
    ...{ name: 'sign: parentheses around debits', of: ['sign'], isPlain: true },
    apply: (draft) => writeSigned(draft, (size, isDebit) => (isDebit ? `(${size})` : size)),
  },
  {
    ...{ name: 'sign: a minus in the column of debits', of: ['sign'], isPlain: true },
    apply: (draft) => writeTwoColumns(draft, '-'),
  },
  {
    ...{ name: 'sign: a credit taken back by a negative credit', of: ['sign'] },
    apply(draft) {
      writeTwoColumns(draft);
      draft.hasTotals = false;
      const reversed = draft.movements.at(-1);
      const [debit, credit] = draft.amounts;
      if (reversed === undefined || debit === undefined || credit === undefined) return;
      reversed.minor = -Math.abs(reversed.minor);
      const own = (column: Column, cell: string): Column => ({
        ...column,
        cell: (movement, index) => (movement === reversed ? cell : column.cell(movement, index)),
      });
      draft.amounts = [
        own(debit, ''),
        {
          ...credit,
          cell: (movement, index) =>
            movement === reversed ? `-${sizeOf(draft, movement)}` : credit.cell(movement, index),
        },
      ];
    },
  },
];

/** Fees of which the column of amounts shows nothing, unless `isIncluded`. */
function addFees(draft: Draft, isIncluded: boolean): ReadonlyMap<Movement, number> {
  const fees = new Map<Movement, number>();
  for (const movement of draft.movements) {
    const fee = draft.random.onceIn(3) ? 0 : 500 + draft.random.below(3_000);
    fees.set(movement, fee);
    if (isIncluded) continue;
    movement.shown = movement.minor;
    movement.minor -= fee;
  }
  draft.others.push({
    heading: draft.random.oneOf(FEE_HEADINGS),
    cell: (movement) => money(draft, fees.get(movement) ?? 0),
  });
  return fees;
}

/** In whole units of another currency, whose amount stands beside that of the account. */
function addOriginals(
  draft: Draft,
  headings: readonly [currency: string, amount: string],
  codes: readonly string[],
): void {
  const rates = new Map(
    draft.movements.map((movement) => [
      movement,
      { code: draft.random.oneOf(codes), rate: 3 + draft.random.below(30) / 100 },
    ]),
  );
  draft.others.push(
    { heading: headings[0], cell: (movement) => rates.get(movement)?.code ?? '' },
    {
      heading: headings[1],
      cell(movement) {
        const minor = Math.round((shownOf(movement) / draft.unit / (rates.get(movement)?.rate ?? 1)) * 100);
        const size = money({ ...draft, ...formOfCurrency('EUR') }, Math.abs(minor));
        return minor < 0 ? `-${size}` : size;
      },
    },
  );
}

const MONEY: readonly Oddity[] = [
  ...[true, false].map((isIncluded): Oddity => ({
    name: `money: a fee that the amount ${isIncluded ? 'includes' : 'leaves out'}`,
    of: ['sign', 'currency', 'unit', 'others'],
    apply(draft) {
      writeSigned(draft);
      addFees(draft, isIncluded);
    },
  })),
  {
    ...{ name: 'money: gross, fee and net', of: ['sign', 'currency', 'unit', 'others'] },
    apply(draft) {
      writeSigned(draft);
      const fees = addFees(draft, false);
      draft.others.push({
        heading: draft.random.oneOf(NET_HEADINGS),
        cell: (movement) => {
          const net = shownOf(movement) - (fees.get(movement) ?? 0);
          return net < 0 ? `-${money(draft, -net)}` : money(draft, net);
        },
      });
    },
  },
  {
    ...{ name: 'money: the original currency and amount beside it', of: ['sign', 'currency', 'unit', 'others'] },
    apply(draft) {
      moveTo(draft, 'TND');
      writeSigned(draft);
      nameCurrencyBy(draft, draft.random.oneOf(['label', 'option']));
      const headings = draft.random.oneOf([
        ['Devise', 'Montant devise'],
        ['Devise origine', 'Montant origine'],
        ['Devise op.', 'Montant en devise'],
        ['Original currency', 'Original amount'],
        ['Currency', 'Foreign amount'],
      ] as const);
      addOriginals(draft, headings, draft.random.oneOf([['EUR'], ['EUR', 'USD'], ['EUR', 'TND']]));
      if (draft.random.onceIn(3)) draft.amounts[0]!.heading = 'Montant TND';
    },
  },
];

const BALANCES: readonly Oddity[] = [
  {
    ...{ name: 'balance: a column of another name', of: ['balance'] },
    apply: (draft) => writeBalance(draft, draft.random.oneOf(OTHER_BALANCE_HEADINGS)),
  },
];

/** Lets some rows, and never the first one, move no money; each has a word of its kind. */
function addStates(
  draft: Draft,
  heading: string,
  words: { booked: readonly string[]; other: readonly string[] },
): void {
  const isOther = (index: number): boolean => index > 0 && draft.random.onceIn(3);
  const cells = new Map(
    draft.movements.map((movement, index) => {
      movement.isBooked = !isOther(index);
      return [movement, draft.random.oneOf(movement.isBooked ? words.booked : words.other)];
    }),
  );
  draft.hasTotals = false;
  draft.others.push({ heading, cell: (movement) => cells.get(movement) ?? '' });
}

const STATES: readonly Oddity[] = [
  {
    ...{ name: 'state: known words', of: ['state'], isPlain: true },
    apply(draft) {
      const { state, booked, pending } = draft.words;
      addStates(draft, state, { booked: [booked], other: [pending] });
    },
  },
  {
    ...{ name: 'state: other words', of: ['state'] },
    apply(draft) {
      const [heading, booked, other] = draft.random.oneOf(OTHER_STATES);
      addStates(draft, heading, { booked, other });
    },
  },
  {
    ...{ name: 'state: other words, none of them booked but the first row', of: ['state'] },
    apply(draft) {
      const [heading, booked, other] = draft.random.oneOf(OTHER_STATES);
      addStates(draft, heading, { booked, other });
      draft.movements = draft.movements.filter(({ isBooked }, index) => index === 0 || !isBooked);
    },
  },
  {
    ...{ name: 'state: a mark on cancelled rows', of: ['state'] },
    apply(draft) {
      const [heading, mark] = draft.random.oneOf(CANCELLED);
      addStates(draft, heading, { booked: [''], other: [mark] });
    },
  },
];

/** Rewrites the export in another currency. Its numbers stay, with that currency's decimals. */
function moveTo(draft: Draft, currency: string): void {
  draft.currency = currency;
  Object.assign(draft, formOfCurrency(currency));
  for (const movement of draft.movements) movement.currency = currency;
  withoutNames(draft);
}

function withoutNames(draft: Draft): void {
  for (const column of draft.amounts) column.heading = column.heading.replace(/ \(.*\)$/, '');
}

function nameCurrencyBy(draft: Draft, what: string): void {
  draft.currencyLabel = what === 'label' ? [draft.random.oneOf(draft.words.currency), draft.currency] : undefined;
  draft.options.currency = what === 'option' ? draft.currency : undefined;
}

function addCurrencyColumn(draft: Draft, heading: string): void {
  draft.others.push({ heading, cell: ({ currency }) => currency });
}

const CURRENCIES: readonly Oddity[] = [
  {
    ...{ name: 'currency: given by a person', of: ['currency'], isPlain: true },
    apply: (draft) => nameCurrencyBy(draft, 'option'),
  },
  {
    ...{ name: 'currency: a known column', of: ['currency', 'others'], isPlain: true },
    apply(draft) {
      moveTo(draft, draft.random.oneOf(['TND', 'EUR']));
      nameCurrencyBy(draft, 'column');
      addCurrencyColumn(draft, draft.random.oneOf(draft.words.currency));
    },
  },
  {
    ...{ name: 'currency: euros in a column of another name', of: ['currency', 'others'] },
    apply(draft) {
      moveTo(draft, 'EUR');
      nameCurrencyBy(draft, 'column');
      draft.options.currency = draft.random.oneOf([undefined, 'TND']);
      addCurrencyColumn(draft, draft.random.oneOf(OTHER_CURRENCY_HEADINGS));
    },
  },
  {
    ...{ name: 'currency: several in a column', of: ['currency', 'others', 'balance', 'unit'] },
    apply(draft) {
      moveTo(draft, 'TND');
      nameCurrencyBy(draft, 'column');
      draft.options.currency = draft.random.oneOf([undefined, 'TND']);
      for (const movement of draft.movements) movement.currency = draft.random.oneOf(['TND', 'EUR', 'USD']);
      draft.balance = undefined;
      draft.hasOpening = false;
      draft.hasTotals = false;
      addCurrencyColumn(draft, draft.random.oneOf([...OTHER_CURRENCY_HEADINGS, ...draft.words.currency]));
    },
  },
  {
    ...{ name: 'currency: in the heading of amounts', of: ['currency'] },
    apply(draft) {
      moveTo(draft, 'EUR');
      nameCurrencyBy(draft, 'heading');
      draft.options.currency = draft.random.oneOf([undefined, 'TND']);
      for (const column of draft.amounts) column.heading += draft.random.oneOf([' (EUR)', ' EUR', ' en EUR']);
    },
  },
  {
    ...{ name: 'currency: the heading of amounts against the label', of: ['currency'] },
    apply(draft) {
      moveTo(draft, 'EUR');
      const [heading, label] = draft.random.oneOf([
        ['TND', 'EUR'],
        ['EUR', 'TND'],
      ]) as readonly [string, string];
      draft.currencyLabel = [draft.random.oneOf(draft.words.currency), label];
      for (const column of draft.amounts) column.heading += ` (${heading})`;
    },
  },
  {
    ...{ name: 'currency: beside each amount', of: ['currency', 'unit'] },
    apply(draft) {
      nameCurrencyBy(draft, 'amount');
      for (const column of draft.amounts) {
        const { cell } = column;
        const index = draft.amounts.indexOf(column);
        draft.amounts[index] = {
          ...column,
          cell(movement, at) {
            const amount = cell(movement, at);
            return amount === '' ? '' : `${amount} ${movement.currency}`;
          },
        };
      }
    },
  },
];

function nameAccountBy(draft: Draft, what: string): void {
  if (what !== 'label') draft.accountLabel = undefined;
  draft.options.account = what === 'option' ? draft.account : undefined;
}

/** The accounts of the other side, beside their owners. */
function addPayees(draft: Draft, accountHeading: string, count: number): void {
  const ribs = Array.from({ length: count }, () => shownRib(draft.random, randomRib(draft.random)));
  const names = draft.movements.map(() => `STE ${draft.random.oneOf(['UN', 'DEUX', 'TROIS'])}`);
  const accounts = draft.movements.map(() => draft.random.oneOf(ribs));
  draft.others.push(
    { heading: draft.random.oneOf(draft.words.payee), cell: (_, index) => names[index] ?? '' },
    { heading: accountHeading, cell: (_, index) => accounts[index] ?? '' },
  );
}

function addSeveralAccounts(draft: Draft, heading: string): void {
  const accounts = [draft.account, randomRib(draft.random), randomRib(draft.random)].slice(
    0,
    2 + draft.random.below(2),
  );
  for (const [index, movement] of draft.movements.entries()) {
    movement.account = index < 2 ? (accounts[index] ?? draft.account) : draft.random.oneOf(accounts);
  }
  draft.balance = undefined;
  draft.hasOpening = false;
  draft.hasTotals = false;
  draft.others.push({ heading, cell: ({ account }) => account });
}

const ACCOUNTS: readonly Oddity[] = [
  {
    ...{ name: 'account: given by a person', of: ['account'], isPlain: true },
    apply: (draft) => nameAccountBy(draft, 'option'),
  },
  {
    ...{ name: 'account: a known column', of: ['account'], isPlain: true },
    apply(draft) {
      nameAccountBy(draft, 'column');
      draft.others.push({ heading: draft.random.oneOf(draft.words.accountColumn), cell: ({ account }) => account });
    },
  },
  {
    ...{ name: 'account: a column of another name, against the given one', of: ['account'] },
    apply(draft) {
      nameAccountBy(draft, 'option');
      draft.options.account = randomRib(draft.random);
      draft.others.push({ heading: draft.random.oneOf(OTHER_ACCOUNT_HEADINGS), cell: ({ account }) => account });
    },
  },
  {
    ...{ name: 'account: several in a known column', of: ['account', 'balance'] },
    apply(draft) {
      nameAccountBy(draft, 'column');
      addSeveralAccounts(draft, draft.random.oneOf(draft.words.accountColumn));
    },
  },
  {
    ...{ name: 'account: several in a column of another name', of: ['account', 'balance'] },
    apply(draft) {
      nameAccountBy(draft, 'option');
      addSeveralAccounts(draft, draft.random.oneOf(OTHER_ACCOUNT_HEADINGS));
    },
  },
  ...(['label', 'option'] as const).flatMap((own) =>
    [1, 3].map((count): Oddity => ({
      name: `account: ${count === 1 ? 'one payee’s' : 'payees’'} beside the payee, the own one by ${own}`,
      of: ['account'],
      apply(draft) {
        nameAccountBy(draft, own);
        addPayees(draft, draft.random.oneOf(draft.words.accountColumn), count);
      },
    })),
  ),
  {
    ...{ name: 'account: a column of payees’ without the payee, against the label', of: ['account'] },
    apply(draft) {
      addPayees(draft, draft.random.oneOf(draft.words.accountColumn), 3);
      draft.others.splice(-2, 1);
    },
  },
];

/** Writes whole numbers of `unit`, by which each amount can be divided. */
function writeWhole(draft: Draft, unit: number): void {
  for (const movement of draft.movements) {
    if (draft.unit !== unit) {
      movement.minor =
        Math.sign(movement.minor) * Math.max(1, Math.abs(Math.round(movement.minor / draft.unit))) * unit;
    }
  }
  draft.opening = Math.round(draft.opening / unit) * unit;
  draft.decimals = 0;
  draft.unit = unit;
  draft.group = draft.random.oneOf(['', ' ', '.', ',', "'"]);
}

function inWhole(draft: Draft, unit: number): void {
  moveTo(draft, 'TND');
  nameCurrencyBy(draft, draft.random.oneOf(['label', 'option']));
  if (unit === 1) draft.unit = 1;
  writeWhole(draft, unit);
}

const UNITS: readonly Oddity[] = [
  {
    ...{ name: 'unit: millimes, named above', of: ['unit', 'currency'] },
    apply(draft) {
      inWhole(draft, 1);
      draft.above.push([...draft.random.oneOf(MILLIMES_LABELS)]);
    },
  },
  {
    ...{ name: 'unit: millimes, named in the heading', of: ['unit', 'currency'] },
    apply(draft) {
      inWhole(draft, 1);
      for (const column of draft.amounts) column.heading += draft.random.oneOf([' (millimes)', ' en millimes']);
    },
  },
  { ...{ name: 'unit: millimes, not named', of: ['unit', 'currency'] }, apply: (draft) => inWhole(draft, 1) },
  { ...{ name: 'unit: whole dinars, not named', of: ['unit', 'currency'] }, apply: (draft) => inWhole(draft, 1_000) },
  {
    ...{ name: 'unit: named as thousands, which are millimes or dinars', of: ['unit', 'currency'] },
    apply(draft) {
      inWhole(draft, draft.random.oneOf([1, 1_000_000]));
      draft.above.push([...draft.random.oneOf(THOUSANDS_LABELS)]);
    },
  },
  {
    ...{ name: 'unit: dinars with decimals, named above', of: ['unit', 'currency'], isPlain: true },
    apply(draft) {
      moveTo(draft, 'TND');
      nameCurrencyBy(draft, 'label');
      draft.above.push(draft.random.oneOf([['Montants exprimés en TND'], ['Montants en dinars']]));
    },
  },
  {
    ...{ name: 'unit: dinars with decimals, named as millimes', of: ['unit', 'currency'] },
    apply(draft) {
      moveTo(draft, 'TND');
      nameCurrencyBy(draft, 'label');
      draft.above.push([...draft.random.oneOf(MILLIMES_LABELS)]);
    },
  },
  {
    ...{ name: 'unit: the other decimal sign', of: ['unit'], isPlain: true },
    apply(draft) {
      draft.decimalSign = draft.decimalSign === ',' ? '.' : ',';
      draft.group = draft.random.oneOf(['', ' ']);
    },
  },
  {
    ...{ name: 'unit: amounts below a thousand, whose sign may group', of: ['unit', 'balance', 'currency'] },
    apply(draft) {
      moveTo(draft, 'TND');
      nameCurrencyBy(draft, 'label');
      const [first] = draft.movements;
      if (first !== undefined) first.minor = Math.sign(first.minor) * (1_000 + draft.random.below(900_000));
      draft.decimalSign = draft.random.oneOf([',', '.']);
      draft.balance = undefined;
      draft.hasOpening = false;
      draft.hasTotals = false;
    },
  },
  {
    ...{ name: 'unit: dinars with two decimals', of: ['unit', 'currency'], isPlain: true },
    apply(draft) {
      moveTo(draft, 'TND');
      nameCurrencyBy(draft, 'label');
      for (const movement of draft.movements) movement.minor *= 10;
      draft.opening = Math.round(draft.opening / 10) * 10;
      draft.decimals = 2;
    },
  },
];

const ARABIC_ZERO = 0x660;

function withForm(draft: Draft, dateForm: string): void {
  draft.dateForm = dateForm;
}

function withTime(draft: Draft, timeOf: (random: Random) => string): void {
  const times = new Map(draft.movements.map((movement) => [movement, timeOf(draft.random)]));
  const { cell } = draft.date;
  draft.date = { ...draft.date, cell: (movement, index) => cell(movement, index) + (times.get(movement) ?? '') };
}

const isDayFirst = ({ words }: Draft): boolean => !words.date.includes('Booking Date');

const DATES: readonly Oddity[] = [
  {
    ...{ name: 'date: d/m/yy', of: ['date'], isPlain: true },
    apply: (draft) => withForm(draft, isDayFirst(draft) ? 'd/m/yy' : 'd mmm yyyy'),
  },
  { ...{ name: 'date: a named month', of: ['date'], isPlain: true }, apply: (draft) => withForm(draft, 'dd-mmm-yyyy') },
  { ...{ name: 'date: yyyymmdd', of: ['date'], isPlain: true }, apply: (draft) => withForm(draft, 'yyyymmdd') },
  {
    ...{ name: 'date: dd/mm or mm/dd', of: ['date'] },
    apply: (draft) =>
      withForm(draft, isDayFirst(draft) ? 'dd/mm/yyyy' : draft.random.oneOf(['dd/mm/yyyy', 'mm/dd/yyyy'])),
  },
  ...[true, false].map((isPlain): Oddity => ({
    ...{ name: `date: with a time${isPlain ? '' : ', and a value date without'}`, of: ['date'], isPlain },
    apply(draft) {
      draft.others = draft.others.filter(({ isDate }) => isDate !== true);
      const [heading = ''] = draft.words.valueDate;
      if (!isPlain) draft.others.push({ ...draft.date, heading });
      withTime(draft, (random) => ` ${9 + random.below(8)}:${10 + random.below(50)}`);
    },
  })),
  {
    ...{ name: 'date: with a time of UTC', of: ['date'], isPlain: true },
    apply(draft) {
      withForm(draft, 'yyyy-mm-dd');
      draft.others = draft.others.filter(({ isDate }) => isDate !== true);
      withTime(draft, (random) => `T${10 + random.below(8)}:${10 + random.below(50)}:00Z`);
    },
  },
  {
    ...{ name: 'date: once a day', of: ['date', 'rows'] },
    apply: (draft) =>
      draft.rowSteps.push((rows, headings) => {
        const at = headings.indexOf(draft.date.heading);
        const days = rows.map(({ cells }) => cells[at]);
        for (const [index, { cells }] of rows.entries()) {
          if (index > 0 && days[index - 1] === days[index]) cells[at] = '';
        }
        return rows;
      }),
  },
  {
    ...{ name: 'date: and amounts behind bidi marks', of: ['date'], isPlain: true },
    apply(draft) {
      const mark = draft.random.oneOf(['\u200f', '\u200e']);
      draft.cellSteps.push((cell) => (cell === '' ? '' : mark + cell));
    },
  },
  {
    ...{ name: 'date: and amounts in Arabic digits', of: ['date'] },
    apply: (draft) =>
      draft.cellSteps.push((cell) =>
        cell.replaceAll(/\d/g, (digit) => String.fromCodePoint(ARABIC_ZERO + Number(digit))),
      ),
  },
  {
    ...{ name: 'date: of another kind beside it', of: ['date'] },
    apply(draft) {
      const heading = draft.random.oneOf(['Date saisie', "Date d'échéance", 'Entered on', 'Date traitement']);
      draft.others.push({
        heading,
        cell: ({ day }) => shownDate(draft, `${day.slice(0, 5)}0${1 + (Number(day.slice(6, 7)) % 6)}-15`),
      });
    },
  },
];

/** Inserts a row behind one of chance; of rows that are the newest first, before it. */
function inserted(random: Random, rows: readonly Row[], of: (row: Row) => readonly string[], isTurned = false): Row[] {
  const at = random.below(rows.length);
  const all = rows.flatMap((row, index) =>
    index === at ? [row, { cells: [...of(row)], movement: undefined }] : [row],
  );
  return isTurned ? all.toReversed() : all;
}

/** Rewrites the text of one row of chance. */
function respelled(draft: Draft, of: (text: string) => string): void {
  draft.rowSteps.push((rows, headings) => {
    const { cells } = draft.random.oneOf(rows);
    const at = headings.indexOf(draft.text.heading);
    cells[at] = of(cells[at] ?? '');
    return rows;
  });
}

const ROWS: readonly Oddity[] = [
  {
    ...{ name: 'rows: without their last empty cells', of: ['rows'], isPlain: true },
    apply: (draft) =>
      draft.rowSteps.push((rows) => {
        for (const { cells } of rows) while (cells.at(-1) === '') cells.pop();
        return rows;
      }),
  },
  {
    ...{ name: 'rows: a text goes on in a row of its own', of: ['rows'], isPlain: true },
    apply: (draft) =>
      draft.rowSteps.push((rows, headings) =>
        inserted(draft.random, rows, () =>
          headings.map((heading) => (heading === draft.text.heading ? 'DE LA PART DE X' : '')),
        ),
      ),
  },
  {
    ...{ name: 'rows: one without an amount', of: ['rows'], isPlain: true },
    apply: (draft) =>
      draft.rowSteps.push((rows, headings) =>
        inserted(
          draft.random,
          draft.isNewestFirst ? rows.toReversed() : rows,
          ({ cells }) =>
            headings.map((heading, index) => {
              if (heading === draft.text.heading) return 'CHANGEMENT DE TAUX';
              const isKept = [draft.date.heading, draft.balance?.heading].includes(heading);
              const isShared = rows.length > 1 && rows.every((row) => row.cells[index] === cells[index]);
              return isKept || isShared ? (cells[index] ?? '') : '';
            }),
          draft.isNewestFirst,
        ),
      ),
  },
  {
    ...{ name: 'rows: a delimiter in a text', of: ['rows'] },
    apply: (draft) => respelled(draft, (text) => `${text}${BARE_DELIMITER}500`),
  },
  {
    ...{ name: 'rows: a delimiter in a text, and an empty last heading', of: ['rows'] },
    apply(draft) {
      respelled(draft, (text) => `${text}${BARE_DELIMITER}${draft.random.oneOf(['500', 'LOT 2'])}`);
      draft.rowSteps.push((rows, headings) => {
        (headings as string[]).push('');
        for (const { cells } of rows) if (!cells.some((cell) => cell.includes(BARE_DELIMITER))) cells.push('');
        return rows;
      });
    },
  },
  {
    ...{ name: 'rows: an empty last heading', of: ['rows'], isPlain: true },
    apply: (draft) =>
      draft.rowSteps.push((rows, headings) => {
        (headings as string[]).push('');
        for (const { cells } of rows) cells.push('');
        return rows;
      }),
  },
  {
    ...{ name: 'rows: a quotation mark before a text', of: ['rows'] },
    apply: (draft) => respelled(draft, (text) => `${BARE_QUOTE}${text}`),
  },
  {
    ...{ name: 'rows: two quotation marks, of two texts', of: ['rows'] },
    apply(draft) {
      draft.rowSteps.push((rows, headings) => {
        const at = headings.indexOf(draft.text.heading);
        const [first, last] = [rows[0], rows.at(-1)];
        if (first !== undefined) first.cells[at] = BARE_QUOTE + (first.cells[at] ?? '');
        if (last !== undefined) last.cells[at] = (last.cells[at] ?? '') + BARE_QUOTE;
        return rows;
      });
    },
  },
  {
    ...{ name: 'rows: a text with inches', of: ['rows'] },
    apply: (draft) => respelled(draft, (text) => `${text} 12${BARE_QUOTE}`),
  },
  {
    ...{ name: 'rows: two columns of texts with one name', of: ['rows'], isPlain: true },
    apply: (draft) => draft.others.push({ heading: draft.text.heading, cell: (_, index) => `SUITE ${index}` }),
  },
  {
    ...{ name: 'rows: the heading again on a second page', of: ['rows'], isPlain: true },
    apply: (draft) => draft.rowSteps.push((rows, headings) => inserted(draft.random, rows, () => headings)),
  },
];

const OTHERS: readonly Oddity[] = [
  {
    ...{ name: 'others: columns that carry nothing', of: ['others'] },
    apply(draft) {
      const { random } = draft;
      const names = ['A. BEN ALI', 'S. TRABELSI', 'M. AYARI'];
      const columns: readonly Column[] = [
        { heading: 'Agence', cell: () => '031' },
        { heading: 'N° ligne', cell: (_, index) => String(index + 1) },
        { heading: 'Heure', cell: (_, index) => `1${index % 8}:15` },
        { heading: 'Opérateur', cell: (_, index) => names[index % 3] ?? '' },
        { heading: 'Observations', cell: (_, index) => (index % 3 === 0 ? 'vu au guichet' : '') },
        { heading: 'Canal', cell: (_, index) => (index % 2 === 0 ? 'WEB' : 'AGENCE') },
      ];
      draft.others.push(random.oneOf(columns));
    },
  },
  {
    ...{ name: 'others: numbers that are no money', of: ['others'] },
    apply(draft) {
      const heading = draft.random.oneOf(['Taux', 'Cours', 'Quantité']);
      draft.others.push({
        heading,
        cell: (_, index) => money({ ...draft, unit: 1_000, decimals: 3 }, 1_500 + index * 250),
      });
    },
  },
];

export const ODDITIES: readonly Oddity[] = [
  ...[...SIGNS, ...MONEY, ...BALANCES, ...STATES, ...CURRENCIES, ...ACCOUNTS],
  ...[...UNITS, ...DATES, ...ROWS, ...OTHERS],
];
