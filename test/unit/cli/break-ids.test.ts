import { describe, expect, test } from '@jest/globals';
import type { BreakFilter, BreakWorkflow } from '../../../src/breaks';
import { filterOf } from '../../../src/cli/break-filter';
import { chosenBreaks } from '../../../src/cli/break-ids';

const ONE = '01KAMZ7Q4Y7V6W5X4T3S2R1Q0P';
const TWO = '01KAMZ7Q4Y7V6W5X4T3S2R1Q0Q';

async function* input(text: string): AsyncIterable<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

/** A desk whose list remembers what was asked of it. */
function listing(asked: BreakFilter[]): BreakWorkflow {
  const list: BreakWorkflow['list'] = (filter) => {
    asked.push(filter);
    return Promise.resolve([]);
  };
  return { list } as BreakWorkflow;
}

const choose = (named: readonly string[], options: Parameters<typeof filterOf>[0] = {}, text = ''): Promise<string[]> =>
  chosenBreaks(listing([]), named, options, input(text));

describe('the breaks of a command', () => {
  test('are those that are named', async () => {
    expect(await choose([ONE, TWO])).toEqual([ONE, TWO]);
  });

  test('are the first words of the lines of standard input', async () => {
    expect(await choose(['-'], {}, `${ONE}  2026-03-02  high\r\n\n${TWO},x\n`)).toEqual([ONE, TWO]);
  });

  test('are none when standard input holds anything else, and the line is named', async () => {
    await expect(choose(['-'], {}, `${ONE}\n2 breaks\n`)).rejects.toMatchObject({
      code: 'bad_input',
      details: ['line 2: expected a break id first, got "2"'],
    });
  });

  test('are those that the options choose', async () => {
    const asked: BreakFilter[] = [];
    await chosenBreaks(listing(asked), [], { class: 'missing_in_bank', overdue: true });
    expect(asked).toEqual([{ classes: ['missing_in_bank'], overdueOnly: true }]);
  });

  test('must be chosen, in one way', async () => {
    await expect(choose([])).rejects.toMatchObject({ code: 'bad_input' });
    await expect(choose([ONE], { overdue: true })).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('the options that choose breaks', () => {
  test('choose nothing when none is given', () => {
    expect(filterOf({})).toBeUndefined();
  });

  test('become a filter', () => {
    expect(
      filterOf({
        class: 'missing_in_bank, pos_unknown',
        status: 'open,assigned',
        severity: 'high',
        minAmount: '1000',
        since: '2026-03-02',
        unassigned: true,
      }),
    ).toEqual({
      classes: ['missing_in_bank', 'pos_unknown'],
      statuses: ['open', 'assigned'],
      severities: ['high'],
      minAmount: 1_000,
      since: '2026-03-02',
      assignee: null,
    });
  });

  test.each([
    [{ class: 'nothing' }, '--class'],
    [{ class: 'missing_in_bank,' }, '--class'],
    [{ status: 'closed' }, '--status'],
    [{ severity: 'urgent' }, '--severity'],
    [{ minAmount: '0' }, '--min-amount'],
    [{ since: '2026-02-30' }, '--since'],
    [{ assignee: 'leila', unassigned: true as const }, '--assignee'],
  ])('that cannot be read (%j) are refused by name', (options, name) => {
    expect(() => filterOf(options)).toThrow(name);
  });
});
