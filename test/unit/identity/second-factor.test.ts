import { describe, expect, test } from '@jest/globals';
import { freshEnrollment, stepOfCode } from '../../../src/identity/sessions/second-factor';

/** The secret and the codes of RFC 6238, appendix B, in six digits: SHA-1, 30 seconds. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const CODES: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

const at = (seconds: number, code: string, lastStep?: number) =>
  stepOfCode(code, { secret: SECRET, lastStep, now: seconds * 1_000 });

describe('a code of the second factor', () => {
  test.each(CODES)('at %d s is %s, as the RFC states', async (seconds, code) => {
    expect(await at(seconds, code)).toBe(Math.floor(seconds / 30));
    expect(await at(seconds, ` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe(Math.floor(seconds / 30));
  });

  test('is accepted one step before and after its own, and no further', async () => {
    const step = 41_152_263; // of 1,234,567,890 s
    for (const seconds of [1_234_567_860, 1_234_567_890, 1_234_567_949]) expect(await at(seconds, '005924')).toBe(step);
    for (const seconds of [1_234_567_859, 1_234_567_950]) expect(await at(seconds, '005924')).toBeUndefined();
  });

  test('is refused for a step that was used, or that precedes a used one', async () => {
    const step = 41_152_263;
    expect(await at(1_234_567_890, '005924', step - 1)).toBe(step);
    for (const lastStep of [step, step + 1]) expect(await at(1_234_567_890, '005924', lastStep)).toBeUndefined();
  });

  test.each(['', '5924', '0059240', '00592x', '００５９２４', '-05924', '005924\u0000'])('is not %j', async (code) => {
    expect(await at(1_234_567_890, code)).toBeUndefined();
  });

  test('has a new secret of 160 bits for each enrollment', async () => {
    const [one, two] = [await freshEnrollment('salma'), await freshEnrollment('salma')];
    expect(one.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(one.secret).not.toBe(two.secret);
    expect(one.uri).toContain(`secret=${one.secret}`);
  });
});
