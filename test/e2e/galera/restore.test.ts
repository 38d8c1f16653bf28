import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeOnGalera } from '../../support/describe-on-galera';
import { GaleraCluster, type GaleraNode } from '../../support/galera-cluster';
import { Installation } from '../support/installation';
import { restoreToAPointInTime, storedIds } from '../support/point-in-time';

// Goal: a database that a statement destroyed on every node comes back as it was right before, on every node.
// Method: the service writes on the first node; the last one has the binary log and gives the backup, by the commands of
// docs/OPERATIONS.md.

const LIMIT_MS = 300_000;

describeOnGalera('a backup of a cluster', () => {
  let cluster: GaleraCluster;

  beforeAll(async () => {
    cluster = await GaleraCluster.start(['--log-bin=log', '--log-slave-updates', '--sync-binlog=1', '--server-id=3']);
  }, LIMIT_MS);

  afterAll(() => cluster.remove(), LIMIT_MS);

  test(
    'restores a running cluster to a point in time, on every node',
    async () => {
      await restoreToAPointInTime((cluster.nodes[2] as GaleraNode).server, cluster.url('millime'));
      await cluster.synced();
      const urls = cluster.nodes.map(({ address }) => `mysql://root@${address}/millime`);
      const stored = await Promise.all(urls.map(storedIds));
      expect(stored.map(({ size }) => size)).toEqual([400, 400, 400]);
      for (const url of urls) expect(await new Installation(url).brokenInvariants()).toEqual([]);
    },
    LIMIT_MS,
  );
});
