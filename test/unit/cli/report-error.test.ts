import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { registerBreakCommands } from '../../../src/cli/breaks';
import type { RunCommand } from '../../../src/cli/command';
import { errorLines } from '../../../src/cli/report-error';
import { AppError } from '../../../src/kernel';

const noRun = Object.assign(() => Promise.resolve(), {
  onNewBooks: () => Promise.resolve(),
  beforeMigration: () => Promise.resolve(),
}) satisfies RunCommand;

function breaksCommand(name: string): Command | undefined {
  const program = new Command('millime');
  registerBreakCommands(program, noRun);
  return program.commands[0]?.commands.find((each) => each.name() === name);
}

describe('errorLines', () => {
  test.each([
    ['assign', 'assignee', '--to'],
    ['list', 'assignee', '--assignee'],
    ['propose', 'amountMillimes', '--amount'],
    ['propose', 'itemIds', '--items'],
    ['propose', 'lineId', '--line'],
    ['show', 'id', '<id>'],
    ['show', 'MILLIME_API_KEY', 'MILLIME_API_KEY'],
  ])('names in "breaks %s" the field %s %s, as the user types it', (name, field, shown) => {
    const error = new AppError('bad_input', { field, expected: 'another value', got: 'x' });
    expect(errorLines(error, breaksCommand(name))).toEqual([`${shown}: expected another value, got "x"`]);
  });

  test('returns each detail in a line, and how many are hidden', () => {
    const details = Array.from({ length: 10_002 }, (_, index) => `line ${index}`);
    const error = new AppError('file_faults', { file: 'agents.csv' }, { details });
    const [message, first, ...others] = errorLines(error, undefined);
    expect([message, first, others.length, others.at(-1)]).toEqual([
      'agents.csv: has faults; nothing was stored',
      'line 0',
      10_000,
      'and 2 more',
    ]);
  });
});
