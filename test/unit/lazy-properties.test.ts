import { expect, test } from '@jest/globals';
import { lazyProperties } from '../../src/lazy-properties';

// Goal: a property that no caller reads is not created, and one that is read is created once.

function counted(): { readonly made: { readonly a: object; readonly b: object }; readonly asked: string[] } {
  const asked: string[] = [];
  const make = (name: string) => (): object => {
    asked.push(name);
    return { name };
  };
  return { made: lazyProperties({ a: make('a'), b: make('b') }), asked };
}

test('creates a property at its first read and returns the same value afterwards', () => {
  const { made, asked } = counted();
  expect(Object.keys(made)).toEqual(['a', 'b']);
  expect(asked).toEqual([]);
  expect(made.b).toBe(made.b);
  expect(made.b).toEqual({ name: 'b' });
  expect(asked).toEqual(['b']);
});

test('creates all properties once when it is copied', () => {
  const { made, asked } = counted();
  const first = made.a;
  const copy = { ...made };
  expect(copy).toEqual({ a: { name: 'a' }, b: { name: 'b' } });
  expect(copy.a).toBe(first);
  expect(asked).toEqual(['a', 'b']);
});

test('tries again after a maker failed', () => {
  let tries = 0;
  const made = lazyProperties<{ readonly room: string }>({
    room() {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return 'there';
    },
  });
  expect(() => made.room).toThrow('not yet');
  expect(made.room).toBe('there');
});
