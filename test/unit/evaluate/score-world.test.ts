// Goal: the engine never receives the truth, and receives every question of the evaluation.
// Method: an engine that records its input, on a world whose files carry the truth in fields that do not belong there.
import { expect, test } from '@jest/globals';
import type { EngineQuestion } from '../../../scripts/evaluate/score/answer-question';
import type { Engine } from '../../../scripts/evaluate/score/engine';
import { scoreWorld } from '../../../scripts/evaluate/score/score-world';
import type { World } from '../../../scripts/evaluate/world';
import { anInferredCredit, aSmallWorld } from './a-small-world';

const WORLD = aSmallWorld(
  [
    { id: 'a', amount: 5_000, when: '2026-03-02 09:00' },
    { id: 'b', amount: 7_000, when: '2026-03-02 10:00' },
  ],
  [{ id: 'line', day: '2026-03-03', cut: '2026-03-02 17:00', paid: ['a', 'b'] }],
);

function engineThat(resolves: (lineId: string) => boolean): Engine & { readonly questions: EngineQuestion[] } {
  const questions: EngineQuestion[] = [];
  return {
    questions,
    ask: async (question) => {
      questions.push(question);
      const credits = question.files.lines.map(({ lineId }) =>
        anInferredCredit(lineId, resolves(lineId) ? { itemIds: ['a', 'b'], claimedError: 1e-4 } : {}),
      );
      return { result: { model: 'sweep-all', fees: [], credits, items: [], breaks: [] }, tookMs: 1 };
    },
    stop: () => {},
  };
}

test('passes the engine the fields of the files and nothing else', async () => {
  const leaking: World = {
    ...WORLD,
    files: {
      ...WORLD.files,
      items: WORLD.files.items.map((item) => ({ ...item, availableAt: 'the truth' })),
      lines: WORLD.files.lines.map((line) => ({ ...line, itemIds: 'the truth' })),
    },
  };
  const engine = engineThat(() => false);
  await scoreWorld(leaking, engine, 1);
  const fields = new Set(engine.questions.flatMap(fieldsOf));
  expect([...fields].sort()).toEqual(
    [
      ...['files', 'maxError', 'items', 'observations', 'lines', 'fees', 'holidays'],
      ...['itemId', 'channel', 'amount', 'succeededAt'],
      ...['lineId', 'bookingDate', 'valueDate', 'counterparty', 'remittance'],
    ].sort(),
  );
});

test('asks at every limit, in other orders and beside decoys', async () => {
  const engine = engineThat(() => false);
  const score = await scoreWorld(WORLD, engine, 2);
  expect(engine.questions.map(({ maxError }) => maxError)).toEqual([0.3, 0.005, 0.001, 0.001, 0.001, 0.001]);
  expect(engine.questions.map(({ files }) => files.lines.length)).toEqual([1, 1, 1, 1, 1, 2]);
  expect(score).toMatchObject({ credits: 1, resolvable: 1, shuffles: 2, shufflesDifferent: 0, decoys: 1 });
});

test('judges only answers and claims of a guard', async () => {
  const engine = engineThat(() => true);
  const score = await scoreWorld({ ...WORLD, isGuard: true }, engine, 0);
  expect(score).toMatchObject({ resolvable: 0, breaks: {}, strict: { exact: 1, exactResolvable: 0, wrong: [] } });
  expect(score.calibration).toMatchObject([{ world: 'by-hand:1', explanations: 1, wrong: [] }]);
});

test('counts a decoy that was resolved, and not as one of the credits', async () => {
  const score = await scoreWorld(
    WORLD,
    engineThat(() => true),
    0,
  );
  expect(score).toMatchObject({
    decoysResolved: 1,
    strict: { exact: 1, wrong: [] },
    withDecoys: { exact: 1, wrong: [] },
  });
});

test('counts an answer that depends on the order of the files', async () => {
  const many = aSmallWorld(
    Array.from({ length: 30 }, (_, index) => ({ id: `item-${index}`, amount: 1_000, when: '2026-03-02 09:00' })),
    [{ id: 'line', day: '2026-03-03', cut: '2026-03-02 17:00', paid: ['item-0'] }],
  );
  const engine = engineThat(() => false);
  const first: Engine = {
    ...engine,
    ask: async (question) => {
      const { result, tookMs } = await engine.ask(question);
      const [item] = question.files.items;
      return {
        tookMs,
        result: { ...result, credits: [anInferredCredit('line', { commonCore: [item?.itemId ?? ''] })] },
      };
    },
  };
  expect(await scoreWorld(many, first, 1)).toMatchObject({ shufflesDifferent: 1 });
});

function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => [field, ...fieldsOf(inner)]);
}
