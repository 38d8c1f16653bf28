import { expect, test } from '@jest/globals';
import { madeWhenRead } from '../../src/made-when-read';

// Goal: what nobody asks for is not made, and what is asked for is made once.

function counted(): { readonly made: { readonly a: object; readonly b: object }; readonly asked: string[] } {
  const asked: string[] = [];
  const make = (name: string) => (): object => {
    asked.push(name);
    return { name };
  };
  return { made: madeWhenRead({ a: make('a'), b: make('b') }), asked };
}

test('a property is made when it is first read, and is the same from then on', () => {
  const { made, asked } = counted();
  expect(Object.keys(made)).toEqual(['a', 'b']);
  expect(asked).toEqual([]);
  expect(made.b).toBe(made.b);
  expect(made.b).toEqual({ name: 'b' });
  expect(asked).toEqual(['b']);
});

test('a copy has all of them, made once', () => {
  const { made, asked } = counted();
  const first = made.a;
  const copy = { ...made };
  expect(copy).toEqual({ a: { name: 'a' }, b: { name: 'b' } });
  expect(copy.a).toBe(first);
  expect(asked).toEqual(['a', 'b']);
});

test('what could not be made is tried again', () => {
  let tries = 0;
  const made = madeWhenRead<{ readonly room: string }>({
    room() {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return 'there';
    },
  });
  expect(() => made.room).toThrow('not yet');
  expect(made.room).toBe('there');
});
