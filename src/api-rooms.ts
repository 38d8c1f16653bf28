import type { ApiRooms } from './api';
import type { Millime } from './compose';
import { diagnose } from './diagnose';
import { gatewayBudgetUse } from './gateway-budget-use';
import { jobsOf } from './jobs';
import { formatInstant } from './kernel';
import { jobStates } from './scheduler';
import { verifyBooks } from './verify-books';

/** Returns what the routes of the HTTP API call: the rooms, and the use cases of several of them. */
export function apiRoomsOf(millime: Millime): ApiRooms {
  return {
    ...millime,
    jobStates: () => jobStates(millime, jobsOf(millime)),
    verifyBooks: () => verifyBooks(millime),
    diagnose: () => diagnose(millime, { instantText: formatInstant, noticeText: ({ text }) => text }),
    gatewayBudget: () => gatewayBudgetUse(millime),
  };
}
