import { describe, expect, test } from '@jest/globals';
import { apiDocument } from '../../../scripts/openapi/api-document';
import { declaredProblems, ROUTES } from '../../../src/api';
import { SCOPES } from '../../../src/identity';

// Goal: the OpenAPI document is complete. `npm run check` validates it and compares it with the file in docs/.

const document = apiDocument();

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-scope'?: string;
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ path, method, ...operation })),
);

describe('the OpenAPI document', () => {
  test('describes every route, and no other operation', () => {
    const described = operations.map(({ method, path, operationId }) => `${operationId} ${method} ${path}`);
    expect(described.sort()).toEqual(
      ROUTES.map(({ operationId, method, path }) => `${operationId} ${method} /api/v1${path}`).sort(),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s has a short imperative summary, one tag, and the scope that it needs',
    (_id, { summary, tags, 'x-scope': scope }) => {
      expect(summary).toMatch(/^[A-Z][^.]{4,69}$/);
      expect(tags).toHaveLength(1);
      if (scope !== undefined) expect(SCOPES).toContain(scope);
    },
  );

  test('has no path that is also an id in another path', () => {
    const shadowed = ROUTES.flatMap((route) =>
      ROUTES.filter(({ path }) => path !== route.path && couldBe(route, path)).map(
        ({ path }) => `${route.path} ${path}`,
      ),
    );
    expect([...new Set(shadowed)]).toEqual([]);
  });

  test('declares a status for every problem of every operation', () => {
    for (const route of ROUTES) {
      const operation = operations.find(({ operationId }) => operationId === route.operationId);
      const text = JSON.stringify(Object.values(operation?.responses ?? {}).map(({ $ref }) => $ref ?? ''));
      for (const code of declaredProblems(route)) expect(text).toContain(code);
    }
  });
});

/** Whether a literal path is one of those that a path with parameters stands for. */
function couldBe({ path, params }: (typeof ROUTES)[number], literal: string): boolean {
  const [places, words] = [path.split('/'), literal.split('/')];
  if (places.length !== words.length) return false;
  const values: Record<string, string> = {};
  for (const [index, place] of places.entries()) {
    const name = /^\{(\w+)\}$/.exec(place)?.[1];
    const word = words[index] ?? '';
    if (name !== undefined && !word.startsWith('{')) values[name] = word;
    else if (name === undefined && place !== word) return false;
  }
  return Object.keys(values).length > 0 && params.partial().safeParse(values).success;
}
