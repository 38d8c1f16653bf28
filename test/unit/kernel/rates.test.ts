import { expect, test } from '@jest/globals';
import { formatProbability, formatRate } from '../../../src/kernel';

test.each([
  [15_000, '1,5 %'],
  [190_000, '19 %'],
  [1, '0,0001 %'],
  [0, '0 %'],
])('a rate of %p ppm is %p for people', (ppm, text) => {
  expect(formatRate(ppm)).toBe(text);
});

test.each([
  [0.00015601980708798482, '0,0157 %'],
  [0.001, '0,1 %'],
  [0.00029, '0,029 %'],
  [1e-9, '0,0001 %'],
  [0, '0 %'],
  [1, '100 %'],
])('a probability of %p is %p for people, never less than it is', (probability, text) => {
  expect(formatProbability(probability)).toBe(text);
});
