// Goal: a person finds an agent by what they know: the id, the phone or part of the name in either script; the search
// reads its index and never the whole table of agents.
// Method: the room on both databases; a plain comparison with every agent is the reference.
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AgentRecord, type Agents, createAgents } from '../../../src/agents';
import { compareBytes, foldText } from '../../../src/kernel';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { fixedClock } from '../../support/fakes';
import { countRowsRead, type RowsRead } from '../../support/rows-read';

const AGENTS = [
  '004711,Amel Ben Salâh,+216 98 123 456',
  'T-12,سَلْمَى الطرابلسي,22333444 / 55 666 777',
  "4711,Zoé M'Hamdi-Trabelsi,",
  '9,Aï,',
];

describeOnEachDatabase('a search for agents', (harness) => {
  let agents: Agents;
  let reads: RowsRead;

  beforeEach(() => {
    reads = countRowsRead(harness.database);
    agents = createAgents({ database: reads.database, clock: fixedClock('2026-03-02T09:00:00+01:00') });
  });

  const importLines = (lines: readonly string[]) =>
    agents.importCsv(Buffer.from(['agent_id,full_name,phone', ...lines].join('\n')), BY_TEST);
  const found = async (text: string, limit = 50): Promise<string[]> =>
    (await agents.search(text, limit)).agents.map(({ agentId }) => agentId);

  describe('by a text', () => {
    beforeEach(() => importLines(AGENTS));

    test.each([
      ['salah', ['004711']],
      ['SALA am', ['004711']],
      ['ben trab', []],
      ['سلمي', ['T-12']],
      ['طرابلسى', ['T-12']],
      ['الطراب سلمى', ['T-12']],
      ['hamdi', ['4711']],
      ['mʼhamdi', ['4711']],
      ['zoe trab', ['4711']],
      ['zoe z', ['4711']],
      ['98123', ['004711']],
      ['+216 98 12', ['004711']],
      ['0021698123456', ['004711']],
      ['٩٨١٢٣', ['004711']],
      ['5566', ['T-12']],
      ['123456', []],
      ['004711', ['004711']],
      ['4711', ['4711']],
      ['9', ['9']],
      ['ai', ['9']],
      ['T-1', ['T-12']],
      ['t-1', []],
      ['elah', []],
    ])('finds by %j the agents %j', async (text, ids) => {
      expect(await found(text)).toEqual(ids);
    });

    test.each(['', ' ', 'a', '8', 'é'])('refuses %j as too short', async (text) => {
      await expect(found(text)).rejects.toThrow(
        'search text: expected 2 letters of a name, 4 digits of a phone number or an id',
      );
    });

    test('refuses more than 8 words', async () => {
      await expect(found('aa bb cc dd ee ff gg hh ii')).rejects.toThrow('search text: expected at most 8 words');
    });

    test('puts the agent with exactly this id first, then phones, then names, then beginnings of ids', async () => {
      await importLines(['98123,Amel,', '0,Block 98123,', '981234,Nour,']);
      expect(await found('98123')).toEqual(['98123', '004711', '0', '981234']);
      expect(await agents.search('98123', 2)).toMatchObject({ agents: [{}, {}], hasMore: true, tooMany: false });
    });

    test('finds an agent by the new name and phone after a change, and no longer by the former ones', async () => {
      await importLines(['004711,Amel Trabelsi,20 111 222', ...AGENTS.slice(1)]);
      expect(await found('salah')).toEqual([]);
      expect(await found('98123')).toEqual([]);
      expect(await found('amel trab')).toEqual(['004711']);
      expect(await found('2011')).toEqual(['004711']);
    });
  });

  test('finds an agent who was added alone, and stores nothing in a dry run', async () => {
    const add = (agentId: string, dryRun: boolean): Promise<void> =>
      agents.add({ agentId, fullName: 'Nour Said', phone: '' }, { ...BY_TEST, dryRun });
    await add('1', true);
    expect(await found('nour')).toEqual([]);
    await add('2', false);
    expect(await found('said nour')).toEqual(['2']);
  });

  test('reads a bounded part of the index, whatever the text', async () => {
    const rows = Array.from({ length: 4_200 }, (_, index) => {
      const first = index % 2 === 0 ? 'Mohamed' : 'Fatma';
      return `a${index},${first} Ben Number${index},2${String(index).padStart(7, '0')}`;
    });
    await importLines([...rows, 'z,Mohamed Ali Rare,']);
    const readBy = async (text: string): Promise<number> => {
      reads.take();
      await agents.search(text, 10);
      return reads.take() ?? 0;
    };
    expect(await agents.search('ben', 10)).toEqual({ agents: [], hasMore: false, tooMany: true });
    expect(await agents.search('ben nu', 10)).toMatchObject({ agents: [], tooMany: true });
    expect(await agents.search('2000', 10)).toMatchObject({ agents: [], tooMany: true });
    expect(await readBy('ben')).toBeLessThanOrEqual(2_010);
    expect(await readBy('ben nu')).toBeLessThanOrEqual(4_020);
    expect(await found('mohamed ra')).toEqual(['z']);
    expect(await readBy('mohamed ra')).toBeLessThanOrEqual(2_010 + 20);
    expect(await found('fat numb 4199')).toEqual([]);
    expect(await found('fat number4199')).toEqual(['a4199']);
    expect(await readBy('fat number4199')).toBeLessThanOrEqual(20);
    expect(await readBy('2000420')).toBeLessThanOrEqual(60);
    await importLines(['9001,Fatma,']);
    expect(await agents.search('9001', 10)).toMatchObject({ agents: [{ agentId: '9001' }], tooMany: false });
  });

  test('looks at no more than 2,000 agents for each word of a text that fits nearly as many', async () => {
    await importLines(Array.from({ length: 1_900 }, (_, index) => `a${index},Mohamed Ben Trabelsi Salah,`));
    reads.take();
    expect(await agents.search('mohamed ben trab sala', 10)).toMatchObject({ hasMore: true, tooMany: false });
    expect(reads.take() ?? 0).toBeLessThanOrEqual(4 * 1_900 + 3 * 2 * 1_900 + 30);
  });

  test('finds exactly the agents that a comparison with every agent finds, after each change of names', async () => {
    const ids = ['1', '98', '4711', '004711', '98123', 'amel', 'AMEL', '98123456', 'سلمى', 'z'];
    const fields = fc.record({ fullName: NAME, phone: PHONE });
    const directory = fc.tuple(...ids.map(() => fields));
    const texts = fc.array(fc.oneof(PARTS_OF_NAMES, PART_OF_PHONE, fc.constantFrom(...ids)), {
      minLength: 8,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(directory, texts, async (given, sought) => {
        const records = ids.map((agentId, index) => ({ agentId, fullName: '', phone: '', ...given[index] }));
        await importLines(records.map(({ agentId, fullName, phone }) => `${agentId},${fullName},${phone}`));
        for (const text of sought) {
          const expected = plainSearch(records, text);
          const answer = expected === undefined ? 'too short' : expected;
          expect([text, await found(text).catch(() => 'too short')]).toEqual([text, answer]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

const WORD = fc.constantFrom(
  ...['Amel', 'AMÉL', 'ben', 'Bén', 'Benali', "M'Hamdi", 'El-Hédi', 'Zoé', 'Œuf', 'ﬁras', 'İlyes', 'ßa', '12', 'a'],
  ...['سلمى', 'سَلْمَى', 'سلمي', 'الطرابلسي', 'طرابلسي', 'ٱلهادي', 'الهادي', 'فاطمة', 'فاطمه'],
  ...['أحمد', 'احمد', 'إبراهيم', 'آمال', 'مـحـمد', 'ال', 'الب', '٩٨', 'x'.repeat(70)],
);
const NAME = fc.array(WORD, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ').slice(0, 200));
const PHONE = fc.constantFrom(
  ...['', '98 123 456', '+216 98 123 456', '0021622333444', '22333444 / +216 55 666 777', '٩٨١٢٣٤٥٦', '21698123456'],
);
const PARTS_OF_NAMES = fc
  .array(
    fc.tuple(WORD, fc.nat(7)).map(([text, length]) =>
      Array.from(text)
        .slice(0, length + 1)
        .join(''),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' '));
const PART_OF_PHONE = fc
  .tuple(PHONE, fc.nat(14))
  .map(([text, length]) => text.split('/')[0]?.slice(0, length + 1) ?? '');

/** Compares every agent with a text; undefined if the text is too short. */
function plainSearch(records: readonly AgentRecord[], given: string): string[] | undefined {
  const text = given.trim();
  const words = foldText(text).split(' ');
  const hasName = words.some((word) => Array.from(word).length >= 2);
  const digits = /^[+\p{Nd}\s().-]+$/u.test(text) ? digitsOf(text) : '';
  const kinds: ((agent: AgentRecord) => boolean)[] = [
    ({ agentId }) => agentId === text,
    ({ phone }) => digits.length >= 4 && phone.split('/').some((each) => digitsOf(each.trim()).startsWith(digits)),
    ({ fullName }) => hasName && words.every((word) => formsOf(fullName).some((form) => begins(form, word))),
    ({ agentId }) => text.length >= 3 && agentId.startsWith(text),
  ];
  const found = kinds.flatMap((fits) =>
    records
      .filter(fits)
      .map(({ agentId }) => agentId)
      .sort(compareBytes),
  );
  const isTooShort = found.length === 0 && !hasName && digits.length < 4 && text.length < 3;
  return isTooShort ? undefined : [...new Set(found)];
}

function formsOf(name: string): string[] {
  return foldText(name)
    .split(' ')
    .flatMap((word) => (word.startsWith('ال') ? [word, word.slice(2)] : [word]));
}

/** The article may stand in the text, in the name, in both or in neither. */
function begins(form: string, word: string): boolean {
  const bare = word.startsWith('ال') && Array.from(word).length >= 4 ? word.slice(2) : word;
  return form.startsWith(word) || form.startsWith(bare);
}

function digitsOf(phone: string): string {
  return foldText(phone.replace(/^\+/, '00'))
    .replaceAll(' ', '')
    .replace(/^00216|^216(?=\d{8}$)/, '');
}
