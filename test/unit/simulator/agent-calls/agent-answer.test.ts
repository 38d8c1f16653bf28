import { describe, expect, test } from '@jest/globals';
import { readCheckBody, readConfirmBody } from '../../../../src/simulator/agent-calls/agent-answer';

// Goal: an integrator learns which field of their answer violates section 4.6.
// Method: tables of valid and invalid bodies, as bytes.

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

describe('An answer to Check Agent', () => {
  test.each([
    ['a valid agent', '{"code":"0","desc":"Amira Ben Youssef","amount":"238000"}'],
    ['a valid agent who owes nothing', '{"code":"0","desc":"سلمى","amount":"0"}'],
    ['an invalid agent', '{"code":"1","desc":"","amount":"0"}'],
    ['an invalid agent without an amount, which is not stated', '{"amount":"","desc":"","code":"1"}'],
  ])('is taken for %s', (_what, text) => {
    expect(readCheckBody(bytes(text))).toEqual({ ok: true, body: JSON.parse(text) });
  });

  test.each([
    ['not JSON', '<html>', 'the body is not JSON'],
    ['empty', '', 'the body is not JSON'],
    ['an array', '[]', 'the body is not a JSON object'],
    ['marked with a byte order mark', '\ufeff{"code":"1","desc":"","amount":"0"}', 'the body is not JSON'],
    ['naming a field twice', '{"code":"1","code":"0","desc":"","amount":"0"}', 'the body names a field twice'],
    ['with a number as code', '{"code":0,"desc":"A","amount":"1"}', 'code is a number, not a string'],
    ['with a number as amount', '{"code":"0","desc":"A","amount":1}', 'amount is a number, not a string'],
    ['with an empty name', '{"code":"0","desc":"","amount":"5"}', 'desc of a valid agent is empty'],
    ['with a name of blanks', '{"code":"0","desc":" \\t","amount":"5"}', 'desc of a valid agent is empty'],
    ['without a name', '{"code":"0","amount":"1"}', 'desc is missing, not a string'],
    ['with null as name', '{"code":"0","desc":null,"amount":"1"}', 'desc is null, not a string'],
    ['with dinars', '{"code":"0","desc":"A","amount":"1.500"}', /^amount is "1.500", not a whole number of millimes/],
    ['with a debt below zero', '{"code":"0","desc":"A","amount":"-1"}', /^amount is "-1"/],
    ['with an unknown code', '{"code":"2","desc":"A","amount":"1"}', 'code is "2", not "0" or "1"'],
    ['with a name of nobody', '{"code":"1","desc":"A","amount":"0"}', 'desc of an invalid agent is not empty'],
    ['with another field', '{"code":"1","desc":"","amount":"0","x":"y"}', '"x" is no field of this answer'],
  ])('is refused when it is %s', (_what, text, reason) => {
    expect(readCheckBody(bytes(text))).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  test('is refused if it is not UTF-8', () => {
    expect(readCheckBody(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual({ ok: false, reason: 'the body is not UTF-8' });
  });
});

describe('An answer to Confirm Payment', () => {
  test.each(['0', '1', '2', '3'])('is accepted with the code %s', (code) => {
    expect(readConfirmBody(bytes(JSON.stringify({ code })))).toEqual({ ok: true, body: { code } });
  });

  test.each([
    ['with a number as code', '{"code":3}', 'code is a number, not a string'],
    ['with an unknown code', '{"code":"4"}', 'code is "4", not "0", "1", "2" or "3"'],
    ['with a text that explains', '{"code":"0","desc":"ok"}', '"desc" is no field of this answer'],
    ['without a code', '{}', 'code is missing, not a string'],
  ])('is refused %s', (_what, text, reason) => {
    expect(readConfirmBody(bytes(text))).toEqual({ ok: false, reason });
  });
});
