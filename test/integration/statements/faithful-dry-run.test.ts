// Goal: a dry run states what an import of the same file on the same database does, with the same codes.
// Method: a table of files and stored states, each sample beside this repository, and seeded damage to small files. Each
// file is checked as a dry run does, then imported; both must agree. The database grows from file to file.
import { beforeEach, expect, test } from '@jest/globals';
import { type Actor, OPERATOR } from '../../../src/identity';
import { businessCalendar, isAppError } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { linesInUse } from '../../../src/reconciliation';
import { brokenInvariants } from '../../../src/reporting/testing';
import {
  bankFileOfBytes,
  createStatements,
  type ImportCheck,
  type ReadOptions,
  type Statements,
} from '../../../src/statements';
import {
  SHIPPED_PROFILES_FILE,
  statementBytes,
  statementText,
  windows1252,
} from '../../fixtures/statements/statement-bytes';
import { camt053, type GivenCamt } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { FAULT_SEED, sized } from '../../support/faults';
import { randomFrom } from '../../support/random';
import { statementSamples } from '../../support/statement-samples';
import { BALANCED_FILES, OFX_FILE } from '../../unit/statements/balanced-files';
import { DAMAGE_NAMES, damaged } from '../../unit/statements/mutations';

const RIB = '08003000000000000139';
const DAY = '2026-04-02';
const READER: Actor = { kind: 'api_key', name: 'reader', keyId: 'k', scopes: new Set() };

/** A CSV that only a proposed profile reads, without account and currency. */
const BARE = 'Date,Description,Amount\n2026-04-02,a,1.50\n';

/** A CSV with whole amounts in TND, and a column of fees that no reading uses. */
const DOUBTFUL = Buffer.from(
  'Date;Libellé;Débit;Crédit;Frais\n13/04/2026;a;;1 200 500;500\n15/04/2026;b;500 000;;250\n',
);

/** A CSV that fits both orders of day and month; its balances fit only the comma. */
const OPEN = Buffer.from(
  'Date,Description,Amount\n,Opening balance,"1,000"\n03/04/2026,a,"1,234"\n04/04/2026,b,1\n,Closing balance,"3,234"\n',
);

function camtOf(given: Partial<GivenCamt>, amount = 100_000): Buffer {
  return camt053([
    {
      account: RIB,
      balances: [
        { type: 'OPBD', amount: 1_000_000, day: DAY },
        { type: 'CLBD', amount: 1_000_000 + amount, day: DAY },
      ],
      entries: [{ day: DAY, amount, text: 'VIREMENT' }],
      ...given,
    },
  ]);
}

interface Case {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly options?: ReadOptions;
  readonly actor?: Actor;
  /** Imported before. */
  readonly stored?: readonly (readonly [bytes: Uint8Array, options: ReadOptions])[];
  /** The codes of the refusals; none: an import succeeds. */
  readonly codes: readonly string[];
}

const PROPOSED: ReadOptions = { profile: 'proposed', unmarked: 'credit' };
const BARE_STORED = [Buffer.from(BARE), { ...PROPOSED, account: RIB, currency: 'TND' }] as const;

