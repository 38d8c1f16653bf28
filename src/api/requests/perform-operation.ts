import type { Database } from '../../db';
import { AppError, fingerprintOf } from '../../kernel';
import { answerOnce } from '../idempotency/answer-once';
import { encodeAnswer, type EncodedAnswer } from '../operation/encode-answer';
import type { ApiRooms } from '../operation/rooms';
import type { Caller, Route } from '../operation/route';
import type { LongOperations } from './long-operations';
import type { LookUp } from './look-ups';

export interface OperationDeps {
  readonly rooms: ApiRooms;
  readonly database: Database;
  readonly lookUp: LookUp;
  readonly longOperations: LongOperations;
}

/** An operation with parsed input, as the API or a page asks for it. */
export interface AskedOperation {
  readonly route: Route;
  /** Its audit records and its answer name the request, a ULID. */
  readonly actor: Caller & { readonly requestId: string };
  readonly input: Pick<Handled, 'params' | 'query' | 'body' | 'dryRun' | 'ifVersion'>;
  /** Undefined where the operation takes none. */
  readonly idempotencyKey: string | undefined;
  /** The parts that are known before the operation and tell one request from another. */
  readonly payload: readonly unknown[];
  /** Returns the SHA-256 of the bytes of an upload, which it reads to their end. Undefined for other bodies. */
  readonly digest: (() => Promise<string>) | undefined;
  /** Aborts if the client leaves before its answer. */
  readonly left: AbortSignal;
}

export type Handled = Parameters<Route['handle']>[1];

/** @throws AppError `missing_scope`. */
export function requireScopeOf({ scope }: Pick<Route, 'scope'>, { name, scopes }: Caller): void {
  if (scope !== undefined && !scopes.has(scope)) throw new AppError('missing_scope', { name, scope });
}

/** Performs an operation, once for each idempotency key, and returns its encoded answer. */
export async function performOperation(
  deps: OperationDeps,
  asked: AskedOperation,
): Promise<EncodedAnswer & { readonly isReplayed: boolean }> {
  const { route, actor, input, idempotencyKey, payload, digest } = asked;
  requireScopeOf(route, actor);
  const handled = { ...input, actor } as Handled;
  const params = input.params as Readonly<Record<string, unknown>>;
  const work = route.isLong
    ? longWork(deps, asked, handled)
    : async () => encodeAnswer(route, await deps.lookUp(route, actor, params, () => route.handle(deps.rooms, handled)));
  const ended = <T>(answer: Promise<T>): Promise<T> => (route.isLong ? deps.longOperations.untilEnd(answer) : answer);
  if (idempotencyKey === undefined) return { ...(await ended(work())), isReplayed: false };
  const keyed = {
    ...{ actorName: actor.name, key: idempotencyKey, requestId: actor.requestId, effect: route.effect },
    fingerprint: fingerprintOf(...payload),
    ...(digest === undefined ? {} : { wholeFingerprint: async () => fingerprintOf(...payload, await digest()) }),
  };
  return ended(answerOnce(deps.database, keyed, work));
}

/** Returns the work of a long operation. It ends without its client only if it stores nothing. */
function longWork(
  { rooms, longOperations }: OperationDeps,
  { route, actor, left }: AskedOperation,
  input: Handled,
): () => Promise<EncodedAnswer> {
  const { perform } = longOperations;
  const { effect, operationId } = route;
  return () =>
    longOperations.inTurn({ owner: actor.name, left }, async () =>
      perform === undefined
        ? encodeAnswer(route, await route.handle(rooms, input))
        : perform({ operationId, input }, effect === 'reads' || input.dryRun ? left : undefined),
    );
}
