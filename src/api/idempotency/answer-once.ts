import type { Database } from '../../db';
import { openAuditTrail } from '../../identity';
import { HOUR_MS, SECOND_MS } from '../../kernel';
import type { EncodedAnswer } from '../operation/encode-answer';
import { ApiRefusal, isTold } from '../operation/problem';
import type { Effect } from '../operation/route';
import { type KeptRequest, type KeyOfActor, openIdempotencyStore } from './idempotency-store';

/** A repeat within this time gets the stored answer. */
const KEPT_MS = 48 * HOUR_MS;
/** A request whose process was killed frees its key after this time. */
const LEASE_MS = 30 * SECOND_MS;

export interface KeyedRequest extends KeyOfActor {
  /** The digest of what is known of the request before `work`. */
  readonly fingerprint: string;
  /** Returns the digest of the whole request, if `work` reads a part of it; reads that part if `work` did not. */
  readonly wholeFingerprint?: () => Promise<string>;
  readonly requestId: string;
  readonly effect: Effect;
}

/**
 * Runs `work` once for each `Idempotency-Key` of an actor, across processes and restarts. A repeat of the same request
 * gets the stored answer. Where the process was killed after the effect and before the answer was stored, the audit
 * trail tells the effect, because its record names the request.
 *
 * @throws ApiRefusal `idempotency_key_reused` for another payload, `idempotency_key_in_progress` while the first request
 * is at work, `answer_lost` where the effect is stored and the answer is not, `secret_shown_once`; and every error of
 * `work`.
 */
export async function answerOnce(
  database: Database,
  request: KeyedRequest,
  work: () => Promise<EncodedAnswer>,
): Promise<EncodedAnswer & { readonly isReplayed: boolean }> {
  const kept = await claimKey(database, request);
  if (kept !== undefined) {
    if (kept.fingerprint !== (await wholeFingerprint(request))) throw keyReused();
    return { ...storedAnswer(kept), isReplayed: true };
  }
  const renewal = setInterval(() => void renew(database, request), LEASE_MS / 3).unref();
  try {
    const answer = await work();
    await keep(database, request, answer);
    return { ...answer, isReplayed: false };
  } catch (error) {
    await release(database, request, error);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

async function wholeFingerprint(request: KeyedRequest): Promise<string> {
  return request.wholeFingerprint === undefined ? request.fingerprint : request.wholeFingerprint();
}

/** Claims the key of a new request, or returns the answered request that owns it. */
function claimKey(database: Database, request: KeyedRequest): Promise<KeptRequest | undefined> {
  return database.transact(
    async (session) => {
      const store = openIdempotencyStore(session);
      const { kept, now } = await store.find(request);
      const { actorName, key, fingerprint, requestId } = request;
      const own: KeptRequest = {
        ...{ actorName, key, fingerprint, requestId },
        ...{ expiresAt: now + KEPT_MS, leaseUntil: now + LEASE_MS },
        ...{ status: undefined, headers: undefined, body: undefined },
      };
      if (kept === undefined) {
        await store.add(own);
        return undefined;
      }
      if (kept.expiresAt > now) {
        if (kept.status !== undefined) return kept;
        if (kept.fingerprint !== fingerprint) throw keyReused();
        if (kept.leaseUntil > now) throw keyInProgress(kept.leaseUntil - now);
        const effect = await openAuditTrail(session).ofRequest(kept.requestId);
        if (effect !== undefined && request.effect !== 'repeatable') throw answerLost(effect.subject);
      }
      await store.replace(own);
      return undefined;
    },
    { retryDuplicate: true },
  );
}

function storedAnswer({ status = 500, headers = {}, body }: KeptRequest): EncodedAnswer {
  if (body === undefined) {
    throw new ApiRefusal(
      'secret_shown_once',
      'the first answer showed a secret, which is not stored; create another one',
    );
  }
  return { status, headers, body };
}

function keyReused(): ApiRefusal {
  return new ApiRefusal('idempotency_key_reused', 'Idempotency-Key: expected a new one, because the request differs');
}

function keyInProgress(leaseMs: number): ApiRefusal {
  return new ApiRefusal('idempotency_key_in_progress', 'the first request with this Idempotency-Key is at work', {
    retryAfterMs: Math.min(leaseMs, SECOND_MS),
  });
}

function answerLost(subject: string): ApiRefusal {
  const detail = `the first request had its effect on ${subject}, and its answer was lost; read the present state`;
  return new ApiRefusal('answer_lost', detail);
}

/** A failed renewal is repeated by the next one. */
async function renew(database: Database, request: KeyedRequest): Promise<void> {
  const { requestId } = request;
  await database
    .transact((session) => openIdempotencyStore(session).renew(request, requestId, LEASE_MS))
    .catch(() => undefined);
}

/** Keeps the answer. If that fails, the caller still gets it; a repeat then finds the effect in the audit trail. */
async function keep(database: Database, request: KeyedRequest, answer: EncodedAnswer): Promise<void> {
  const { requestId, effect } = request;
  const body = effect === 'secret' ? undefined : answer.body;
  const finished = { ...answer, body, fingerprint: await wholeFingerprint(request) };
  await database
    .transact((session) => openIdempotencyStore(session).finish(request, requestId, finished))
    .catch(() => undefined);
}

/**
 * Frees the key after an error. A refusal stored nothing, so the key may name another request. After any other error the
 * use case may have stored a part; a repeat then asks the audit trail.
 */
async function release(database: Database, request: KeyedRequest, error: unknown): Promise<void> {
  const isRefused = isTold(error) || error instanceof ApiRefusal;
  await database
    .transact((session) => {
      const store = openIdempotencyStore(session);
      return isRefused ? store.remove(request, request.requestId) : store.renew(request, request.requestId, 0);
    })
    .catch(() => undefined);
}

const REMOVED_AT_A_TIME = 500;

/** Removes expired answers, in pages. */
export async function removeExpiredAnswers(database: Database, signal: AbortSignal): Promise<void> {
  for (let removed = REMOVED_AT_A_TIME; removed === REMOVED_AT_A_TIME && !signal.aborted;) {
    removed = await database.transact((session) => openIdempotencyStore(session).removeExpired(REMOVED_AT_A_TIME));
  }
}