const CASES: readonly Case[] = [
  { name: 'a good file', bytes: statementBytes(), codes: [] },
  { name: 'a file without proof', bytes: windows1252(statementText({ closing: 1 })), codes: [] },
  { name: 'stored bytes', bytes: statementBytes(), stored: [[statementBytes(), {}]], codes: [] },
  {
    name: 'a stored statement in other bytes',
    bytes: windows1252(statementText().replaceAll('\r\n', '\n')),
    stored: [[statementBytes(), {}]],
    codes: ['statements_known'],
  },
  { name: 'a key without the scope', bytes: statementBytes(), actor: READER, codes: ['missing_scope'] },
  { name: 'an empty file', bytes: Buffer.from(' \n'), codes: ['file_faults'] },
  { name: 'an unknown profile', bytes: statementBytes(), options: { profile: 'none' }, codes: ['bad_input'] },
  {
    name: 'a CSV without anything',
    bytes: Buffer.from(BARE),
    codes: ['sign_undecided', 'profile_unconfirmed', 'account_missing'],
  },
  { name: 'a proposed profile', bytes: Buffer.from(BARE), options: BARE_STORED[1], codes: [] },
  {
    name: 'an account with one currency',
    bytes: Buffer.from(BARE.replace('1.50', '2.50')),
    options: { ...PROPOSED, account: RIB },
    stored: [BARE_STORED],
    codes: [],
  },
  {
    name: 'an account with two currencies',
    bytes: Buffer.from(BARE.replace('1.50', '2.50')),
    options: { ...PROPOSED, account: RIB },
    stored: [BARE_STORED, [Buffer.from(BARE.replace('1.50', '3.50')), { ...BARE_STORED[1], currency: 'EUR' }]],
    codes: ['currency_missing'],
  },
  {
    name: 'a CSV whose dates only a person can read',
    bytes: OPEN,
    codes: ['date_format_undecided', 'profile_unconfirmed', 'account_missing'],
  },
  {
    name: 'a unit and a column that only a person can decide',
    bytes: DOUBTFUL,
    options: BARE_STORED[1],
    codes: ['unit_undecided', 'column_undecided'],
  },
  {
    name: 'a unit and a column that a person decides',
    bytes: DOUBTFUL,
    options: { ...BARE_STORED[1], unit: 'millimes', setAside: ['Frais'] },
    codes: [],
  },
  {
    name: 'a column to set aside that the file does not have',
    bytes: DOUBTFUL,
    options: { ...BARE_STORED[1], unit: 'millimes', setAside: ['Frais', 'Commission'] },
    codes: ['bad_input'],
  },
  {
    name: 'a decimal sign and a form of dates that a person gives',
    bytes: OPEN,
    options: { ...BARE_STORED[1], decimalSign: ',', dateFormat: 'dd/mm/yyyy' },
    codes: [],
  },
  {
    name: 'a decimal sign that the balances contradict',
    bytes: OPEN,
    options: { ...BARE_STORED[1], decimalSign: '.', dateFormat: 'dd/mm/yyyy' },
    codes: ['bad_input'],
  },
  {
    name: 'a future date in the form that a person gives',
    bytes: Buffer.from('Date,Description,Amount\n12/11/2060,a,1.50\n'),
    options: { ...BARE_STORED[1], dateFormat: 'mm/dd/yyyy' },
    codes: ['dates_impossible'],
  },
  {
    name: 'another decimal sign than a profile has',
    bytes: statementBytes(),
    options: { decimalSign: '.' },
    codes: ['bad_input'],
  },
  {
    name: 'another unit than a profile has',
    bytes: statementBytes(),
    options: { unit: 'millimes' },
    codes: ['bad_input'],
  },
  {
    name: 'the unit that a profile has',
    bytes: statementBytes(),
    options: { unit: 'dinars', setAside: [] },
    codes: [],
  },
  {
    name: 'a column to set aside that a profile reads',
    bytes: statementBytes(),
    options: { setAside: ['Crédit'] },
    codes: ['bad_input'],
  },
  { name: 'a side of amounts for camt', bytes: camtOf({}), options: { unmarked: 'credit' }, codes: ['bad_input'] },
  { name: 'a form of dates for camt', bytes: camtOf({}), options: { dateFormat: 'dd/mm/yyyy' }, codes: ['bad_input'] },
  { name: 'another currency', bytes: statementBytes(), options: { currency: 'EUR' }, codes: ['bad_input'] },
  {
    name: 'an unknown currency',
    bytes: Buffer.from(BARE),
    options: { ...BARE_STORED[1], currency: 'XXX' },
    codes: ['bad_input', 'file_faults'],
  },
  {
    name: 'more decimals than the currency',
    bytes: Buffer.from(BARE),
    options: { ...BARE_STORED[1], currency: 'JPY' },
    codes: ['file_faults'],
  },
  {
    name: 'a running balance with more decimals than the currency',
    bytes: Buffer.from(
      'Date,Description,Amount,Balance,Currency\n2026-04-02,a,1.50,1.505,EUR\n2026-04-03,b,1.50,3.005,EUR\n',
    ),
    options: { ...PROPOSED, account: RIB },
    codes: ['file_faults'],
  },
  {
    name: 'a day to come',
    bytes: camtOf({ entries: [{ day: '2060-01-02', amount: 100_000 }] }),
    codes: ['dates_impossible'],
  },
  {
    name: 'two currencies in one statement',
    bytes: camtOf({ entries: [{ day: DAY, amount: 100_000, currency: 'EUR' }] }),
    codes: ['file_faults'],
  },
  {
    name: 'an announced amount that is too large',
    bytes: camtOf({
      entries: [
        { day: DAY, amount: 100_000 },
        { day: DAY, amount: Number.MAX_SAFE_INTEGER, status: 'PDNG' },
        { day: DAY, amount: Number.MAX_SAFE_INTEGER, status: 'PDNG' },
      ],
    })
      .toString()
      .replaceAll('9007199254740.991', '9907199254740.991') as unknown as Buffer,
    codes: ['file_faults'],
  },
  { name: 'an account that is none', bytes: camtOf({}), options: { account: 'a\u0000b' }, codes: ['file_faults'] },
  {
    name: 'one account name for two accounts',
    bytes: camt053([
      { account: RIB, balances: [], entries: [{ day: DAY, amount: 1 }] },
      { account: `${RIB.slice(0, -1)}0`, balances: [], entries: [{ day: DAY, amount: 1 }] },
    ]),
    options: { account: RIB },
    codes: ['bad_input'],
  },
  {
    name: 'a statement twice in one file',
    bytes: camt053([1, 2].map(() => ({ account: RIB, balances: [], entries: [{ day: DAY, amount: 1 }] }))),
    codes: [],
  },
];

