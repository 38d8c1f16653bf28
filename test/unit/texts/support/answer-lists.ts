import { z } from 'zod';
import { ROUTES } from '../../../../src/api';

/** The closed list of a field of an answer. `path` begins with the component or the operation: `Break.class`. */
export interface AnswerList {
  readonly path: string;
  readonly codes: readonly string[];
}

/** Returns every closed list of the answers of the API, from their schemas. */
export function answerLists(): AnswerList[] {
  const found = new Map<string, Set<string>>();
  const add = (path: string, values: readonly unknown[]): void => {
    const codes = found.get(path) ?? new Set();
    for (const value of values) if (typeof value === 'string') codes.add(value);
    found.set(path, codes);
  };
  for (const { method, path, answers } of ROUTES) {
    for (const [status, schema] of Object.entries(answers)) visit(schema, `${method} ${path} ${status}`, add);
  }
  return [...found].map(([path, codes]) => ({ path, codes: [...codes] }));
}

type Add = (path: string, values: readonly unknown[]) => void;

function visit(schema: unknown, above: string, add: Add): void {
  if (!(schema instanceof z.ZodType)) return;
  const id = schema.meta()?.['id'];
  const path = typeof id === 'string' ? id : above;
  if (schema instanceof z.ZodEnum) add(path, schema.options);
  else if (schema instanceof z.ZodLiteral) add(path, [...schema.values]);
  else if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(schema.shape)) visit(field, `${path}.${name}`, add);
  } else for (const [part, end] of partsOf(schema)) visit(part, `${path}${end}`, add);
}

/** Returns the schemas of which another consists, each with what it adds to the path. */
function partsOf(schema: z.ZodType): (readonly [unknown, string])[] {
  if (schema instanceof z.ZodArray) return [[schema.element, '']];
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => [option, ''] as const);
  if (schema instanceof z.ZodTuple) return schema.def.items.map((item) => [item, ''] as const);
  if (schema instanceof z.ZodPipe) {
    return [
      [schema.in, ''],
      [schema.out, ''],
    ];
  }
  if (schema instanceof z.ZodRecord) {
    return [
      [schema.keyType, '{key}'],
      [schema.valueType, '{}'],
    ];
  }
  if (schema instanceof z.ZodIntersection) {
    return [
      [schema.def.left, ''],
      [schema.def.right, ''],
    ];
  }
  const { innerType } = schema.def as { readonly innerType?: unknown };
  return innerType === undefined ? [] : [[innerType, '']];
}
