import { z } from 'zod';
import type { Actor, Scope } from '../../identity';
import type { Page, SortKey } from '../../kernel';
import { integerParameter } from '../../shapes/values';
import { badCursor, decodeCursor, encodeCursor } from './cursor';
import type { ApiProblemCode } from './problem';
import type { ApiRooms } from './rooms';
import { type Fields, type GivenValues, route, type TAGS, type TypedRoute, type Values } from './route';

const LIMIT_MAX = 200;
const LIMIT_USUAL = 50;

/** The sort key of a list by time: an instant, and an id that tells rows of one instant apart. */
export const byInstant = z.tuple([z.int(), z.string()]).readonly();

const cursorParameter = z.string().min(1).max(2_000).optional();
const limitParameter = integerParameter(1, LIMIT_MAX).optional();

export type ListQuery<Q extends Fields> = GivenValues<Q> & { readonly cursor?: string; readonly limit?: string };

export interface ListAnswer<Row extends z.ZodType, AsOf extends z.ZodType> {
  readonly status: 200;
  readonly body: {
    readonly data: readonly z.input<Row>[];
    readonly hasMore: boolean;
    readonly nextCursor: string | null;
    readonly asOf: z.input<AsOf>;
  };
}

interface ListSpec<
  P extends Fields,
  Q extends Fields,
  Row extends z.ZodType,
  Key extends SortKey,
  Found,
  Id extends string,
  AsOf extends z.ZodType,
> {
  readonly path: string;
  readonly operationId: Id;
  readonly summary: string;
  readonly description?: string;
  readonly tag: (typeof TAGS)[number];
  readonly scope: Scope;
  readonly params?: P;
  /** All of them optional. */
  readonly filter?: Q;
  readonly row: Row;
  /** The schema of the field `asOf`, if the pages have one. */
  readonly asOf?: AsOf;
  /** Validates the sort key of a cursor. */
  readonly key: z.ZodType<Key>;
  readonly problems?: readonly ApiProblemCode[];
  readonly page: (
    rooms: ApiRooms,
    query: {
      readonly params: Values<P>;
      readonly filter: Values<Q>;
      readonly after: Key | undefined;
      readonly limit: number;
      readonly actor: Actor;
    },
  ) => Promise<Page<Found, Readonly<Key>> & { readonly asOf?: unknown }>;
  readonly toJson: (found: Found, rooms: ApiRooms) => z.input<Row>;
}

/**
 * Declares a list: a GET with filters that answers pages by key, so that pages stay stable while rows are added. A page
 * may be short: only `hasMore` says whether the list ends.
 */
export function listRoute<
  Row extends z.ZodType,
  Key extends SortKey,
  Found,
  P extends Fields = Readonly<Record<string, never>>,
  Q extends Fields = Readonly<Record<string, never>>,
  Id extends string = string,
  AsOf extends z.ZodType = z.ZodUndefined,
>(
  spec: ListSpec<P, Q, Row, Key, Found, Id, AsOf>,
): TypedRoute<Id, GivenValues<P>, ListQuery<Q>, undefined, ListAnswer<Row, AsOf>> {
  const { filter, row, asOf, key, page, toJson, problems = [], ...shared } = spec;
  const answer = z.strictObject({
    data: z.array(row),
    hasMore: z.boolean(),
    nextCursor: z.string().nullable().meta({ description: 'The cursor of the next page; null after the last row.' }),
    ...(asOf === undefined ? {} : { asOf }),
  });
  const query: Fields = { ...filter, cursor: cursorParameter, limit: limitParameter };
  const listed = route<P, Fields, undefined, { 200: z.ZodType }>({
    ...shared,
    method: 'get',
    query,
    problems: [...problems, 'bad_cursor'],
    answers: { 200: answer },
    async handle(rooms, { params, query: { cursor, limit = LIMIT_USUAL, ...filters }, actor }) {
      const list = [spec.operationId, params, filters];
      const after = cursor === undefined ? undefined : keyOf(key, decodeCursor(list, cursor as string));
      const query = { params, filter: filters as Values<Q>, after, limit: limit as number, actor };
      const { rows, next, ...found } = await page(rooms, query);
      const data = rows.map((each) => toJson(each, rooms));
      const nextCursor = next === undefined ? null : encodeCursor(list, next);
      return { status: 200, body: { data, hasMore: next !== undefined, nextCursor, ...found } };
    },
  });
  return { ...listed, operationId: spec.operationId, isList: true } as unknown as TypedRoute<
    Id,
    GivenValues<P>,
    ListQuery<Q>,
    undefined,
    ListAnswer<Row, AsOf>
  >;
}

function keyOf<Key>(schema: z.ZodType<Key>, parts: SortKey): Key {
  const parsed = schema.safeParse(parts);
  if (!parsed.success) throw badCursor();
  return parsed.data;
}