describeOnEachDatabase('a dry run', (harness) => {
  let statements: Statements;

  beforeEach(() => {
    statements = createStatements({
      linesInUse,
      database: harness.database,
      clock: fixedClock('2026-05-04T09:00:00+01:00'),
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
  });

  /** Checks a file as a dry run does, imports it, and returns the check. Fails if they disagree. */
  async function agreeing(bytes: Uint8Array, options: ReadOptions = {}, actor: Actor = OPERATOR): Promise<ImportCheck> {
    const request = { ...options, file: bankFileOfBytes('bank.txt', bytes), actor };
    const check = await statements.check({ ...request, readsKnown: true });
    const [first] = check.refusals;
    let outcome: string;
    try {
      outcome = (await statements.import(request)).kind;
    } catch (error) {
      if (!isAppError(error, 'bad_input', 'forbidden', 'conflict')) throw error;
      outcome = 'refused';
      expect([error.problem.code, error.message, error.details]).toEqual([
        first?.problem.code,
        first?.message,
        first?.details,
      ]);
    }
    expect(check.outcome).toBe(outcome);
    return check;
  }

  test.each(CASES.map((each) => [each.name, each] as const))('agrees with the import of %s', async (_name, given) => {
    for (const [bytes, options] of given.stored ?? []) await agreeing(bytes, options);
    const check = await agreeing(Buffer.from(given.bytes), given.options, given.actor);
    expect(check.refusals.map(({ problem: { code } }) => code)).toEqual(given.codes);
  });

  test('reads whole amounts in the unit that a stored balance shows, and asks without one', async () => {
    const month = (day: string, ...[opening, amount, closing]: readonly string[]): Buffer =>
      Buffer.from(
        [
          ...[`Compte;${RIB}`, 'Devise;TND', `Solde initial;;;${opening}`, 'Date;Libellé;Débit;Crédit'],
          ...[`${day};VIREMENT;;${amount}`, `Solde final;;;${closing}`, ''],
        ].join('\n'),
      );
    const april = month('13/04/2026', '2000500', '1200500', '3201000');
    const asked = await agreeing(april, PROPOSED);
    expect(asked.refusals.map(({ problem: { code } }) => code)).toEqual(['unit_undecided']);
    expect(await agreeing(month('13/03/2026', '1000,000', '1000,500', '2000,500'), PROPOSED)).toMatchObject({
      outcome: 'imported',
    });
    const decided = await agreeing(april, PROPOSED);
    expect(decided.remarks).toContain('the amounts are in millimes, as a stored balance of the account shows');
    expect(decided.statements.map(({ statement }) => statement.creditsMinor)).toEqual([1_200_500]);
  });

  test('agrees with the import of each sample', async () => {
    const random = randomFrom(FAULT_SEED, 19_02);
    const choices: readonly ReadOptions[] = [{}, { account: RIB, ...PROPOSED }, { account: RIB }, { currency: 'TND' }];
    const every = sized({ short: 3, full: 1 });
    for (const [index, { bytes }] of statementSamples().entries()) {
      if (index % every !== FAULT_SEED % every) continue;
      for (const options of sized({ short: [random.oneOf(choices)], full: choices })) await agreeing(bytes(), options);
    }
    expect(await harness.database.read(brokenInvariants)).toEqual([]);
  });

  test('agrees with the import of damaged files', async () => {
    const random = randomFrom(FAULT_SEED, 19_03);
    const files = [...BALANCED_FILES.map(({ text, encode }) => encode(text)), OFX_FILE, statementBytes(), camtOf({})];
    const outcomes = new Map<string, number>();
    for (let round = 0; round < sized({ short: 120, full: 2_000 }); round += 1) {
      const bytes = damaged(random.oneOf(DAMAGE_NAMES), random.oneOf(files), random, random.oneOf(files));
      const options = random.oneOf<ReadOptions>([{}, { account: RIB }, { currency: 'TND' }, PROPOSED]);
      const { outcome } = await agreeing(bytes, options);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    for (const outcome of ['imported', 'refused']) expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(3);
  });
});
