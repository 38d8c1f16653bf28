import { addToGroup, SECOND_MS } from '../../kernel';
import { ApiRefusal } from '../operation/problem';

/** Long operations that run concurrently in a process. An owner has one of these places. */
const RUNNING_MAX = 2;
/** Those that wait for a place, in all and of one owner. */
const WAITING_MAX = 8;
const WAITING_OF_OWNER_MAX = 2;
const RETRY_MS = 5 * SECOND_MS;

/** The places of long operations, shared between the owners of keys. */
export interface FairPlaces {
  /**
   * Resolves when the owner has a place. Owners that wait take turns, and an owner waits while it has a place.
   *
   * @throws ApiRefusal `busy` if too many wait, `unavailable` if the client left; after `close`, its refusal.
   */
  enter(owner: string, left: AbortSignal): Promise<void>;
  /** Frees the place of an owner. */
  leave(owner: string): void;
  /** Refuses those that wait, and later those that would. */
  close(refusal: ApiRefusal): void;
}

interface Waiter {
  begin(): void;
  refuse(refusal: ApiRefusal): void;
}

/** Creates the places of one process. */
export function fairPlaces(): FairPlaces {
  const running = new Set<string>();
  /** The owners that wait, in the order of their turns. */
  const waiting = new Map<string, Waiter[]>();
  let closed: ApiRefusal | undefined;

  function beginNext(): void {
    const owner = [...waiting.keys()].find((each) => !running.has(each));
    if (owner === undefined || running.size >= RUNNING_MAX) return;
    const [first, ...others] = waiting.get(owner) ?? [];
    setWaiters(owner, others);
    running.add(owner);
    first?.begin();
  }

  function setWaiters(owner: string, waiters: Waiter[]): void {
    if (waiters.length > 0) waiting.set(owner, waiters);
    else waiting.delete(owner);
  }

  function placeOf(owner: string, left: AbortSignal): Promise<void> {
    return new Promise((begin, refuse) => {
      const waiter = { begin, refuse };
      addToGroup(waiting, owner, waiter);
      left.addEventListener('abort', () => {
        setWaiters(
          owner,
          (waiting.get(owner) ?? []).filter((each) => each !== waiter),
        );
        refuse(ownerLeft());
      });
    });
  }

  return {
    async enter(owner, left) {
      if (left.aborted) throw ownerLeft();
      if (running.size < RUNNING_MAX && !running.has(owner)) {
        running.add(owner);
        return;
      }
      if (closed !== undefined) throw closed;
      const own = waiting.get(owner)?.length ?? 0;
      if (own >= WAITING_OF_OWNER_MAX) throw busy('too many long operations of this key wait');
      if ([...waiting.values()].flat().length >= WAITING_MAX) throw busy('too many long operations wait');
      await placeOf(owner, left);
    },
    leave(owner) {
      running.delete(owner);
      const own = waiting.get(owner) ?? [];
      // It had its turn, so the others come first.
      waiting.delete(owner);
      setWaiters(owner, own);
      beginNext();
    },
    close(refusal) {
      closed = refusal;
      for (const waiter of [...waiting.values()].flat()) waiter.refuse(refusal);
      waiting.clear();
    },
  };
}

function busy(why: string): ApiRefusal {
  return new ApiRefusal('busy', `${why} in this process; try again when some have ended`, { retryAfterMs: RETRY_MS });
}

function ownerLeft(): ApiRefusal {
  return new ApiRefusal('unavailable', 'the client closed its connection before the operation began');
}
