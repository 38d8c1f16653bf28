import { expect, test } from '@jest/globals';
import { AppError, counted, isAppError, problemText, quoted } from '../../../src/kernel';

test('names the field, what was expected, what came and what to do', () => {
  const error = new AppError('bad_input', {
    field: 'amountMillimes',
    expected: 'whole millimes above 0',
    got: '12.5',
    fix: 'for 12,500 DT write 12500',
  });
  expect(error.message).toBe('amountMillimes: expected whole millimes above 0, got "12.5"; for 12,500 DT write 12500');
  expect(error.problem).toMatchObject({ code: 'bad_input', field: 'amountMillimes' });
});

test('says that nothing came instead of quoting it', () => {
  expect(new AppError('bad_input', { field: 'reason', expected: 'a reason', got: '' }).message).toBe(
    'reason: expected a reason, got nothing',
  );
});

test('states what is wrong with a field where nothing was expected of its value', () => {
  const error = new AppError('misconfigured', { field: 'HOLIDAYS_FILE', fault: 'cannot be read' });
  expect(error.message).toBe('HOLIDAYS_FILE: cannot be read');
  expect(isAppError(error, 'misconfigured')).toBe(true);
});

test('derives the kind of fault from the code of the problem', () => {
  const error = new AppError('line_matched', { lineId: 'L1' });
  expect(error.code).toBe('conflict');
  expect(error.problem).toEqual({ code: 'line_matched', params: { lineId: 'L1' }, field: undefined });
  expect(error.message).toBe('line L1 is already matched; run "millime reconcile unmatch L1" first');
});

test.each([
  ['by_hand', 'break B1 is resolved (by_hand); run "millime breaks reopen B1 --reason <text>" first'],
  [
    'written_off',
    'break B1 is resolved (written_off); run "millime breaks propose B1 --action reopen --reason <text>" first',
  ],
  [
    'force_matched',
    'break B1 is resolved (force_matched); run "millime breaks propose B1 --action unmatch --reason <text>" first',
  ],
])('names the command that reopens a break resolved as %s', (resolution, message) => {
  expect(new AppError('break_resolved', { breakId: 'B1', resolution }).message).toBe(message);
});

test('makes the same sentence again from the code and the parameters', () => {
  const error = new AppError('not_found', { thing: 'break', id: 'B1' });
  expect(problemText(error.problem.code, error.problem.params)).toBe(error.message);
});

test('quotes a value on one visible line and shortens a long one', () => {
  expect(quoted('a\nb\u202ec')).toBe('"a\\nb\\u202ec"');
  expect(quoted('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`);
});

test('counts one thing in the singular and every other number in the plural', () => {
  expect([counted(1, 'break'), counted(2, 'break'), counted(0, 'entry', 'entries')]).toEqual([
    '1 break',
    '2 breaks',
    '0 entries',
  ]);
});
