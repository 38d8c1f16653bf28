import { describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import { splitMatches } from '../../../src/reconciliation/interrupted-run';
import type { StoredMatch } from '../../../src/reconciliation/testing';

const FIRST_RUN = '01J00000000000000000000001';
const LAST_RUN = '01J00000000000000000000002';
const CUT_RUN = '01J00000000000000000000003';
const THIS_RUN = '01J00000000000000000000004';

function aMatch(id: string, runId: string | undefined): StoredMatch {
  return {
    ...{ id, runId, lineId: `line of ${id}`, kind: 'inferred', model: 'sweep-all', stream: 'all' },
    ...{ evidence: 'inferred_by_cut', gross: millimes(5), fee: millimes(0), tva: millimes(0), remainder: millimes(0) },
    ...{ restChannel: 'agent', claimedError: 0, cut: undefined, parts: [], returned: undefined, recordedAt: 0 },
  };
}

describe('the matches of an interrupted run', () => {
  const live = [
    aMatch('old', FIRST_RUN),
    aMatch('forced', undefined),
    aMatch('new', CUT_RUN),
    aMatch('newer', CUT_RUN),
  ];
  const asOf = { knownUntil: 1, beforeRunId: THIS_RUN, readAt: 1 };

  function interrupted(...split: Parameters<typeof splitMatches>): string[] {
    const { matches, interrupted: some } = splitMatches(...split);
    expect([...matches, ...some]).toHaveLength(live.length);
    return some.map(({ id }) => id);
  }

  test('are those after the last run on record, whether or not that wrote any', () => {
    expect(interrupted(live, LAST_RUN, undefined)).toEqual(['new', 'newer']);
    expect(interrupted(live, CUT_RUN, undefined)).toEqual([]);
  });

  test('are all of a run where none is on record, and none of a person', () => {
    expect(interrupted(live, '', undefined)).toEqual(['old', 'new', 'newer']);
  });

  test('are, for a past run, those of the lines that it stored', () => {
    expect(interrupted(live, LAST_RUN, { ...asOf, openLineIds: ['line of old', 'line of newer'] })).toEqual(['newer']);
  });

  test('are history for a run of a version that stored no lines', () => {
    expect(interrupted(live, LAST_RUN, asOf)).toEqual([]);
  });
});
