import type { z } from 'zod';
import { ApiRefusal, type InputFault } from '../operation/problem';

type Issue = z.core.$ZodIssue;

/** Returns the refusal of a part of a request that its schema does not accept. */
export function inputRefusal(part: InputFault['in'], issues: readonly Issue[]): ApiRefusal {
  const faults = issues.flatMap((issue) => faultsOf(part, issue));
  const [first] = faults;
  const detail = first === undefined ? `${part}: not accepted` : `${nameOf(first)}: ${first.detail}`;
  return new ApiRefusal('bad_input', detail, { faults });
}

/** Returns the refusal of one thing. */
export function oneFault(part: InputFault['in'], pointer: string, detail: string): ApiRefusal {
  return new ApiRefusal('bad_input', `${pointer === '' ? part : pointer.slice(1)}: ${detail}`, {
    faults: [{ in: part, pointer, detail }],
  });
}

function nameOf({ in: part, pointer }: InputFault): string {
  return pointer === '' ? part : pointer.slice(1).replaceAll('/', '.');
}

function faultsOf(part: InputFault['in'], issue: Issue): InputFault[] {
  const pointer = pointerOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ in: part, pointer: pointerOf([...issue.path, key]), detail: 'is not known' }));
  }
  return [{ in: part, pointer, detail: expectation(issue) }];
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function expectation(issue: Issue): string {
  if (issue.message.startsWith('expected ')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected === 'int' ? 'a whole number' : `a value of type ${issue.expected}`}`;
    case 'too_small':
      return `expected ${measured(issue.origin)} of at least ${issue.minimum}`;
    case 'too_big':
      return `expected ${measured(issue.origin)} of at most ${issue.maximum}`;
    case 'invalid_value':
      return `expected one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return 'expected one of the documented forms';
    default:
      return 'expected the documented form';
  }
}

function measured(origin: string): string {
  return ['number', 'int', 'bigint'].includes(origin) ? 'a number' : 'a length';
}
