import { test } from '@jest/globals';
import { describeOnMariaDb, freshDatabase } from '../support/db';
import { FAULT_LENGTH, sized } from '../support/faults';
import { faultsInTurn, type LeaderFault, ThreeSchedulers } from './support/three-schedulers';

// Goal: over three replicas each window has its effect once, whichever replica is killed, stopped or cut off from the
// database during it.
// Method: three-schedulers.ts. On a server: an embedded database has one process that runs jobs.

const TURN: readonly LeaderFault[] = sized({
  short: ['none', 'killed', 'none', 'stopped', 'none', 'killed after writing', 'cut off'],
  full: ['stopped', 'killed', 'stopped', 'none', 'stopped', 'cut off', 'stopped', 'killed after writing'],
});
const WINDOWS = TURN.length * FAULT_LENGTH;

describeOnMariaDb('three replicas with one job', () => {
  test(
    `F14: run ${WINDOWS} windows, each with its effect once`,
    async () => {
      const { url } = await freshDatabase('mariadb');
      const what = 'the leader of three schedulers fails';
      const schedulers = new ThreeSchedulers({ urls: [url, url, url], faults: faultsInTurn(TURN, WINDOWS), what });
      try {
        await schedulers.play();
      } finally {
        await schedulers.end();
      }
    },
    120_000 + WINDOWS * 20_000,
  );
});
